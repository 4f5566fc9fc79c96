// Talks to the proxy as any client would: with the reader's API key where one was given, with the admin's session where it is open.

export class Failure extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.detail = error.guardrail;
  }
}

/** Whether the reader administers. `configured`: the server has an admin token at all. */
export class Session extends EventTarget {
  state = { admin: false, configured: false, csrf: null };

  take(state) {
    const changed = state.admin !== this.state.admin || state.configured !== this.state.configured;
    this.state = state;
    if (changed) this.dispatchEvent(new Event("change"));
  }

  async refresh() {
    this.take(await get("/ui/session"));
  }

  async enter(token) {
    this.take(await json("/ui/login", { token }));
  }

  async leave() {
    this.take(await json("/ui/logout", {}));
  }
}

export const session = new Session();

/** The API key for the model's server, or for this one; in memory only. */
export const access = { key: "" };

const GUARDED = ["/v1/", "/guardrail/verify", "/guardrail/revise"];

/** `body` goes as JSON, `file` as it is. */
export async function send(path, { method = "GET", body, file, headers = {} } = {}) {
  const all = { ...headers };
  if (body !== undefined) all["content-type"] = "application/json";
  if (file !== undefined) all["content-type"] = "application/octet-stream";
  const asks = method === "GET" && path.startsWith("/guardrail/knowledge");
  if (asks || GUARDED.some((start) => path.startsWith(start))) {
    if (access.key) all.authorization = `Bearer ${access.key}`;
  } else if (method !== "GET" && session.state.csrf) {
    all["x-csrf-token"] = session.state.csrf;
  }
  const response = await fetch(path, { method, headers: all, body: body === undefined ? file : JSON.stringify(body) });
  if (response.ok) return response;
  const failure = new Failure(response.status, await reason(response));
  if (failure.code === "invalid_admin_token" && session.state.admin) await session.refresh();
  throw failure;
}

async function reason(response) {
  try {
    const told = await response.json();
    if (told.error) return told.error;
    const [first] = told.detail;
    return { message: `${first.loc.slice(1).join(" ")}: ${first.msg}` };
  } catch {
    return { message: `the server answered ${response.status}` };
  }
}

export const get = async (path) => (await send(path)).json();

export const json = async (path, body) => (await send(path, { method: "POST", body })).json();

/** A file as the body; its name goes into the address. */
export const upload = async (path, file) => (await send(`${path}?name=${encodeURIComponent(file.name)}`, { method: "POST", file })).json();

export const verify = (request) => json("/guardrail/verify", request);

export const revise = (request) => json("/guardrail/revise", request);

/** One chunk after another of a streamed chat answer; `messages`: the conversation up to the question. */
export async function* ask(messages, { policy, model }) {
  const body = { model, stream: true, messages, guardrail: { report: "full" } };
  const response = await send("/v1/chat/completions", { method: "POST", body, headers: { "x-guardrail-policy": policy } });
  for await (const event of events(response.body)) {
    const chunk = JSON.parse(event);
    if (chunk.error) throw new Failure(200, chunk.error);
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
