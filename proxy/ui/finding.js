// The finding opens at the words: a popover beside them, a sheet at the bottom of a narrow screen. Escape closes it, and
// the focus is at the words again.

import { button, element } from "/ui/dom.js";

const NARROW = matchMedia("(max-width: 40rem)");
const GAP = 8;
const LEAST = 220;

/** `onStep(by)` is called for the claim before (-1) and after (1) the one that is shown. */
export class Finding {
  constructor(onStep) {
    this.mark = null;
    this.body = element("div");
    this.place = element("small");
    const step = (by, sign, name) => button(sign, () => onStep(by), { class: "quiet", "aria-label": name });
    const head = element("div", { class: "row finding-head" }, this.place, step(-1, "←", "Previous statement"), step(1, "→", "Next statement"), button("✕", () => this.close(), { class: "quiet", "aria-label": "Close" }));
    this.host = element("div", { class: "finding", popover: "auto", role: "dialog", "aria-label": "Why", tabindex: "-1" }, head, this.body);
    this.host.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.target !== this.host) return;
      event.preventDefault();
      onStep(by);
    });
    this.host.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !this.host.contains(event.relatedTarget)) this.close();
    });
    this.host.addEventListener("beforetoggle", (event) => {
      if (event.newState === "closed") this.leave();
    });
  }

  /** `mark`: the words; `place`: which of how many; `parts`: what is said of them. */
  open(mark, place, parts) {
    this.mark?.setAttribute("aria-expanded", "false");
    this.mark = mark;
    mark.setAttribute("aria-expanded", "true");
    this.place.textContent = place;
    this.body.replaceChildren(...parts);
    this.host.showPopover();
    this.host.scrollTop = 0;
    this.put(mark);
    this.host.focus({ preventScroll: true });
  }

  close() {
    if (this.host.matches(":popover-open")) this.host.hidePopover();
  }

  leave() {
    const { mark } = this;
    this.mark = null;
    mark?.setAttribute("aria-expanded", "false");
    if (this.host.contains(document.activeElement)) mark?.focus({ preventScroll: true });
  }

  /** Below the words, above them where there is more room; it scrolls along with the page. A sheet leaves the words in sight. */
  put(mark) {
    const { style } = this.host;
    style.left = style.top = style.maxHeight = "";
    const words = mark.getBoundingClientRect();
    const own = this.host.getBoundingClientRect();
    if (NARROW.matches) {
      window.scrollBy(0, Math.max(0, words.bottom + GAP - own.top));
      return;
    }
    const below = innerHeight - words.bottom - 2 * GAP;
    const above = words.top - 2 * GAP;
    const under = own.height <= below || below >= above;
    const height = Math.min(own.height, Math.max(LEAST, under ? below : above));
    const left = Math.max(GAP, Math.min(mark.getClientRects()[0].left, document.documentElement.clientWidth - own.width - GAP));
    style.maxHeight = `${height}px`;
    style.left = `${left + scrollX}px`;
    style.top = `${(under ? words.bottom + GAP : words.top - height - GAP) + scrollY}px`;
  }
}
