// What the lines under the words mean: one vocabulary for every view.

import { element } from "/ui/dom.js";
import { MEANINGS } from "/ui/words.js";

/** Every label with the line and the sign that a claim of it has. */
export function legend() {
  const rows = Object.entries(MEANINGS).map(([kind, meaning]) => {
    const [name, more] = meaning.split(": ");
    return element("li", {}, element("span", { class: `sign ${kind}-sign` }, name), more ? ` ${more}` : "");
  });
  return element("ul", { class: "key", "aria-label": "What the colours mean" }, rows);
}
