// What a verdict rests on: statements of a graph as boxes and arrows, passages with the words that carry them.

import { element, link, marked } from "/ui/dom.js";

/** `entities`: those of the report by id, for descriptions and addresses. */
export function triplets(found, entities) {
  if (!found.length) return null;
  const rows = found.map((triplet) => element("li", { class: "statement" }, statement(triplet, entities), origin(triplet.source, triplet.as_of)));
  return element("ul", { class: "plain" }, rows);
}

function statement(triplet, entities) {
  const qualified = triplet.qualifiers.map((one) => element("li", {}, element("span", {}, one.predicate.label), " ", one.object.label));
  return [
    element("span", { class: "arrowed" }, box(triplet.subject, entities), element("span", { class: "predicate" }, triplet.predicate.label), box(triplet.object, entities)),
    qualified.length ? element("ul", { class: "qualifiers", "aria-label": "Qualifiers" }, qualified) : null,
  ];
}

/** An entity with what is known of it, or a value. */
export function box(node, entities) {
  if (node.datatype || !node.id) return element("span", { class: "box value" }, node.label);
  const known = entities?.get(node.id);
  return element("span", { class: "box", title: known?.description }, link(known?.url, node.label), element("small", {}, node.id));
}

export function origin(source, asOf) {
  const where = [source, asOf ? `as of ${asOf}` : ""].filter(Boolean).join(", ");
  return where ? element("span", { class: "source" }, where) : null;
}

export function passages(found) {
  if (!found.length) return null;
  return element("div", {}, found.map(passage));
}

function passage(one) {
  const where = one.message === null || one.message === undefined ? one.source : `${one.source}, message ${one.message + 1}`;
  return element(
    "figure",
    { class: "passage" },
    element("blockquote", {}, marked(one.text, one.marks)),
    element("figcaption", { class: "source" }, link(one.url, one.title || one.id), ` · ${where}`, one.about ? ` · about ${one.about}` : "", one.as_of ? ` · as of ${one.as_of}` : ""),
  );
}

export function entityCards(found) {
  const cards = found.map((entity) =>
    element(
      "li",
      {},
      element("span", {}, link(entity.url, entity.label), " ", element("small", {}, entity.id)),
      element("small", {}, entity.description),
      element("a", { href: `#knowledge=${encodeURIComponent(entity.id)}`, class: "more" }, "What is known", element("span", { class: "hidden" }, ` of ${entity.label}`)),
    ),
  );
  return element("ul", { class: "entities" }, cards);
}
