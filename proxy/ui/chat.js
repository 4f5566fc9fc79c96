// Chat: the model behind the proxy answers, and each claim is coloured as its verdict arrives (FLEEK's LLM view).

import { button, element } from "/ui/dom.js";
import { ReportView } from "/ui/report.js";
import { Revising } from "/ui/revising.js";
import { access, ask, get } from "/ui/wire.js";

const $ = (id) => document.getElementById(id);
const OFFERS = {
  annotate: ["Show", "the answer streams at once, findings beside it"],
  attach: ["Note", "held by the sentence, notes written under it"],
  revise: ["Correct", "held by the sentence, wrong words replaced"],
  block: ["Withhold", "held as a whole, withheld when wrong"],
  shadow: ["Watch", "recorded only, nothing is shown"],
};
const SAMPLES = 6;
const LATER = { observe: "streams at once", hold: "held by the sentence", buffer: "held as a whole" };

/** `start`: what `/ui/start` says. */
export function chat(start) {
  const revising = new Revising(() => ({ question: $("question").value || undefined }));
  const view = new ReportView($("chat-view"), { onRevise: (_, revision) => revising.accept(revision) });
  revising.view = view;
  offer(start);
  connect(start);
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    revising.clear();
    run(view, $("question").value);
  });
  if (!start.demo) return;
  const pick = (question) => {
    $("question").value = question;
    $("ask").requestSubmit();
  };
  const samples = start.samples.map((question) => button(question, () => pick(question)));
  const rest = element("details", {}, element("summary", {}, "More questions"), element("div", {}, samples.slice(SAMPLES)));
  $("samples").replaceChildren(...samples.slice(0, SAMPLES), rest);
  $("question").value ||= start.samples[0];
}

function offer({ policies, running }) {
  const chosen = policies.find((one) => one.name === running[0])?.name ?? policies[0]?.name;
  const choices = policies.map((policy) => {
    const [title, what] = OFFERS[policy.name] ?? [policy.name, `${LATER[policy.mode]}. ${policy.description}`];
    const input = element("input", { type: "radio", name: "policy", value: policy.name, checked: policy.name === chosen });
    return element("label", { class: "choice" }, input, element("span", {}, element("b", {}, title), element("small", {}, what)));
  });
  $("policies-offered").replaceChildren(...choices);
}

/** With a real model's server behind the proxy, its models and its key are the reader's to give. */
async function connect({ demo, needs_key: needsKey }) {
  if (demo && !needsKey) return;
  $("connection").hidden = false;
  $("connection").open = needsKey;
  if (!demo) $("model").value = "";
  $("key").addEventListener("change", () => {
    access.key = $("key").value.trim();
    models();
  });
  if (!needsKey) await models();
}

async function models() {
  try {
    const { data } = await get("/v1/models");
    $("models").replaceChildren(...data.map((model) => element("option", { value: model.id })));
    $("model").value ||= data[0]?.id ?? "";
  } catch {
    $("models").replaceChildren();
  }
}

async function run(view, question) {
  const asking = $("ask").querySelector("button");
  const policy = document.querySelector("[name=policy]:checked").value;
  asking.disabled = true;
  view.clear();
  view.status.textContent = "Asking …";
  const heard = { text: "", report: null };
  try {
    for await (const chunk of ask(question, { policy, model: $("model").value })) take(view, heard, chunk);
    if (heard.report) view.show(heard.report, { delivered: heard.text });
    else view.status.textContent = "The answer came without a report.";
  } catch (error) {
    view.fail(error.message);
  } finally {
    asking.disabled = false;
  }
}

function take(view, heard, chunk) {
  const words = chunk.choices?.[0]?.delta?.content ?? "";
  if (words) {
    if (!heard.text) view.status.textContent = "Checking while it speaks …";
    heard.text += words;
    view.text.append(words);
  }
  heard.report = chunk.choices?.[0]?.delta?.guardrail ?? heard.report;
  const found = chunk.guardrail;
  if (found?.check_offset !== undefined) view.text.judge(found.claims, found.check_offset);
}
