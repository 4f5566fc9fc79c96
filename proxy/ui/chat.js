// Chat: the model behind the proxy answers, and each claim is coloured as its verdict arrives (FLEEK's LLM view).

import { element } from "/ui/dom.js";
import { ReportView } from "/ui/report.js";
import { ask, get, verify } from "/ui/wire.js";

const $ = (id) => document.getElementById(id);

export async function chat() {
  const view = new ReportView($("chat-view"), { onRevise: (claim, revision) => accept(view, claim, revision) });
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    run(view, $("question").value, $("policy").value);
  });
  const samples = await get("/ui/samples");
  $("samples").replaceChildren(
    ...samples.map((question) =>
      element("button", { type: "button", onclick: () => { $("question").value = question; run(view, question, $("policy").value); } }, question),
    ),
  );
  $("question").value ||= samples[0];
}

async function run(view, question, policy) {
  const button = $("ask").querySelector("button");
  button.disabled = true;
  view.clear();
  const heard = { text: "", original: null, claims: [], checked: 0, report: null };
  try {
    for await (const chunk of ask(question, policy)) {
      take(heard, chunk);
      show(view, heard);
    }
    if (heard.report) view.conclude(heard.report);
  } catch (error) {
    view.fail(error.message);
  } finally {
    button.disabled = false;
  }
  view.report = heard.report;
}

function take(heard, chunk) {
  heard.text += chunk.choices?.[0]?.delta?.content ?? "";
  const found = chunk.guardrail;
  if (!found) return;
  if (found.check_offset !== undefined) {
    heard.checked = found.check_offset;
    heard.claims = [...heard.claims, ...found.claims];
  } else {
    heard.report = found;
  }
}

/** While text streams, claims point into the model's own text; where a policy changes it, they are drawn at the end. */
function show(view, heard) {
  if (heard.report) {
    const { text, claims, unchecked, edits } = heard.report;
    view.draw(text, [...claims, ...unchecked], { edits: edits ?? [] });
    return;
  }
  const same = heard.claims.every((claim) => Array.from(heard.text).slice(claim.start, claim.end).join("") === claim.text);
  view.draw(heard.text, same ? heard.claims : [], { checked: heard.checked });
}

/** Put the correction in, and check the whole text again. */
export async function accept(view, claim, revision) {
  const points = Array.from(view.report.text);
  const before = points.slice(revision.start, revision.end).join("");
  const text = [...points.slice(0, revision.start), revision.replacement, ...points.slice(revision.end)].join("");
  try {
    const report = await verify({ text, question: $("question").value || undefined });
    view.report = report;
    view.draw(report.text, [...report.claims, ...report.unchecked]);
    view.conclude(report);
    view.below.prepend(element("p", { class: "diff" }, "Changed: ", element("del", {}, before), " ", element("ins", {}, revision.replacement)));
  } catch (error) {
    view.fail(error.message);
  }
}
