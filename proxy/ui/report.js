// A report on the page: the text with its claims, the score, and beside them why the chosen claim got its verdict.

import { explained } from "/ui/claim.js";
import { element } from "/ui/dom.js";
import { entityCards } from "/ui/evidence.js";
import { gauge } from "/ui/gauge.js";
import { CheckedText } from "/ui/text.js";
import { headline, OUTCOMES } from "/ui/words.js";

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
    this.status.replaceChildren(gauge(report.kas, report.outcome), element("div", {}, found(report), outcome(report)));
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

function found(report) {
  const parts = headline(report.counts).map(([kind, words], index) => [index ? " · " : "", element("span", { class: `label-${kind}` }, words)]);
  return element("p", { class: "headline" }, parts.length ? parts : "No claims");
}

function outcome(report) {
  const policy = report.action ? `, policy ${report.policy}: ${report.action}` : "";
  const setting = SETTINGS[report.setting] ?? "";
  const rest = Object.entries(report.left_out ?? {}).map(([name, count]) => `, ${count} more ${name} are not shown`);
  return element("p", { class: "source" }, `${OUTCOMES[report.outcome] ?? report.outcome}${policy}${setting}${rest.join("")}`);
}
