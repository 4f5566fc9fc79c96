// Takes the steps on standard input with the Anthropic SDK for Node; see tests/clients/matrix.py for what goes in and out.
import Anthropic from "@anthropic-ai/sdk";

const LOOK = { name: "look", description: "Look.", input_schema: { type: "object", properties: {} } };

const asked = (step) => ({
  model: step.model,
  max_tokens: 100,
  messages: [{ role: "user", content: "What?" }],
  ...(step.tools ? { tools: [LOOK] } : {}),
});

function tell(message, found) {
  found.texts = message.content.filter((block) => block.type === "text").map((block) => block.text);
  found.finish = [message.stop_reason === "end_turn" ? "stop" : message.stop_reason];
  found.usage = message.usage.input_tokens + message.usage.output_tokens;
  const calls = message.content.filter((block) => block.type === "tool_use");
  found.tools = calls.map((call) => [call.name, JSON.stringify(call.input)]);
  found.report = message.guardrail?.outcome ?? null;
}

const HOW = {
  async whole(client, step, found) {
    tell(await client.messages.create(asked(step)), found);
  },
  async stream(client, step, found) {
    let text = "", said = "", used = 0;
    const names = [];
    for await (const event of await client.messages.create({ ...asked(step), stream: true })) {
      if (event.type === "message_start") used = event.message.usage.input_tokens;
      if (event.type === "content_block_start" && event.content_block.type === "tool_use") names.push(event.content_block.name);
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") found.texts = [(text += event.delta.text)];
      if (event.type === "content_block_delta" && event.delta.type === "input_json_delta") said += event.delta.partial_json;
      if (event.type === "message_delta") {
        const stop = event.delta.stop_reason;
        found.finish = [stop === "end_turn" ? "stop" : stop];
        found.usage = used + event.usage.output_tokens;
        found.report = event.guardrail?.outcome ?? null;
      }
    }
    found.tools = names.map((name) => [name, said]);
  },
  async helper(client, step, found) {
    let report = null;
    const run = client.messages.stream(asked(step));
    run.on("text", (_, snapshot) => (found.texts = [snapshot]));
    run.on("streamEvent", (event) => {
      if (event.type === "message_delta") report = event.guardrail?.outcome ?? null;
    });
    tell(await run.finalMessage(), found);
    found.report = report;
  },
};

const told = JSON.parse(await new Response(process.stdin).text());
for (const step of told.steps) {
  const client = new Anthropic({
    baseURL: told.base,
    apiKey: "sk-client",
    maxRetries: step.retries ?? 0,
    timeout: 20_000,
    defaultHeaders: { "x-guardrail-policy": step.policy },
  });
  const found = {};
  try {
    await HOW[step.how](client, step, found);
  } catch (error) {
    if (!(error instanceof Anthropic.AnthropicError)) found.crash = `${error}`;
    found.error = { status: error.status ?? null, code: error.error?.error?.code ?? null };
  }
  console.log(JSON.stringify({ name: step.name, ...found }));
}
