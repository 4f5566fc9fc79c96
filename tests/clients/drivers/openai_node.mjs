// Takes the steps on standard input with the installed openai-node; see tests/clients/matrix.py for what goes in and out.
import OpenAI from "openai";

const LOOK = { name: "look", description: "Look.", parameters: { type: "object", properties: {} } };

const asked = (step) => ({
  model: step.model,
  messages: [{ role: "user", content: "What?" }],
  ...(step.tools ? { tools: [{ type: "function", function: LOOK }] } : {}),
  ...(step.n ? { n: step.n } : {}),
  ...(step.json ? { response_format: { type: "json_object" } } : {}),
});

const ofResponse = (step) => ({
  model: step.model,
  input: "What?",
  ...(step.tools ? { tools: [{ type: "function", strict: false, ...LOOK }] } : {}),
  ...(step.json ? { text: { format: { type: "json_object" } } } : {}),
});

function tell(completion, found) {
  const choices = completion.choices;
  found.texts = choices.map((choice) => choice.message.content ?? "");
  found.finish = choices.map((choice) => choice.finish_reason);
  found.usage = completion.usage?.total_tokens ?? null;
  const calls = choices.flatMap((choice) => choice.message.tool_calls ?? []);
  found.tools = calls.map((call) => [call.function.name, call.function.arguments]);
  found.report = choices[0].message.guardrail?.outcome ?? null;
}

function tellResponse(response, found) {
  found.texts = response.output_text ? [response.output_text] : [];
  found.finish = [response.status];
  found.usage = response.usage?.total_tokens ?? null;
  const calls = response.output.filter((item) => item.type === "function_call");
  found.tools = calls.map((call) => [call.name, call.arguments]);
  found.report = response.guardrail?.outcome ?? null;
}

const HOW = {
  async whole(client, step, found) {
    tell(await client.chat.completions.create(asked(step)), found);
  },
  async stream(client, step, found) {
    const words = {}, finish = {}, calls = {}, reports = {};
    const options = { stream: true, stream_options: { include_usage: true } };
    for await (const chunk of await client.chat.completions.create({ ...asked(step), ...options })) {
      if (chunk.usage) found.usage = chunk.usage.total_tokens;
      for (const choice of chunk.choices) {
        words[choice.index] = (words[choice.index] ?? "") + (choice.delta.content ?? "");
        found.texts = Object.values(words);
        if (choice.finish_reason) finish[choice.index] = choice.finish_reason;
        for (const call of choice.delta.tool_calls ?? []) {
          calls[call.index] ??= ["", ""];
          calls[call.index][0] += call.function.name ?? "";
          calls[call.index][1] += call.function.arguments ?? "";
        }
        if (choice.delta.guardrail) reports[choice.index] = choice.delta.guardrail;
      }
    }
    found.finish = Object.values(finish);
    found.tools = Object.values(calls);
    found.report = reports[0]?.outcome ?? null;
  },
  async helper(client, step, found) {
    const run = client.chat.completions.stream({ ...asked(step), stream_options: { include_usage: true } });
    run.on("content", (_, snapshot) => (found.texts = [snapshot]));
    tell(await run.finalChatCompletion(), found);
  },
  async responses(client, step, found) {
    tellResponse(await client.responses.create(ofResponse(step)), found);
  },
  async responses_stream(client, step, found) {
    let text = "";
    for await (const event of await client.responses.create({ ...ofResponse(step), stream: true })) {
      if (event.type === "response.output_text.delta") found.texts = [(text += event.delta)];
      if (event.type === "response.completed") {
        // openai-node adds output_text to whole responses only.
        const parts = event.response.output.flatMap((item) => item.content ?? []);
        tellResponse({ ...event.response, output_text: parts.map((part) => part.text).join("") }, found);
      }
    }
  },
  async responses_helper(client, step, found) {
    const run = client.responses.stream(ofResponse(step));
    for await (const _ of run);
    tellResponse(await run.finalResponse(), found);
  },
};

const told = JSON.parse(await new Response(process.stdin).text());
for (const step of told.steps) {
  const client = new OpenAI({
    baseURL: told.base + "/v1",
    apiKey: "sk-client",
    maxRetries: step.retries ?? 0,
    timeout: 20_000,
    defaultHeaders: { "x-guardrail-policy": step.policy },
  });
  const found = {};
  try {
    await HOW[step.how](client, step, found);
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) found.crash = `${error}`;
    found.error = { status: error.status ?? null, code: error.code ?? null };
  }
  console.log(JSON.stringify({ name: step.name, ...found }));
}
