// A report on the page: the text with its claims, the score, and beside them why the chosen claim got its verdict.

import { explained } from "/ui/claim.js";
import { element } from "/ui/dom.js";
import { entityCards } from "/ui/evidence.js";
import { gauge } from "/ui/gauge.js";
import { CheckedText, kindOf, NAMES } from "/ui/text.js";

const OUTCOMES = {
  clean: "nothing wrong found",
  flagged: "flagged",
  not_checkable: "nothing could be checked",
  not_checked: "not everything was checked",
};

const SETTINGS = { noisy: ", references taken as search results", accurate: ", references taken as accurate" };

/** One answer or text. `onRevise(claim, revision)` is called when a correction is accepted. */
export class ReportView {
  constructor(host, { onRevise } = {}) {
    this.onRevise = onRevise;
    this.text = new CheckedText((claim) => this.explain(claim));
    this.answer = this.text.host;
    this.status = element("div", { class: "status", role: "status" });
    this.changes = element("div", { class: "changes" });
    this.below = element("div");
    this.details = element("aside", { class: "details", "aria-label": "Details of the claim", "aria-live": "polite" });
    const above = element("div", {}, this.answer, this.status, this.changes);
    host.replaceChildren(element("div", { class: "result" }, above, this.details, this.below));
    this.clear();
  }

  clear() {
    this.report = null;
    this.entities = new Map();
    this.text.clear();
    this.details.replaceChildren(element("p", { class: "hint" }, "Pick a claim to see why it got its colour. Arrow keys walk from one to the next."));
    for (const part of [this.status, this.changes, this.below]) part.replaceChildren();
  }

  fail(message) {
    this.status.replaceChildren(element("span", { class: "error", role: "alert" }, message));
  }

  explain(claim) {
    this.details.replaceChildren(...explained(claim, { entities: this.entities, onRevise: this.onRevise }));
  }

  /** The whole report. `delivered`: what the client got, where that is another text. */
  show(report, { delivered = report.text } = {}) {
    this.report = report;
    this.entities = new Map(report.entities.map((entity) => [entity.id, entity]));
    const withheld = report.text === null;
    const edits = report.edits ?? [];
    this.text.draw(withheld ? delivered : report.text, withheld ? [] : [...report.claims, ...report.unchecked], edits);
    this.answer.classList.toggle("withheld", withheld);
    this.status.replaceChildren(gauge(report.kas), element("div", {}, counts(report), outcome(report)));
    // The rest can wait for a frame of its own: it lies below.
    requestAnimationFrame(() => {
      if (this.report === report) this.below.replaceChildren(...[this.delivered(report, delivered), this.entityList(report), this.graph(report)].filter(Boolean));
    });
    const first = withheld ? report.claims.find((one) => one.label === "contradictory") : report.claims.find((one) => one.label === "contradictory") ?? report.claims[0];
    if (!first) return;
    if (withheld) this.explain(first);
    else this.text.pick(first);
  }

  delivered(report, delivered) {
    if (report.text === null || delivered === report.text) return null;
    return element("details", { class: "delivered", open: true }, element("summary", {}, "What the client received"), element("p", {}, delivered));
  }

  entityList(report) {
    return report.entities.length ? element("div", {}, element("h3", {}, "Things named"), entityCards(report.entities)) : null;
  }

  /** The library that lays graphs out is only fetched when there is one to draw. */
  graph(report) {
    const all = report.claims.flatMap((claim) => claim.evidence?.triplets ?? []);
    if (!all.length) return null;
    const place = element("div", { class: "graph-place" });
    import("/ui/graph.js").then(({ graph }) => place.replaceChildren(graph(all, report.entities)));
    return place;
  }
}

function counts(report) {
  const found = [...report.claims, ...report.unchecked];
  const parts = ["attributable", "extrapolatory", "contradictory", "unchecked"].map((kind) => {
    const number = found.filter((claim) => kindOf(claim) === kind).length;
    return number ? element("span", { class: `count ${kind}-count` }, `${number} ${NAMES[kind].toLowerCase()}`) : null;
  });
  return element("p", { class: "counts" }, parts, found.length ? null : "no claims");
}

function outcome(report) {
  const policy = report.action ? `, policy ${report.policy}: ${report.action}` : "";
  const setting = SETTINGS[report.setting] ?? "";
  return element("p", { class: "source" }, `${OUTCOMES[report.outcome] ?? report.outcome}${policy}${setting}`);
}
