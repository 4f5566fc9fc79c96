// The KAS as a half circle: left everything wrong, middle nothing known either way, right everything confirmed.

import { drawn, element } from "/ui/dom.js";

const RADIUS = 40;

const COLOURS = { flagged: "contradictory", confirmed: "attributable" };

/** Its length is the score, its colour the outcome: however high the score is, nothing wrong is shown in green. */
export function gauge(kas, outcome) {
  const zone = COLOURS[outcome] ?? "extrapolatory";
  const words = `KAS ${kas.toFixed(3)} of 1; 0.5 is neutral`;
  const picture = drawn(
    "svg",
    { viewBox: "0 0 100 56", role: "img", "aria-label": words },
    drawn("path", { class: "track", d: arc(0, 1) }),
    drawn("path", { class: `reach ${zone}-line`, d: arc(0, Math.max(0.01, kas)) }),
    drawn("line", { class: "neutral", x1: 50, y1: 4, x2: 50, y2: 14 }),
  );
  const title = "Knowledge attribution score: 0 is all wrong, 0.5 neutral, 1 all confirmed";
  return element("div", { class: "kas", title }, picture, element("span", { "aria-hidden": "true" }, element("b", {}, kas.toFixed(2)), " KAS"));
}

function arc(from, to) {
  const [start, end] = [from, to].map((share) => {
    const angle = Math.PI * (1 - share);
    return `${(50 + RADIUS * Math.cos(angle)).toFixed(2)} ${(50 - RADIUS * Math.sin(angle)).toFixed(2)}`;
  });
  return `M ${start} A ${RADIUS} ${RADIUS} 0 0 1 ${end}`;
}
