// A text with its claims, drawn as it grows: what is judged is settled and never touched again, only the tail is redrawn.

import { element } from "/ui/dom.js";

export const NAMES = {
  attributable: "Supported",
  extrapolatory: "Open",
  contradictory: "Refuted",
  unchecked: "Not checked",
};
export const MEANINGS = {
  attributable: "Attributable: the evidence supports it",
  extrapolatory: "Extrapolatory: neither supported nor refuted",
  contradictory: "Contradictory: the evidence refutes it",
  unchecked: "Not checked",
};

export const kindOf = (claim) => claim.label ?? "unchecked";

/** Offsets are code points, as on the wire. `onPick(claim)` is called when a reader chooses one. */
export class CheckedText {
  constructor(onPick) {
    this.onPick = onPick;
    this.host = element("div", { class: "answer", role: "group", "aria-label": "Checked text", onkeydown: (event) => this.walk(event) });
    this.tail = element("span", { class: "pending" });
    this.clear();
  }

  clear() {
    this.points = [];
    this.waiting = [];
    this.marks = new Map();
    this.at = 0;
    this.checked = 0;
    this.lost = false;
    this.host.replaceChildren(this.tail);
    this.tail.textContent = "";
  }

  append(words) {
    this.points.push(...Array.from(words));
    this.soon();
  }

  /** Claims point into the model's own text; where a policy delivers other words, they wait for the report. */
  judge(claims, checked) {
    this.waiting.push(...claims);
    this.checked = checked;
    this.soon();
  }

  /** The whole text at once. */
  draw(text, claims, edits = []) {
    this.clear();
    this.points = Array.from(text);
    this.waiting = [...claims].sort((a, b) => a.start - b.start);
    this.checked = this.points.length;
    this.edits = edits;
    this.settle();
    this.edits = [];
  }

  soon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.settle();
    });
  }

  settle() {
    const parts = [];
    while (this.waiting.length && !this.lost) {
      const claim = this.waiting[0];
      if (claim.end > this.points.length) break;
      this.waiting.shift();
      if (claim.start < this.at) continue;
      const words = this.points.slice(claim.start, claim.end).join("");
      if (claim.text !== undefined && words !== claim.text) {
        this.lost = true;
        break;
      }
      if (claim.start > this.at) parts.push(this.points.slice(this.at, claim.start).join(""));
      parts.push(this.mark(claim, changed(this.points, claim, this.edits ?? [])));
      this.at = claim.end;
    }
    const upTo = Math.min(this.lost ? this.at : this.checked, this.points.length);
    if (upTo > this.at && !this.waiting.length) {
      parts.push(this.points.slice(this.at, upTo).join(""));
      this.at = upTo;
    }
    this.tail.before(...parts);
    this.tail.textContent = this.points.slice(this.at).join("");
  }

  mark(claim, words) {
    const kind = kindOf(claim);
    const pick = () => this.pick(claim);
    const made = element(
      "span",
      {
        class: `claim ${kind}`,
        role: "button",
        tabindex: this.marks.size ? "-1" : "0",
        "aria-pressed": "false",
        "aria-description": MEANINGS[kind],
        onclick: pick,
      },
      words,
    );
    this.marks.set(made, claim);
    return made;
  }

  pick(claim) {
    for (const [mark, one] of this.marks) {
      const here = one === claim;
      if ((mark.getAttribute("aria-pressed") === "true") !== here) mark.setAttribute("aria-pressed", String(here));
      mark.tabIndex = here ? 0 : -1;
    }
    this.onPick(claim);
  }

  /** Arrow keys walk from claim to claim; Enter and the space bar explain the one in focus. */
  walk(event) {
    const claim = this.marks.get(event.target);
    if (!claim) return;
    const marks = [...this.marks.keys()];
    const here = marks.indexOf(event.target);
    const steps = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: marks.length - 1 };
    if (event.key === "Enter" || event.key === " ") this.pick(claim);
    else if (event.key in steps) {
      const next = marks[steps[event.key]];
      if (next) {
        event.target.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
    } else return;
    event.preventDefault();
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
