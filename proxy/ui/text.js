// A text with its claims, drawn as it grows: what is judged is settled and never touched again, only the tail is redrawn.
// No frame draws more than SLICE claims, so that a long report leaves the page usable meanwhile.

import { element } from "/ui/dom.js";
import { MEANINGS } from "/ui/words.js";

const SLICE = 100;

export const kindOf = (claim) => claim.label ?? "unchecked";

/** Offsets are code points, as on the wire. `onPick(claim, mark)` is called when a reader chooses one: it, and its words. */
export class CheckedText {
  constructor(onPick) {
    this.onPick = onPick;
    this.host = element("div", { class: "answer", role: "group", "aria-label": "Checked text", onclick: (event) => this.click(event), onkeydown: (event) => this.walk(event) });
    this.tail = element("span", { class: "pending" });
    this.clear();
  }

  clear() {
    this.points = [];
    this.waiting = [];
    this.edits = [];
    this.marks = new Map();
    this.stop = null;
    this.first = null;
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

  /** The whole text at once; `first`: the claim at which the Tab key stops. */
  draw(text, claims, { edits = [], first = null } = {}) {
    this.clear();
    this.first = first;
    this.points = Array.from(text);
    this.waiting = [...claims].sort((a, b) => a.start - b.start);
    this.checked = this.points.length;
    this.edits = edits;
    this.settle();
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
    for (let drawn = 0; this.waiting.length && !this.lost; drawn += 1) {
      if (drawn === SLICE) {
        this.soon();
        break;
      }
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
      parts.push(this.mark(claim, changed(this.points, claim, this.edits)));
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
    const made = element("span", { class: `claim ${kind}`, role: "button", tabindex: "-1", "aria-haspopup": "dialog", "aria-expanded": "false", "aria-description": MEANINGS[kind] }, words);
    this.marks.set(made, claim);
    if (!this.stop || claim === this.first) this.rest(made);
    return made;
  }

  /** The one claim at which the Tab key stops; from there the arrow keys lead on. */
  rest(mark) {
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = mark;
    mark.tabIndex = 0;
  }

  pick(claim) {
    const found = [...this.marks].find(([, one]) => one === claim);
    if (!found) return;
    this.rest(found[0]);
    this.onPick(claim, found[0]);
  }

  click(event) {
    const claim = this.marks.get(event.target.closest(".claim"));
    if (claim) this.pick(claim);
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
        this.rest(next);
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
