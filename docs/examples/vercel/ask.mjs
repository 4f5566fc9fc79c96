// The Vercel AI SDK: a provider for servers that speak OpenAI's API; the policy is a header of every request.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const url = process.env.GUARDRAIL_URL ?? "http://127.0.0.1:8080";
const guarded = createOpenAICompatible({
  name: "guardrail",
  baseURL: `${url}/v1`,
  apiKey: process.env.OPENAI_API_KEY ?? "any",
  headers: { "x-guardrail-policy": "revise" },
});

const { text } = await generateText({ model: guarded("demo"), prompt: "What is the capital of Australia?" });
console.log(text);
// → The capital of Australia is Canberra. Its currency is the Australian dollar.
