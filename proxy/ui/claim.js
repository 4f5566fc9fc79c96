// Why a claim got its verdict, from the short answer to the last detail.

import { advice } from "/ui/advice.js";
import { button, element, marked } from "/ui/dom.js";
import { passages, triplets } from "/ui/evidence.js";
import { kindOf } from "/ui/text.js";
import { MEANINGS, NAMES, REASONS } from "/ui/words.js";

const STATES = { conflict: ["✗", "in conflict"], agree: ["✓", "agrees"], unknown: ["?", "cannot be compared"] };

/** `onRevise(claim, revision)`: offers the corrections that verify; without it they are only listed. `undo`: a change that can be taken back. */
export function explained(claim, { entities, onRevise, undo } = {}) {
  const kind = kindOf(claim);
  const heading = element("h3", { class: `verdict label-${kind}` }, NAMES[kind], element("small", {}, MEANINGS[kind].split(": ")[1] ?? ""));
  if (kind === "unchecked") return [heading, element("p", {}, `${REASONS[claim.reason] ?? `Reason: ${claim.reason}.`} ${claim.detail ?? ""}`)];
  if (claim.evidence === undefined) return [heading, element("p", {}, "The policy withheld this answer, and the words of its claims with it."), confidence(claim)];
  return [
    heading,
    element("p", { class: "why" }, claim.rationale),
    corrected(undo),
    claimedWords(claim),
    slots(claim),
    revisions(claim, onRevise),
    kind === "extrapolatory" ? advice(claim) : null,
    claim.conflict ? sides(claim.by_source, entities) : evidence(claim.evidence, entities),
    confidence(claim),
    details(claim),
  ].filter(Boolean);
}

function confidence(claim) {
  const percent = `${Math.round(claim.confidence * 100)} %`;
  return element(
    "p",
    { class: "confidence" },
    element("span", {}, `Confidence ${percent}`),
    element("meter", { min: 0, max: 1, value: claim.confidence, "aria-label": `Confidence ${percent}` }),
  );
}

/** The claim's side of the marks: the words that were compared. */
function claimedWords(claim) {
  const compared = (claim.slots?.length ? claim.slots : [claim.slot]).filter((slot) => slot && slot.start !== null);
  if (!compared.length) return null;
  const spans = compared.map((slot) => [slot.start - claim.start, slot.end - claim.start]);
  return element("blockquote", { class: "claimed", "aria-label": "The claim, with the words that were compared" }, marked(claim.text, spans));
}

function slots(claim) {
  const found = claim.slots?.length ? claim.slots : claim.slot ? [claim.slot] : [];
  if (!found.length) return null;
  const rows = found.map((slot) => {
    const [sign, words] = STATES[slot.state];
    return element(
      "tr",
      { class: `state-${slot.state}` },
      element("th", { scope: "row" }, slot.property),
      element("td", {}, slot.claimed),
      element("td", {}, slot.known || "–"),
      element("td", {}, element("span", { title: words, "aria-hidden": "true" }, sign), element("span", { class: "hidden" }, words)),
    );
  });
  const heads = ["Compared", "claimed", "known"].map((name) => element("th", { scope: "col" }, name));
  const head = element("tr", {}, heads, element("th", { scope: "col" }, element("span", { class: "hidden" }, "result")));
  return element("table", { class: "slot" }, element("thead", {}, head), element("tbody", {}, rows));
}

function revisions(claim, onRevise) {
  if (!claim.revisions?.length) return null;
  const choices = claim.revisions.map((one) =>
    onRevise ? button(`Use “${one.replacement}”`, () => onRevise(claim, one), { class: "revision", title: one.text }) : element("span", { class: "box value" }, one.replacement),
  );
  return part("Corrections that verify", element("div", { class: "tools" }, choices));
}

function corrected(undo) {
  if (!undo) return null;
  return element("p", { class: "row" }, element("span", {}, element("del", {}, undo.before), " → ", element("ins", {}, undo.after)), button("Undo", undo.back, { class: "undo" }));
}

function evidence(found, entities) {
  const rest = found.unread?.length ? element("p", { class: "source" }, `Not read: ${found.unread.join("; ")}`) : null;
  if (!found.triplets.length && !found.passages.length) return rest;
  return part("Evidence", triplets(found.triplets, entities), passages(found.passages), rest);
}

/** Sources that say different things, side by side: the reader sees each with its verdict. */
function sides(found, entities) {
  const columns = found.map((one) =>
    element(
      "section",
      { class: `side ${one.label}-side`, "aria-label": `What the ${one.source} says` },
      element("h4", {}, SOURCES[one.source] ?? one.source, element("span", { class: `label-${one.label}` }, ` ${NAMES[one.label]}`)),
      element("p", {}, one.rationale),
      triplets(one.evidence.triplets, entities),
      passages(one.evidence.passages),
    ),
  );
  return part("The sources disagree", element("div", { class: "sides" }, columns));
}

export const SOURCES = { request: "The references given", kg: "The knowledge graph", corpus: "The corpus", web: "The web" };

function details(claim) {
  const rows = [
    ["Read as", claim.resolved],
    ["Question asked", claim.facts?.[0]?.question],
    ["Reason", claim.reason?.replaceAll("_", " ")],
    ["Checked by", claim.checker],
    ["Text match (TMS)", claim.tms?.toFixed(2)],
    ["Claim score", String(claim.score)],
  ];
  const list = rows.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  return element("details", {}, element("summary", {}, "How it was checked"), element("dl", {}, list));
}

const part = (title, ...content) => element("div", { class: "part" }, element("h4", {}, title), content);

