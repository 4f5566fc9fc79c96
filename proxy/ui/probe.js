// A sentence that is checked again after every change, with the verdict before and after.

import { element, field } from "/ui/dom.js";
import { verify } from "/ui/wire.js";
import { MEANINGS, NAMES } from "/ui/words.js";

export class Probe {
  constructor() {
    this.text = element("input", { autocomplete: "off", required: true });
    this.told = element("div", { role: "status", id: "probe-verdicts" });
    this.before = null;
    this.host = element("form", { class: "sheet", id: "probe" }, element("h3", { class: "wide" }, "Try a sentence"), field("It is checked again after every change", this.text, { grow: true }), element("button", {}, "Check"), element("div", { class: "wide" }, this.told));
    this.host.addEventListener("submit", (event) => {
      event.preventDefault();
      this.before = null;
      this.again();
    });
  }

  /** Puts a sentence in, and checks it. */
  try(sentence) {
    this.text.value = sentence;
    this.before = null;
    return this.again();
  }

  async again() {
    if (!this.text.value) return;
    try {
      const report = await verify({ text: this.text.value, sources: ["kg", "corpus"] });
      const now = report.claims[0] ?? null;
      const was = this.before;
      this.before = now;
      const rows = was && now && was.label !== now.label ? [verdict("before", was), verdict("now", now)] : [verdict("now", now)];
      this.told.replaceChildren(...rows);
    } catch (error) {
      this.told.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
    }
  }
}

function verdict(when, claim) {
  if (!claim) return element("p", {}, "It contains no claim.");
  return element("p", {}, element("small", {}, `${when}: `), element("span", { class: `count ${claim.label}-count`, title: MEANINGS[claim.label] }, NAMES[claim.label]), " ", element("span", { class: "source" }, claim.rationale));
}
