// Takes the steps on standard input with the Vercel AI SDK; see tests/clients/matrix.py for what goes in and out.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, streamText, tool } from "ai";

globalThis.AI_SDK_LOG_WARNINGS = false;
const look = tool({ description: "Look.", inputSchema: jsonSchema({ type: "object", properties: {} }) });

function model(base, step) {
  const settings = { baseURL: base + "/v1", apiKey: "sk-client", headers: { "x-guardrail-policy": step.policy } };
  if (step.how.startsWith("responses")) return createOpenAI(settings).responses(step.model);
  return createOpenAICompatible({ name: "guardrail", includeUsage: true, ...settings })(step.model);
}

const asked = (base, step) => ({
  model: model(base, step),
  prompt: "What?",
  maxRetries: step.retries ?? 0,
  ...(step.tools ? { tools: { look } } : {}),
});

function tell(result, found) {
  found.texts = [result.text];
  found.finish = [result.finishReason === "tool-calls" ? "tool_calls" : result.finishReason];
  found.usage = result.usage.totalTokens ?? null;
  found.tools = result.toolCalls.map((call) => [call.toolName, JSON.stringify(call.input)]);
}

const HOW = {
  async whole(base, step, found) {
    tell(await generateText(asked(base, step)), found);
  },
  async stream(base, step, found) {
    let failed;
    const result = streamText({ ...asked(base, step), onError: ({ error }) => (failed = error) });
    let text = "";
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") found.texts = [(text += part.text)];
      if (part.type === "error") failed = part.error;
    }
    if (failed) throw failed;
    const [finishReason, usage, toolCalls] = await Promise.all([result.finishReason, result.usage, result.toolCalls]);
    tell({ text, finishReason, usage, toolCalls }, found);
  },
};
HOW.responses = HOW.whole;
HOW.responses_stream = HOW.stream;

const told = JSON.parse(await new Response(process.stdin).text());
for (const step of told.steps) {
  const found = {};
  try {
    await HOW[step.how](told.base, step, found);
  } catch (error) {
    const data = error.data?.error ?? error.error ?? error;
    found.error = { status: error.statusCode ?? null, code: data?.code ?? null };
    found.told = `${error.message ?? JSON.stringify(error)}`;
  }
  console.log(JSON.stringify({ name: step.name, ...found }));
}
