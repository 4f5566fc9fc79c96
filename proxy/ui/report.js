// A report on the page: the text with its claims, what was found in words, and at the words why a claim got its verdict.

import { explained } from "/ui/claim.js";
import { button, element } from "/ui/dom.js";
import { entityCards } from "/ui/evidence.js";
import { Finding } from "/ui/finding.js";
import { gauge } from "/ui/gauge.js";
import { CheckedText, kindOf } from "/ui/text.js";
import { headline, OUTCOMES } from "/ui/words.js";

const SETTINGS = { noisy: ", references taken as search results", accurate: ", references taken as accurate" };

/** One answer or text. `onRevise(claim, revision)` is called when a correction is accepted. `folded`: things and graph are drawn when asked for. */
export class ReportView {
  constructor(host, { onRevise, folded = false } = {}) {
    this.onRevise = onRevise;
    this.folded = folded;
    this.text = new CheckedText((claim, mark) => this.explain(claim, mark));
    this.answer = this.text.host;
    this.finding = new Finding((by) => this.step(by));
    this.status = element("div", { class: "status", role: "status" });
    this.changes = element("div", { class: "changes" });
    this.below = element("div");
    host.replaceChildren(element("div", { class: "result" }, this.answer, this.finding.host, this.status, this.changes, this.below));
    this.clear();
  }

  clear() {
    this.report = null;
    this.undoing = null;
    this.claim = null;
    this.entities = new Map();
    this.finding.close();
    this.text.clear();
    for (const part of [this.status, this.changes, this.below]) part.replaceChildren();
  }

  fail(message) {
    this.finding.close();
    this.status.replaceChildren(element("span", { class: "error", role: "alert" }, message));
  }

  explain(claim, mark) {
    this.claim = claim;
    const { undoing } = this;
    const undo = undoing && claim.start <= undoing.start && undoing.start < claim.end ? undoing : null;
    const all = [...this.text.marks.values()];
    const place = `Statement ${all.indexOf(claim) + 1} of ${all.length}`;
    this.finding.open(mark, place, explained(claim, { entities: this.entities, onRevise: this.onRevise, undo }));
  }

  /** The claim so many places on. */
  step(by) {
    const all = [...this.text.marks.values()];
    const next = all[all.indexOf(this.claim) + by];
    if (next) this.text.pick(next);
  }

  /** The next claim of a kind, from the one that was looked at last. */
  next(kind) {
    const all = [...this.text.marks.values()];
    const from = all.indexOf(this.claim) + 1;
    const found = [...all.slice(from), ...all.slice(0, from)].find((one) => kindOf(one) === kind);
    if (found) this.text.pick(found);
  }

  /** The claim at an offset of the text. */
  openAt(offset) {
    const found = [...this.text.marks.values()].find((one) => one.start <= offset && offset < one.end);
    if (found) this.text.pick(found);
  }

  /** The whole report. `delivered`: what the client got, where that is another text. */
  show(report, { delivered = report.text } = {}) {
    this.finding.close();
    this.report = report;
    this.claim = null;
    this.entities = new Map(report.entities.map((entity) => [entity.id, entity]));
    const withheld = report.text === null;
    const worst = report.claims.find((one) => one.label === "contradictory");
    if (withheld) this.text.draw(delivered, []);
    else this.text.draw(report.text, [...report.claims, ...report.unchecked], { edits: report.edits, first: worst });
    this.answer.classList.toggle("withheld", withheld);
    const why = withheld && worst ? element("div", { class: "part" }, explained(worst, { entities: this.entities })) : null;
    this.status.replaceChildren(...[found(report.counts, withheld ? null : (kind) => this.next(kind)), why, outcome(report), scores(report)].filter(Boolean));
    // The rest can wait for a frame of its own: it lies below.
    requestAnimationFrame(() => {
      if (this.report === report) this.below.replaceChildren(...[this.delivered(report, delivered), ...this.more(report)].filter(Boolean));
    });
  }

  more(report) {
    const parts = () => [this.entityList(report), this.graph(report)].filter(Boolean);
    if (!this.folded) return parts();
    if (!report.entities.length) return [];
    const place = element("div");
    const open = () => place.hasChildNodes() || place.replaceChildren(...parts());
    return [element("details", { class: "named", ontoggle: open }, element("summary", {}, "Things named, and the evidence as a graph"), place)];
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

/** What was found, in words: the first thing that anybody reads. `onPick(kind)`: leads to the claims of a kind. */
export function found(counts, onPick) {
  const parts = headline(counts).map(([kind, words], index) => {
    const look = { class: `quiet label-${kind}`, title: `Show the next: ${words}` };
    return [index ? " · " : "", onPick ? button(words, () => onPick(kind), look) : element("span", { class: `label-${kind}` }, words)];
  });
  return element("p", { class: "headline" }, parts.length ? parts : "No claims");
}

function outcome(report) {
  const policy = report.action ? `, policy ${report.policy}: ${report.action}` : "";
  const setting = SETTINGS[report.setting] ?? "";
  const rest = Object.entries(report.left_out ?? {}).map(([name, count]) => `, ${count} more ${name} are not shown`);
  return element("p", { class: "source" }, `${OUTCOMES[report.outcome] ?? report.outcome}${policy}${setting}${rest.join("")}`);
}

/** The papers' scores are for who asks for them. */
function scores(report) {
  const told = "The knowledge attribution score (KAS) sums up all claims: 0 where all are wrong, 0.5 where nothing is known, 1 where all are confirmed.";
  return element("details", { class: "scores" }, element("summary", {}, "Scores"), element("div", { class: "row" }, gauge(report.kas, report.outcome), element("p", { class: "source grow" }, told)));
}
