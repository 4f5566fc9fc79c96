// Asks the proxy as any client would, and draws each claim where the report says it stands.
const $ = (id) => document.getElementById(id);
const draw = (text, claims) => {
  const points = Array.from(text); // offsets are code points, not UTF-16 units
  const parts = [];
  let at = 0;
  for (const claim of [...claims].sort((a, b) => a.start - b.start)) {
    parts.push(points.slice(at, claim.start).join(""));
    const mark = document.createElement("mark");
    mark.className = claim.label ?? "unchecked";
    mark.title = claim.rationale ?? `not checked: ${claim.reason}`;
    mark.textContent = points.slice(claim.start, claim.end).join("");
    parts.push(mark);
    at = claim.end;
  }
  parts.push(points.slice(at).join(""));
  $("answer").replaceChildren(...parts);
};

const list = (claims) =>
  $("claims").replaceChildren(
    ...claims.map((claim) => {
      const item = document.createElement("li");
      item.textContent = `${claim.text ?? ""} — ${claim.label ?? "not checked"}: ${claim.rationale ?? claim.reason}`;
      return item;
    }),
  );

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? "";
    const found = rest.split(/\r?\n\r?\n/);
    rest = found.pop();
    for (const event of found) {
      if (event.startsWith("data: ") && event !== "data: [DONE]") yield JSON.parse(event.slice(6));
    }
    if (done) return;
  }
}

async function ask(question) {
  let text = "";
  let claims = [];
  $("kas").textContent = "";
  list([]);
  const response = await fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "demo", stream: true, messages: [{ role: "user", content: question }] }),
  });
  if (!response.ok) {
    $("answer").textContent = (await response.json()).error.message;
    return;
  }
  for await (const chunk of events(response.body)) {
    if (chunk.error) $("kas").textContent = chunk.error.message;
    text += chunk.choices?.[0]?.delta?.content ?? "";
    const found = chunk.guardrail;
    if (found?.check_offset !== undefined) claims = [...claims, ...found.claims];
    else if (found) {
      claims = [...found.claims, ...found.unchecked];
      $("kas").textContent = `KAS ${found.kas} · ${found.outcome} · policy ${found.policy}`;
      list(claims);
    }
    draw(text, claims);
  }
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask($("question").value).catch((error) => ($("answer").textContent = String(error)));
});
for (const question of await (await fetch("/ui/samples")).json()) {
  $("samples").append(new Option(question, question));
}
