// The evidence as a small graph: entities and values in columns by their distance from the most connected one.

import { drawn, element } from "/ui/dom.js";

const MOST = 24;
const WIDTH = 190;
const HEIGHT = 44;

export function graph(triplets) {
  const seen = new Map();
  const edges = [];
  for (const triplet of triplets.slice(0, MOST)) {
    const ends = [triplet.subject, triplet.object].map((end) => {
      const key = end.id || end.label;
      if (!seen.has(key)) seen.set(key, { key, label: end.label, value: !end.id, near: new Set() });
      return seen.get(key);
    });
    if (edges.some((edge) => edge.from === ends[0] && edge.to === ends[1] && edge.label === triplet.predicate.label)) continue;
    ends[0].near.add(ends[1]);
    ends[1].near.add(ends[0]);
    edges.push({ from: ends[0], to: ends[1], label: triplet.predicate.label });
  }
  const columns = layers([...seen.values()]);
  place(columns);
  return element("div", {}, element("h3", {}, "The evidence as a graph"), picture(columns, edges));
}

/** Breadth first from the most connected node of each part: a column for each hop. */
function layers(nodes) {
  const columns = [];
  const done = new Set();
  const roots = [...nodes].sort((a, b) => b.near.size - a.near.size);
  for (const root of roots) {
    if (done.has(root)) continue;
    done.add(root);
    let column = [root];
    for (let hop = 0; column.length; hop += 1) {
      columns[hop] = [...(columns[hop] ?? []), ...column];
      column = column.flatMap((node) => [...node.near].filter((next) => !done.has(next) && done.add(next)));
    }
  }
  return columns;
}

function place(columns) {
  const tallest = Math.max(...columns.map((column) => column.length));
  columns.forEach((column, hop) =>
    column.forEach((node, row) => {
      node.x = hop * (WIDTH + 90) + WIDTH / 2 + 10;
      node.y = ((row + 0.5) * tallest * HEIGHT) / column.length + 10;
    }),
  );
}

function picture(columns, edges) {
  const tallest = Math.max(...columns.map((column) => column.length));
  const box = `0 0 ${columns.length * (WIDTH + 90) - 70} ${tallest * HEIGHT + 20}`;
  const words = edges.map((edge) => `${edge.from.label} ${edge.label} ${edge.to.label}`).join("; ");
  const lines = edges.flatMap((edge) => [
    drawn("line", { x1: edge.from.x, y1: edge.from.y, x2: edge.to.x, y2: edge.to.y }),
    labelled({ x: (edge.from.x + edge.to.x) / 2, y: (edge.from.y + edge.to.y) / 2 - 4, "text-anchor": "middle", class: "edge-label" }, cut(edge.label, 18)),
  ]);
  const boxes = columns.flat().map((node) =>
    drawn(
      "g",
      { class: node.value ? "value" : "entity" },
      drawn("rect", { x: node.x - WIDTH / 2, y: node.y - 14, width: WIDTH, height: 28, rx: 6 }),
      labelled({ x: node.x, y: node.y + 4, "text-anchor": "middle" }, cut(node.label, 26)),
      drawn("title", {}, node.label),
    ),
  );
  return drawn("svg", { class: "graph", viewBox: box, role: "img", "aria-label": words }, ...lines, ...boxes);
}

const labelled = (properties, text) => drawn("text", properties, text);

const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
