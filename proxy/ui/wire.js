// Talks to the proxy as any client would.

export class Failure extends Error {}

export async function post(path, body, headers = {}) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Failure(await reason(response));
  return response;
}

async function reason(response) {
  try {
    return (await response.json()).error.message;
  } catch {
    return `the server answered ${response.status}`;
  }
}

/** One chunk after another of a streamed chat answer. */
export async function* ask(question, policy) {
  const body = { model: "demo", stream: true, messages: [{ role: "user", content: question }] };
  const response = await post("/v1/chat/completions", body, { "x-guardrail-policy": policy });
  for await (const event of events(response.body)) {
    const chunk = JSON.parse(event);
    if (chunk.error) throw new Failure(chunk.error.message);
    yield chunk;
  }
}

async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? "";
    const found = rest.split(/\r?\n\r?\n/);
    rest = found.pop();
    for (const event of found) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      const text = data.map((line) => line.slice(5).trimStart()).join("\n");
      if (text && text !== "[DONE]") yield text;
    }
    if (done) return;
  }
}

export const verify = async (request) => (await post("/guardrail/verify", request)).json();

export const revise = async (request) => (await post("/guardrail/revise", request)).json();

export async function get(path, headers = {}) {
  const response = await fetch(path, { headers });
  if (!response.ok) throw new Failure(await reason(response));
  return response.json();
}
