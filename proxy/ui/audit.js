// The audit log, and the review of flagged claims by keyboard: a agree, s wrong span, u unclear, n next; where the label is
// wrong, 1 to 3 for the right one.

import { element } from "/ui/dom.js";
import { get, post } from "/ui/wire.js";

const $ = (id) => document.getElementById(id);
const JUDGEMENTS = [
  ["a", "agree", "Agree"],
  ["s", "wrong_span", "Wrong span"],
  ["u", "unclear", "Unclear"],
];
const LABELS = [
  ["1", "attributable"],
  ["2", "extrapolatory"],
  ["3", "contradictory"],
];

export function audit() {
  const log = new AuditView($("audit-view"), $("audit-status"));
  $("audit-login").addEventListener("submit", (event) => {
    event.preventDefault();
    log.load($("token").value, $("outcome").value);
  });
  document.addEventListener("keydown", (event) => log.key(event));
}

class AuditView {
  constructor(host, status) {
    this.host = host;
    this.status = status;
    this.queue = [];
  }

  /** The token stays in memory: it is gone with the page. */
  async load(token, outcome) {
    this.headers = { authorization: `Bearer ${token}` };
    try {
      const [{ records }, numbers] = await Promise.all([
        get(`/guardrail/audit?limit=100${outcome ? `&outcome=${outcome}` : ""}`, this.headers),
        get("/guardrail/audit/stats", this.headers),
      ]);
      this.records = records.filter((record) => record.id);
      this.queue = this.records.flatMap((record) => record.flagged.map((id) => ({ record, claim: record.claims.find((one) => one.id === id) })));
      this.status.textContent = `${this.records.length} records, ${this.queue.length} flagged claims to review`;
      this.show(numbers);
    } catch (error) {
      this.host.replaceChildren();
      this.status.textContent = error.message;
    }
  }

  show({ stats, agreement }) {
    this.review = element("div", { class: "details", role: "region", "aria-label": "Review", "aria-live": "polite" });
    const rows = this.records.map((record) =>
      element(
        "tr",
        {},
        [record.time.slice(0, 19).replace("T", " "), record.model, record.policy, record.outcome, record.action, record.kas.toFixed(3)].map((cell) => element("td", {}, cell)),
        element("td", {}, element("button", { type: "button", onclick: () => this.open(record) }, `${record.flagged.length} of ${record.claims.length}`)),
      ),
    );
    const heads = ["Time", "Model", "Policy", "Outcome", "Action", "KAS", "Flagged claims"].map((name) => element("th", { scope: "col" }, name));
    this.host.replaceChildren(
      trends(stats, agreement),
      element("h3", {}, "Review queue"),
      this.review,
      element("h3", {}, "Records"),
      element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows))),
    );
    this.at = 0;
    this.draw();
  }

  open(record) {
    const found = this.queue.findIndex((item) => item.record === record);
    if (found < 0) return;
    this.at = found;
    this.draw();
    this.review.scrollIntoView({ block: "nearest" });
  }

  draw() {
    const item = this.queue[this.at];
    if (!item) {
      this.review.replaceChildren(element("p", {}, "Nothing left to review."));
      return;
    }
    const { record, claim } = item;
    const words = record.words?.claims?.[claim.id];
    const buttons = JUDGEMENTS.map(([key, name, text]) => element("button", { type: "button", onclick: () => this.judge(name) }, `${text} (${key})`));
    const right = LABELS.filter(([, label]) => label !== claim.label).map(([key, label]) =>
      element("button", { type: "button", onclick: () => this.judge("wrong_label", label) }, `Should be ${label} (${key})`),
    );
    this.comment = element("input", { id: "comment", autocomplete: "off" });
    this.review.replaceChildren(
      element("p", {}, `${this.at + 1} of ${this.queue.length} · ${record.time.slice(0, 16).replace("T", " ")} · ${record.id}`),
      element("p", {}, element("strong", { class: `label-${claim.label}` }, claim.label), ` ${claim.property ?? ""}`),
      element("blockquote", {}, words?.text ?? "(the words were not kept)"),
      element("p", {}, words?.rationale ?? ""),
      element("ul", {}, claim.evidence.map((one) => element("li", {}, [one.property_label, one.source, one.as_of].filter(Boolean).join(" · ")))),
      element("div", { class: "field" }, element("label", { for: "comment" }, "Comment (optional)"), this.comment),
      element("div", { class: "tools" }, buttons, right, element("button", { type: "button", onclick: () => this.next() }, "Next (n)")),
    );
  }

  next() {
    this.at += 1;
    this.draw();
  }

  async judge(judgement, label) {
    const { record, claim } = this.queue[this.at];
    const reviewer = $("reviewer").value.trim();
    if (!reviewer) {
      this.status.textContent = "Enter your name first: a review says whose it is.";
      $("reviewer").focus();
      return;
    }
    try {
      await post(`/guardrail/audit/${encodeURIComponent(record.id)}/reviews`, { claim: claim.id, judgement, reviewer, label, comment: this.comment.value }, this.headers);
      this.status.textContent = `Recorded: ${label ? `should be ${label}` : judgement.replace("_", " ")}.`;
      this.next();
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  key(event) {
    const typing = event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
    if (typing || $("audit").hidden || !this.queue[this.at]) return;
    const found = JUDGEMENTS.find(([key]) => key === event.key);
    const label = LABELS.find(([key]) => key === event.key);
    if (found) this.judge(found[1]);
    else if (label) this.judge("wrong_label", label[1]);
    else if (event.key === "n") this.next();
    else return;
    event.preventDefault();
  }
}

function trends(stats, agreement) {
  const lines = Object.entries(stats)
    .filter(([, value]) => value && typeof value === "object" && Object.keys(value).length)
    .flatMap(([name, counts]) => [element("dt", {}, name.replaceAll("_", " ")), element("dd", {}, Object.entries(counts).map(([key, count]) => `${key || "–"} ${shown(count)}`).join(", "))]);
  const agreed = agreement.flatMap((pair) => [element("dt", {}, "agreement"), element("dd", {}, `${[pair.reviewers].flat().join(" and ")}: κ ${shown(pair.kappa)} over ${pair.claims} claims`)]);
  return element("div", { class: "details" }, element("dl", {}, lines, agreed));
}

const shown = (value) => (typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value));
