// Small charts in SVG. Each says in words what it shows, and has its numbers in a table beneath.

import { drawn, element } from "/ui/dom.js";

const WIDTH = 340;
const HEIGHT = 130;
const LEFT = 34;
const BASE = 108;
const TOP = 8;

/** Answers over time, the flagged ones of them dark. */
export function flags(buckets) {
  const most = Math.max(1, ...buckets.map((one) => one.answers));
  const step = (WIDTH - LEFT) / buckets.length;
  const bars = buckets.flatMap((one, index) => [
    bar("all", LEFT + index * step, step, one.answers / most, `${when(one.start)}: ${one.answers} answers, ${one.flagged} flagged`),
    bar("flagged", LEFT + index * step, step, one.flagged / most, `${when(one.start)}: ${one.flagged} flagged`),
  ]);
  const [answers, flagged] = ["answers", "flagged"].map((name) => buckets.reduce((sum, one) => sum + one[name], 0));
  const share = answers ? Math.round((100 * flagged) / answers) : 0;
  const rows = buckets.filter((one) => one.answers).map((one) => [when(one.start), one.answers, one.flagged]);
  return figure(`${share} % of answers flagged`, [...axis(String(most)), ...bars, ...span(buckets)], ["From", "Answers", "Flagged"], rows);
}

/** Answers by tenths of KAS, in no colour of a verdict: a high score may stand beside a wrong claim. */
export function scores(kas) {
  const most = Math.max(1, ...kas);
  const step = (WIDTH - LEFT) / kas.length;
  const bars = kas.map((count, index) => bar("all", LEFT + index * step, step, count / most, `KAS ${index / 10} to ${(index + 1) / 10}: ${count} answers`));
  const ticks = [0, 0.5, 1].map((at) => label(LEFT + at * (WIDTH - LEFT - 2), BASE + 15, String(at), at === 0 ? "start" : at === 1 ? "end" : "middle"));
  const rows = kas.map((count, index) => [`${index / 10} to ${(index + 1) / 10}`, count]).filter(([, count]) => count);
  return figure("KAS of answers", [...axis(String(most)), ...bars, ...ticks], ["KAS", "Answers"], rows);
}

/** The middle and the slow end of the time that checking took. */
export function latency(buckets) {
  const seen = buckets.map((one, index) => ({ ...one, index })).filter((one) => one.p95 !== null);
  const most = Math.max(1, ...seen.map((one) => one.p95));
  const step = (WIDTH - LEFT) / Math.max(1, buckets.length);
  const at = (one, name) => [LEFT + (one.index + 0.5) * step, BASE - (one[name] / most) * (BASE - TOP)];
  const lines = ["p95", "p50"].flatMap((name) => {
    const points = seen.map((one) => at(one, name));
    return [drawn("polyline", { class: name, points: points.map((point) => point.join(" ")).join(", ") }), ...points.map(([x, y]) => drawn("circle", { class: name, cx: x, cy: y, r: 2 }))];
  });
  const rows = seen.map((one) => [when(one.start), one.p50, one.p95]);
  return figure("Checking, in ms: half of the answers (solid), 95 % (dashed)", [...axis(shown(most)), ...lines, ...span(buckets)], ["From", "Median", "95 %"], rows);
}

/** The properties that were found wrong most often; `pick(property)` on a click. */
export function wrongs(contradicted, pick) {
  const most = Math.max(1, ...contradicted.map(([, count]) => count));
  const rows = contradicted.map(([name, count]) =>
    element("li", {}, element("button", { type: "button", class: "quiet", onclick: () => pick(name) }, name), element("meter", { min: 0, max: most, value: count, "aria-label": `${name}: ${count}` }), element("span", {}, String(count))),
  );
  return element("figure", { class: "chart sheet" }, element("figcaption", {}, "Most often wrong"), rows.length ? element("ol", { class: "plain wrongs" }, rows) : element("p", { class: "source" }, "Nothing was wrong."));
}

function figure(caption, parts, heads, rows) {
  const words = `${caption}. ${rows.length ? rows.map((row) => row.join(", ")).join("; ") : "No data"}`;
  const head = element("tr", {}, heads.map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map((row) => element("tr", {}, row.map((cell) => element("td", {}, shown(cell)))));
  const numbers = element("details", {}, element("summary", {}, "Numbers"), element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, body))));
  return element("figure", { class: "chart sheet" }, element("figcaption", {}, caption), drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words }, parts), numbers);
}

function bar(kind, x, width, share, told) {
  const height = share * (BASE - TOP);
  const made = drawn("rect", { class: kind, x: x + width * 0.08, y: BASE - height, width: width * 0.84, height });
  made.append(drawn("title", {}, told));
  return made;
}

function axis(most) {
  return [drawn("line", { class: "axis", x1: LEFT, y1: BASE, x2: WIDTH, y2: BASE }), label(LEFT - 5, TOP + 8, most, "end"), label(LEFT - 5, BASE, "0", "end")];
}

function span(buckets) {
  if (!buckets.length) return [];
  const ends = [label(LEFT, BASE + 15, when(buckets[0].start), "start")];
  if (buckets.length > 1) ends.push(label(WIDTH, BASE + 15, when(buckets.at(-1).start), "end"));
  return ends;
}

const label = (x, y, text, anchor) => drawn("text", { x, y, "text-anchor": anchor }, text);

const when = (iso) => new Date(iso).toLocaleString(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

const shown = (value) => (typeof value === "number" && !Number.isInteger(value) ? value.toFixed(1) : String(value));
