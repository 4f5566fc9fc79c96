// Draws a report: the text with its claims, and on the side what is known of the one that was picked.

import { element, link } from "/ui/dom.js";
import { graph } from "/ui/graph.js";

const NAMES = {
  attributable: "Attributable: the evidence supports it",
  extrapolatory: "Extrapolatory: neither supported nor refuted",
  contradictory: "Contradictory: the evidence refutes it",
  unchecked: "Not checked",
};

const kindOf = (claim) => claim.label ?? "unchecked";

/** One answer or text on the page. `onRevise(claim, revision)` is called when a correction is accepted. */
export class ReportView {
  constructor(host, { onRevise } = {}) {
    this.onRevise = onRevise;
    this.answer = element("div", { class: "answer", role: "region", "aria-label": "Checked text" });
    this.status = element("div", { class: "status", role: "status" });
    this.details = element("aside", { class: "details", "aria-label": "Details of the claim", "aria-live": "polite" });
    this.below = element("div");
    const left = element("div", {}, this.answer, this.status, this.below);
    host.replaceChildren(element("div", { class: "result" }, left, this.details));
    this.clear();
  }

  clear() {
    this.picked = null;
    this.details.replaceChildren(element("p", {}, "Pick a claim to see why."));
    this.below.replaceChildren();
    this.status.replaceChildren();
    this.draw("", []);
  }

  fail(message) {
    this.status.replaceChildren(element("span", { class: "error", role: "alert" }, message));
  }

  /** Offsets are code points; `checked` is the offset before which everything has been judged. */
  draw(text, claims, { checked = Infinity, edits = [] } = {}) {
    const points = Array.from(text);
    const parts = [];
    let at = 0;
    const upTo = (end) => {
      const done = Math.min(Math.max(checked, at), end);
      if (done > at) parts.push(points.slice(at, done).join(""));
      if (end > done) parts.push(element("span", { class: "pending" }, points.slice(done, end).join("")));
      at = end;
    };
    for (const claim of [...claims].sort((a, b) => a.start - b.start)) {
      if (claim.start < at || claim.end > points.length) continue;
      upTo(claim.start);
      parts.push(this.mark(claim, changed(points, claim, edits)));
      at = claim.end;
    }
    upTo(points.length);
    this.answer.replaceChildren(...parts);
  }

  mark(claim, words) {
    const kind = kindOf(claim);
    const pick = () => this.pick(claim);
    return element(
      "span",
      {
        class: `claim ${kind}`,
        role: "button",
        tabindex: "0",
        "aria-pressed": String(this.picked === claim.id && claim.id !== undefined),
        "aria-description": NAMES[kind],
        "data-claim": claim.id,
        onclick: pick,
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          pick();
        },
      },
      words,
    );
  }

  pick(claim) {
    this.picked = claim.id;
    for (const mark of this.answer.querySelectorAll(".claim")) {
      mark.setAttribute("aria-pressed", String(mark.dataset.claim === String(claim.id)));
    }
    this.details.replaceChildren(...this.explained(claim));
  }

  explained(claim) {
    const kind = kindOf(claim);
    const heading = element("h3", { class: `label-${kind}` }, NAMES[kind]);
    if (kind === "unchecked") return [heading, element("p", {}, `Reason: ${claim.reason} ${claim.detail ?? ""}`)];
    return [
      heading,
      element("p", {}, claim.rationale),
      facts(claim),
      slot(claim.slot),
      triplets(claim.evidence.triplets),
      passages(claim.evidence.passages),
      this.revisions(claim),
    ].filter(Boolean);
  }

  revisions(claim) {
    if (!claim.revisions.length || !this.onRevise) return null;
    const choices = claim.revisions.map((revision) =>
      element("button", { type: "button", class: "revision", onclick: () => this.onRevise(claim, revision) }, `Use “${revision.replacement}”`),
    );
    return element("div", {}, element("h3", {}, "Corrections that verify"), element("div", { class: "tools" }, choices));
  }

  /** What the whole report says: score, outcome, entities, the evidence as a graph. */
  conclude(report) {
    const all = report.claims.flatMap((claim) => claim.evidence.triplets);
    this.status.replaceChildren(
      element("span", { id: "kas" }, `KAS ${report.kas.toFixed(3)}`),
      element("meter", { min: 0, max: 1, low: 0.4, high: 0.6, optimum: 1, value: report.kas, "aria-labelledby": "kas" }),
      element("span", {}, report.outcome),
      report.action ? element("span", {}, `policy ${report.policy}: ${report.action}`) : null,
    );
    this.below.replaceChildren(...[entities(report.entities), all.length ? graph(all) : null].filter(Boolean));
    const first = report.claims.find((claim) => claim.label === "contradictory") ?? report.claims[0];
    if (first) this.pick(first);
  }
}

/** The claim's words, with what was replaced struck out. */
function changed(points, claim, edits) {
  const words = [];
  let at = claim.start;
  for (const edit of edits.filter((one) => one.start >= claim.start && one.end <= claim.end)) {
    words.push(points.slice(at, edit.start).join(""));
    words.push(element("del", {}, points.slice(edit.start, edit.end).join("")), " ", element("ins", {}, edit.replacement));
    at = edit.end;
  }
  words.push(points.slice(at, claim.end).join(""));
  return words;
}

function facts(claim) {
  const rows = [
    ["Claim", claim.resolved],
    ["Confidence", claim.confidence.toFixed(2)],
    ["TMS", claim.tms.toFixed(2)],
    ["Checked by", claim.checker],
    ["Reason", claim.reason?.replaceAll("_", " ")],
    ["Question", claim.facts[0]?.question],
  ];
  return element("dl", {}, rows.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function slot(found) {
  if (!found) return null;
  const words = found.state === "conflict" ? "In conflict" : "Compared";
  return element(
    "div",
    { class: "slot" },
    element("h3", {}, `${words}: ${found.property}`),
    element("dl", {}, element("dt", {}, "claimed"), element("dd", {}, found.claimed), element("dt", {}, "known"), element("dd", {}, found.known)),
  );
}

function triplets(found) {
  if (!found.length) return null;
  const rows = found.map((triplet) => {
    const qualifiers = triplet.qualifiers.map((one) => `${one.predicate.label} ${one.object.label}`).join(", ");
    const where = [triplet.source, triplet.as_of].filter(Boolean).join(", as of ");
    return element(
      "li",
      {},
      `${triplet.subject.label} — ${triplet.predicate.label} — ${triplet.object.label}`,
      qualifiers ? ` (${qualifiers})` : "",
      where ? element("span", { class: "source" }, ` · ${where}`) : "",
    );
  });
  return element("div", {}, element("h3", {}, "Evidence in the graph"), element("ul", {}, rows));
}

function passages(found) {
  if (!found.length) return null;
  const rows = found.map((passage) => element("li", {}, marked(passage), " ", element("span", { class: "source" }, "— ", link(passage.url, passage.title || passage.source))));
  return element("div", {}, element("h3", {}, "Evidence in texts"), element("ul", {}, rows));
}

function marked(passage) {
  const points = Array.from(passage.text);
  const parts = [];
  let at = 0;
  for (const [start, end] of passage.marks) {
    parts.push(points.slice(at, start).join(""), element("mark", {}, points.slice(start, end).join("")));
    at = end;
  }
  parts.push(points.slice(at).join(""));
  return element("q", {}, parts);
}

function entities(found) {
  if (!found.length) return null;
  const boxes = found.map((entity) =>
    element("li", {}, link(entity.url, entity.label), " ", element("small", {}, entity.id), element("br"), element("small", {}, entity.description)),
  );
  return element("div", {}, element("h3", {}, "Entities"), element("ul", { class: "entities" }, boxes));
}

