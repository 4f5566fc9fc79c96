// Policies: what runs, in words; an editor with problems at their lines; what an edited one would have done.

import { button, element, field, moment, save } from "/ui/dom.js";
import { guarded } from "/ui/login.js";
import { get, json } from "/ui/wire.js";
import { NAMES } from "/ui/words.js";

const $ = (id) => document.getElementById(id);
const PAUSE = 300;
const SPANS = [["", "all answers"], ["1", "the last day"], ["7", "the last week"], ["30", "the last month"]];

export function policies() {
  const host = $("policies-view");
  guarded(host, "Policies say which requests are checked and what is let through.", async () => {
    try {
      const told = await get("/guardrail/policies");
      host.replaceChildren(running(told), new Editor(told).host);
    } catch (error) {
      host.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
    }
  })();
  return {};
}

function running({ policies: found, problem, source }) {
  const cards = found.map((policy, index) => meaning(policy, index === 0 && found.length > 1 ? "tried first" : ""));
  return element(
    "div",
    {},
    element("h3", {}, "What runs"),
    problem ? element("p", { class: "error", role: "alert" }, `The changed file was not taken up, the policy before it still runs: ${problem}`) : null,
    cards.length ? element("div", { class: "cards" }, cards) : element("p", {}, "No policy: answers pass without a check."),
    element("p", { class: "source" }, `From ${source}.`),
  );
}

function meaning(policy, note = "") {
  return element(
    "article",
    { class: "sheet", "aria-label": policy.name },
    element("h3", {}, policy.name, " ", element("small", {}, [policy.shadow ? "shadow" : policy.mode, note].filter(Boolean).join(", "))),
    element("p", {}, policy.description),
    effect(policy),
    element("ul", { class: "sentences" }, policy.explained.map((sentence) => element("li", {}, sentence))),
    element("p", { class: "source" }, policy.hash.slice(0, 19)),
  );
}

/** The same answer before and after it. */
function effect({ before, after, shadow, strongest }) {
  const same = shadow || strongest === "pass" ? "The reader gets the same." : "The reader gets the same, with the findings beside it.";
  const said = (name, text) => element("figure", { class: "effect" }, element("figcaption", {}, name), element("blockquote", {}, text));
  return element("div", { class: "effects" }, said("The model says", before), after === before ? element("p", { class: "effect" }, same) : said("The reader gets", after));
}

/** Works on a copy: what runs is only changed by its file. */
class Editor {
  constructor({ text, presets }) {
    this.area = element("textarea", { id: "policy-text", rows: 22, spellcheck: "false", wrap: "off", "aria-describedby": "policy-problems" });
    this.gutter = element("ol", { class: "gutter", "aria-hidden": "true" });
    this.problems = element("div", { id: "policy-problems", role: "status" });
    this.result = element("div", { role: "status" });
    this.since = element("select", {}, SPANS.map(([days, words]) => element("option", { value: days }, words)));
    this.try = button("Try it on the log", () => this.backtest(), { class: "primary" });
    const starts = { "what runs": text, ...presets };
    const from = element("select", {}, Object.keys(starts).map((name) => element("option", { value: name }, name)));
    from.addEventListener("change", () => this.start(starts[from.value]));
    this.area.addEventListener("input", () => this.soon());
    this.area.addEventListener("scroll", () => {
      this.gutter.scrollTop = this.area.scrollTop;
    });
    this.host = element(
      "div",
      {},
      element("h3", {}, "Try another"),
      element("p", { class: "lead" }, "Edit a copy, and see what it means and what it would have done. The active policy does not change: for that, save the text to the policy file on the server."),
      element("div", { class: "columns" }, element("div", {}, element("div", { class: "row" }, field("Begin with", from)), this.edited(), this.tools(), this.result), element("div", { class: "beside" }, this.problems)),
    );
    this.start(text || presets.annotate);
  }

  edited() {
    return element("div", { class: "editor-field" }, element("label", { for: "policy-text" }, "Policy (YAML)"), element("div", { class: "editor" }, this.gutter, this.area));
  }

  tools() {
    return element("div", { class: "tools" }, this.try, field("on", this.since), button("Save to a file", () => save("policy.yaml", "application/yaml", this.area.value)));
  }

  start(text) {
    this.area.value = text;
    this.lint();
  }

  soon() {
    this.number(new Map());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lint(), PAUSE);
  }

  async lint() {
    const text = this.area.value;
    try {
      const { problems, policies: found } = await json("/guardrail/policies/lint", { text });
      if (text !== this.area.value) return;
      this.number(new Map(problems.map((one) => [one.line, one])));
      this.try.disabled = problems.length > 0;
      this.problems.replaceChildren(problems.length ? this.listed(problems) : element("div", {}, found.map((policy) => meaning(policy))));
    } catch (error) {
      this.problems.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
    }
  }

  number(problems) {
    const lines = this.area.value.split("\n").map((_, index) => element("li", { class: problems.has(index + 1) ? "wrong" : "" }, String(index + 1)));
    this.gutter.replaceChildren(...lines);
  }

  listed(problems) {
    const rows = problems.map((one) => element("li", {}, button(`Line ${one.line}`, () => this.go(one.line), { class: "quiet" }), one.message));
    return element("div", { class: "sheet" }, element("h3", {}, problems.length === 1 ? "One problem" : `${problems.length} problems`), element("ul", { class: "plain problems" }, rows));
  }

  go(line) {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + lines[line - 1].length);
  }

  async backtest() {
    this.try.disabled = true;
    this.result.textContent = "Deciding every answer again …";
    const since = this.since.value ? new Date(Date.now() - this.since.value * 86_400_000).toISOString() : undefined;
    try {
      const found = await json("/guardrail/policies/backtest", { text: this.area.value, since });
      this.result.replaceChildren(outcome(found));
    } catch (error) {
      this.result.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
    }
    this.try.disabled = false;
  }
}

function outcome(found) {
  const moves = [...found.moves].sort((a, b) => b.answers - a.answers);
  const rows = moves.map((move) => element("tr", {}, [move.before, move.after, move.answers].map((cell) => element("td", {}, String(cell)))));
  const heads = ["Was", "would be", "answers"].map((name) => element("th", { scope: "col" }, name));
  return element(
    "div",
    { class: "sheet" },
    element("h3", {}, `${found.changed} of ${found.answers} answers would have been treated differently`),
    element("p", {}, `Flagged claims: ${found.flagged_before} before, ${found.flagged_after} after.`, found.unmatched ? ` ${found.unmatched} answers are of requests that it is not for.` : ""),
    rows.length ? element("table", {}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows)) : null,
    found.examples.map(example),
  );
}

function example(one) {
  const claims = one.claims.map((claim) => element("li", {}, element("span", { class: `count ${claim.label}-count` }, NAMES[claim.label]), " ", claim.text ?? "(text not stored)", " ", element("small", {}, claim.property)));
  return element(
    "article",
    { class: "example", "aria-label": `Answer ${one.record}` },
    element("p", {}, element("b", {}, `${one.before} → ${one.after}`), ` (${one.rules.join(", ")})`),
    element("p", { class: "source" }, [moment(one.time), one.model].filter(Boolean).join(" · ")),
    element("ul", { class: "plain" }, claims),
  );
}
