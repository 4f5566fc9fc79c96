// Chat: the model behind the proxy answers, and each claim is coloured as its verdict arrives (FLEEK's LLM view).

import { Turn } from "/ui/conversation.js";
import { button, element } from "/ui/dom.js";
import { example } from "/ui/example.js";
import { access, get } from "/ui/wire.js";

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
  let turns = [];
  offer(start);
  connect(start);
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    const turn = new Turn($("question").value);
    const earlier = turns;
    turns = [...turns, turn];
    put(turn, earlier);
  });
  $("anew").addEventListener("click", () => {
    turns = [];
    $("chat-view").replaceChildren();
    $("anew").hidden = true;
    $("question").focus();
  });
  example($("chat-view"));
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

/** The turn goes below the earlier ones; the example makes room for the first. */
async function put(turn, earlier) {
  const asking = $("ask").querySelector("button");
  const policy = document.querySelector("[name=policy]:checked").value;
  $("chat-view").replaceChildren(...earlier.map((one) => one.host), turn.host);
  $("anew").hidden = false;
  $("question").value = "";
  asking.disabled = true;
  turn.host.scrollIntoView({ block: "nearest" });
  await turn.run(earlier, { policy, model: $("model").value });
  asking.disabled = false;
  if (turn.host.isConnected) turn.host.scrollIntoView({ block: "nearest" });
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

/** With a real model's server behind the proxy, its key is the reader's to give. */
async function connect({ needs_key: needsKey }) {
  $("connection").hidden = !needsKey;
  $("connection").open = needsKey;
  $("key").addEventListener("change", () => {
    access.key = $("key").value.trim();
    models();
  });
  await models();
}

/** The models of the server to choose from; where it does not tell them, the reader names one. */
async function models() {
  const before = $("model");
  const found = await get("/v1/models").then(({ data }) => data, () => []);
  const options = found.map((model) => element("option", { value: model.id }, model.id));
  const input = options.length ? element("select", { id: "model" }, options) : element("input", { id: "model", autocomplete: "off", required: true });
  if (!options.length || found.some((model) => model.id === before.value)) input.value = before.value;
  before.replaceWith(input);
}
