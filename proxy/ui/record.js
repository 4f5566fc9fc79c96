// One answer of the log with its whole chain of reasoning, from the claims over the rules to what was done.

import { button, element, moment } from "/ui/dom.js";
import { found } from "/ui/report.js";
import { counted, NAMES, OUTCOMES, REASONS, withoutWords } from "/ui/words.js";

/** `record`: as `GET /guardrail/audit/{id}` tells it; `place`: its number and hash in the chain. */
export function recordCard(record, place, { onReview, onClose }) {
  return element(
    "article",
    { class: "sheet record", "aria-label": `Answer ${record.id}`, tabindex: "-1" },
    element("div", { class: "row" }, element("h3", { class: "grow" }, moment(record.time)), button("Close", onClose, { class: "quiet" })),
    found(counted(record)),
    element("p", { class: "source" }, [record.id, record.model, record.route, `${record.length} characters`, record.language].filter(Boolean).join(" · ")),
    record.words?.text ? element("blockquote", { class: "kept" }, record.words.text) : element("p", { class: "source" }, withoutWords(record)),
    element("ol", { class: "chain" }, step("What was claimed and found", claims(record, onReview)), step("Which rules applied", causes(record)), step("What was done", done(record)), step("How it is stored", proof(record, place))),
  );
}

const step = (title, ...content) => element("li", {}, element("h4", {}, title), content);

function claims(record, onReview) {
  if (!record.claims.length && !record.unchecked.length) return element("p", {}, "There was nothing to check.");
  const found = record.claims.map((claim) => {
    const words = record.words?.claims?.[claim.id];
    const reviews = record.reviews.filter((one) => one.claim === claim.id);
    return element(
      "li",
      { class: record.flagged.includes(claim.id) ? "flagged-claim" : "" },
      element("p", {}, element("span", { class: `count ${claim.label}-count` }, NAMES[claim.label]), " ", words?.text ?? `characters ${claim.start} to ${claim.end}`),
      words?.rationale ? element("p", {}, words.rationale) : null,
      words?.claimed ? element("p", { class: "source" }, `${claim.property}: claimed ${words.claimed}, known ${words.known}`) : null,
      element("p", { class: "source" }, [`confidence ${claim.confidence.toFixed(2)}`, `by ${claim.checker}`, claim.reason?.replaceAll("_", " ")].filter(Boolean).join(" · ")),
      claim.entities.length ? element("p", { class: "source" }, "Names ", claim.entities.map((one, index) => [index ? ", " : "", element("a", { href: `#knowledge=${encodeURIComponent(one.id)}` }, one.label)])) : null,
      claim.evidence.length ? element("ul", { class: "source" }, claim.evidence.map((one) => element("li", {}, [one.property_label || one.kind, one.id, one.source, one.as_of].filter(Boolean).join(" · ")))) : null,
      reviews.map((one) => element("p", { class: "source review-line" }, `${one.reviewer}: ${one.judgement.replace("_", " ")}${one.label ? ` (${NAMES[one.label]?.toLowerCase() ?? one.label})` : ""}${one.comment ? ` – ${one.comment}` : ""}`)),
      button("Review", () => onReview(record, claim), { class: "quiet", "aria-label": `Review claim ${claim.id}` }),
    );
  });
  const unchecked = record.unchecked.map((one) => element("li", {}, element("span", { class: "count unchecked-count" }, "Not checked"), ` characters ${one.start} to ${one.end}: ${REASONS[one.reason] ?? one.reason}`));
  return element("ul", { class: "plain claims" }, found, unchecked);
}

function causes(record) {
  if (!record.reasons.length) return element("p", {}, "None.");
  return element("ul", {}, record.reasons.map((one) => element("li", {}, `“${one.rule}” asks to ${one.action}${one.claim === null ? "" : `, because of claim ${one.claim}`}`)));
}

function done(record) {
  const words = record.words ?? { before: [], after: [] };
  const edits = record.edits.map((edit, index) => element("li", {}, element("del", {}, words.before[index] ?? `${edit.start}–${edit.end}`), " → ", element("ins", {}, words.after[index] ?? `${edit.length} characters`)));
  const shadows = record.shadows.map((one) => element("li", {}, `The shadow policy ${one.policy} would ${one.action}.`));
  const acted = record.shadow ? `would have been ${record.action} (shadow)` : record.action;
  return [
    element("p", {}, `Policy ${record.policy} (${record.mode}): ${acted}. Outcome: ${OUTCOMES[record.outcome] ?? record.outcome}.`),
    record.error ? element("p", { class: "error" }, record.error) : null,
    edits.length ? element("ul", {}, edits) : null,
    shadows.length ? element("ul", {}, shadows) : null,
  ];
}

function proof(record, place) {
  const times = Object.entries(record.timing_ms).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
  const rows = [
    ["KAS", record.kas.toFixed(3)],
    ["TMS", record.claims.map((claim) => claim.tms.toFixed(2)).join(", ")],
    ["Entry", `${place.seq}, ${place.hash.slice(0, 16)}…`],
    ["Policy", record.policy_hash.slice(0, 23)],
    ["Versions", Object.entries(record.versions).filter(([name]) => name !== "policy").map(([name, version]) => `${name} ${version}`).join(", ")],
    ["Times", times.join(", ")],
  ];
  return element("dl", {}, rows.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}
