// What people read in place of the names of the API: of labels, outcomes and reasons.

export const NAMES = {
  attributable: "Confirmed",
  extrapolatory: "Not known",
  contradictory: "Wrong",
  unchecked: "Not checked",
};
export const MEANINGS = {
  attributable: "Confirmed: the evidence supports it",
  extrapolatory: "Not known: the evidence neither supports nor refutes it",
  contradictory: "Wrong: the evidence refutes it",
  unchecked: "Not checked: this text was not read, so it counts neither as right nor as wrong",
};

/** Of a whole answer. Old records have others, which are shown as they are. */
export const OUTCOMES = {
  flagged: "flagged",
  not_checked: "not everything was checked",
  unconfirmed: "not everything is confirmed",
  confirmed: "everything is confirmed",
  not_checkable: "there was nothing to check",
};

/** Reasons for not checking a text, each in one sentence for the reader of the page. */
export const REASONS = {
  deadline: "The check took too long.",
  error: "The check failed.",
  overload: "Too many checks were waiting.",
  cancelled: "The answer was cut off.",
  disabled: "The check is switched off.",
  language: "It is not in English.",
  unread: "It states something that could not be read.",
  code: "It is code that names things from the knowledge; what it says about them was not read.",
};

/** What was found, the worst first, as [kind, words]: "1 wrong", "3 confirmed", or "3 of 5 confirmed" where only open ones are left. */
export function headline(counts) {
  const open = counts.extrapolatory > 0 && counts.contradictory === 0;
  const parts = [
    ["contradictory", counts.contradictory, counts.contradictory > 0],
    ["attributable", open ? `${counts.attributable} of ${counts.claims}` : counts.attributable, open || counts.attributable > 0],
    ["extrapolatory", counts.extrapolatory, counts.extrapolatory > 0],
    ["unchecked", counts.unchecked, counts.unchecked > 0],
  ];
  return parts.filter(([, , told]) => told).map(([kind, number]) => [kind, `${number} ${NAMES[kind].toLowerCase()}`]);
}

/** Why a record has no words, or not those of the whole answer. */
export function withoutWords({ store, flagged }) {
  if (store === "hash") return "Text not stored: the policy stores only hashes.";
  if (store === "flagged" && !flagged.length) return "Text not stored: nothing was flagged.";
  return store === "flagged" ? "Only the text of flagged claims is stored." : "The text was erased.";
}

/** How many claims of an audit record have which label; as `counts` of a report. */
export function counted(record) {
  const counts = { claims: record.claims.length, attributable: 0, extrapolatory: 0, contradictory: 0, unchecked: record.unchecked.length };
  for (const claim of record.claims) counts[claim.label] += 1;
  return counts;
}
