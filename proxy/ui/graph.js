// The evidence of a text as a graph: entities, values, and the statements between them, laid out by dagre.

import { cut, drawn, element } from "/ui/dom.js";
import { Graph, layout } from "/ui/vendor/dagre.js";

const MOST = 24;
const HEIGHT = 30;
const LETTER = 7.2;

/** `named`: the entities that the text names; the others lie on the way between them. */
export function graph(triplets, named) {
  const distinct = [...new Map(triplets.map((one) => [`${key(one.subject)}|${one.predicate.id}|${key(one.object)}`, one])).values()];
  const shown = distinct.slice(0, MOST);
  const nodes = hops(shown, new Set(named.map((entity) => entity.id)));
  const laid = arranged(shown, nodes);
  const more = distinct.length > MOST ? ` The first ${MOST} of ${distinct.length} statements.` : "";
  return element(
    "div",
    {},
    element("h3", {}, "The evidence as a graph"),
    element("div", { class: "graph-frame", tabindex: "0", role: "group", "aria-label": "Graph of the evidence; scrolls" }, picture(laid, nodes, shown)),
    element("p", { class: "source legend" }, element("span", { class: "named-key" }, "named in the text"), element("span", { class: "way-key" }, "on the way"), element("span", { class: "value-key" }, "value"), more),
  );
}

const key = (node) => node.id || `=${node.label}`;

/** Every node with its distance from the nearest entity that the text names, in statements. */
function hops(triplets, named) {
  const nodes = new Map();
  for (const { subject, object } of triplets) {
    for (const node of [subject, object]) nodes.set(key(node), { label: node.label, value: !node.id || Boolean(node.datatype), hop: named.has(node.id) ? 0 : Infinity });
  }
  for (let hop = 1, changed = true; changed; hop += 1) {
    changed = false;
    for (const { subject, object } of triplets) {
      const ends = [nodes.get(key(subject)), nodes.get(key(object))];
      for (const [one, other] of [ends, [...ends].reverse()]) {
        if (one.hop === hop - 1 && other.hop === Infinity) {
          other.hop = hop;
          changed = true;
        }
      }
    }
  }
  return nodes;
}

function arranged(triplets, nodes) {
  const laid = new Graph({ multigraph: true });
  laid.setGraph({ rankdir: "LR", nodesep: 14, edgesep: 10, ranksep: 34, marginx: 6, marginy: 6 });
  laid.setDefaultEdgeLabel(() => ({}));
  for (const [id, node] of nodes) laid.setNode(id, { width: cut(node.label, 28).length * LETTER + 24, height: HEIGHT });
  triplets.forEach(({ subject, predicate, object }, index) => {
    laid.setEdge(key(subject), key(object), { width: cut(predicate.label, 24).length * 6 + 8, height: 16, labelpos: "c" }, String(index));
  });
  layout(laid);
  return laid;
}

function picture(laid, nodes, triplets) {
  const { width, height } = laid.graph();
  const words = triplets.map((one) => `${one.subject.label}, ${one.predicate.label}, ${one.object.label}`).join("; ");
  const lines = laid.edges().flatMap((place) => line(laid.edge(place), triplets[Number(place.name)].predicate.label));
  const boxes = laid.nodes().map((id) => box(laid.node(id), nodes.get(id)));
  const tip = drawn("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, drawn("path", { d: "M0 0 8 4 0 8z" }));
  return drawn("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": words }, drawn("defs", {}, tip), ...lines, ...boxes);
}

function line(edge, label) {
  const [first, ...rest] = edge.points;
  const path = rest.map((point) => `L ${point.x} ${point.y}`).join(" ");
  return [
    drawn("path", { class: "edge", d: `M ${first.x} ${first.y} ${path}`, "marker-end": "url(#tip)" }),
    drawn("rect", { class: "edge-ground", x: edge.x - edge.width / 2, y: edge.y - 8, width: edge.width, height: 16 }),
    drawn("text", { class: "edge-label", x: edge.x, y: edge.y + 3.5, "text-anchor": "middle" }, cut(label, 24)),
  ];
}

function box({ x, y, width, height }, node) {
  const kind = node.value ? "value" : node.hop === 0 ? "named" : "way";
  const told = node.value ? node.label : `${node.label}: ${node.hop === 0 ? "named in the text" : node.hop === Infinity ? "not joined to the text" : `${node.hop} ${node.hop === 1 ? "step" : "steps"} from it`}`;
  return drawn(
    "g",
    { class: kind },
    drawn("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: node.value ? 3 : 15 }),
    drawn("text", { x, y: y + 4.5, "text-anchor": "middle" }, cut(node.label, 28)),
    drawn("title", {}, told),
  );
}
