// The review of flagged claims by keyboard: a agree, s wrong span, u unclear; 1 to 3 the right label where it is wrong;
// c comment, n next, p previous; r leads to the queue. Keys judge only what is in sight.

import { button, element, moment } from "/ui/dom.js";
import { json } from "/ui/wire.js";
import { MEANINGS, NAMES } from "/ui/words.js";

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
const REMEMBERED = "guardrail-reviewer";

export class ReviewQueue {
  /** `onJudged()` is called when a review is on record. */
  constructor(onJudged) {
    this.onJudged = onJudged;
    this.items = [];
    this.at = 0;
    this.reviewer = element("input", { id: "reviewer", autocomplete: "username", value: localStorage.getItem(REMEMBERED) ?? "" });
    this.comment = element("input", { id: "comment", autocomplete: "off" });
    this.said = element("p", { class: "source", role: "status", id: "review-said" });
    this.place = element("div", { "aria-live": "polite" });
    const name = element("div", { class: "field" }, element("label", { for: "reviewer" }, "Your name"), this.reviewer);
    this.host = element("section", { class: "sheet", id: "review", "aria-label": "Review", tabindex: "-1" }, element("div", { class: "row" }, element("h3", { class: "grow" }, "Review queue"), name), this.place, this.said);
    this.reviewer.addEventListener("change", () => localStorage.setItem(REMEMBERED, this.reviewer.value.trim()));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Flagged claims of these records, one after another; those of records without a review come first. */
  fill(records) {
    const ordered = [...records].sort((a, b) => Number(a.reviewed) - Number(b.reviewed));
    this.items = ordered.flatMap((record) => record.flagged.map((id) => ({ record, claim: record.claims.find((one) => one.id === id) })));
    this.at = 0;
    this.draw();
  }

  /** One claim now, whatever stands in the queue. */
  take(record, claim) {
    const found = this.items.findIndex((item) => item.record.id === record.id && item.claim.id === claim.id);
    if (found < 0) this.items.splice(this.at, 0, { record, claim });
    else this.at = found;
    this.draw();
    this.show();
  }

  show() {
    this.host.scrollIntoView({ block: "nearest" });
    this.host.focus({ preventScroll: true });
  }

  /** Whether the claim that a key would judge can be seen. */
  get seen() {
    const { top, bottom } = this.place.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  draw() {
    const item = this.items[this.at];
    if (!item) {
      this.place.replaceChildren(element("p", {}, this.items.length ? "Nothing left to review." : "No flagged claim among these records."));
      return;
    }
    const { record, claim } = item;
    const words = record.words?.claims?.[claim.id];
    this.comment.value = "";
    this.place.replaceChildren(
      element("p", { class: "source" }, `${this.at + 1} of ${this.items.length} · ${moment(record.time)} · ${record.id}`),
      element("blockquote", { class: "judged" }, words?.text ?? "(text not stored)"),
      element("p", {}, element("span", { class: `count ${claim.label}-count`, title: MEANINGS[claim.label] }, NAMES[claim.label]), ` ${claim.property ?? ""}`),
      element("p", {}, words?.rationale ?? ""),
      words?.claimed ? element("p", { class: "source" }, `claimed ${words.claimed}, known ${words.known}`) : null,
      element("ul", { class: "source" }, claim.evidence.map((one) => element("li", {}, [one.property_label, one.source, one.as_of].filter(Boolean).join(" · ")))),
      this.controls(claim),
    );
  }

  controls(claim) {
    const judge = JUDGEMENTS.map(([key, name, text]) => button([text, keyed(key)], () => this.judge(name)));
    const right = LABELS.filter(([, label]) => label !== claim.label).map(([key, label]) => button([`Should be ${NAMES[label].toLowerCase()}`, keyed(key)], () => this.judge("wrong_label", label)));
    const comment = element("div", { class: "field grow" }, element("label", { for: "comment" }, "Comment (optional)", keyed("c")), this.comment);
    const walk = [button(["Previous", keyed("p")], () => this.go(-1), { disabled: this.at === 0 }), button(["Next", keyed("n")], () => this.go(1))];
    return element("div", {}, element("div", { class: "tools" }, judge, right), element("div", { class: "row" }, comment, walk));
  }

  go(step) {
    this.at = Math.max(0, Math.min(this.items.length, this.at + step));
    this.draw();
  }

  async judge(judgement, label) {
    const { record, claim } = this.items[this.at];
    const reviewer = this.reviewer.value.trim();
    if (!reviewer) {
      this.said.textContent = "Enter your name first: a review says whose it is.";
      this.reviewer.focus();
      return;
    }
    try {
      await json(`/guardrail/audit/${encodeURIComponent(record.id)}/reviews`, { claim: claim.id, judgement, reviewer, label, comment: this.comment.value });
      this.said.textContent = `Recorded: ${label ? `should be ${NAMES[label].toLowerCase()}` : judgement.replace("_", " ")}.`;
      this.go(1);
      await this.onJudged();
    } catch (error) {
      this.said.textContent = error.message;
    }
  }

  key(event) {
    const typing = event.target.closest("input, textarea, select");
    if (typing === this.comment && event.key === "Escape") this.comment.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.host.offsetParent) return;
    if (event.key === "r") this.show();
    if (!this.items[this.at] || !this.seen) return;
    const found = JUDGEMENTS.find(([key]) => key === event.key);
    const label = LABELS.find(([key]) => key === event.key);
    if (found) this.judge(found[1]);
    else if (label) this.judge("wrong_label", label[1]);
    else if (event.key === "c") this.comment.focus();
    else if (event.key === "n") this.go(1);
    else if (event.key === "p") this.go(-1);
    else return;
    event.preventDefault();
  }
}

const keyed = (key) => element("kbd", {}, key);
