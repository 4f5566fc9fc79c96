// What can be done about a statement that is not known: a fact, a document, another look by a language model.

import { element } from "/ui/dom.js";

/** The ways to an answer, for a claim as in a report. */
export function advice(claim) {
  const [about] = claim.entities ?? [];
  const fact = about
    ? element("a", { href: `#knowledge=${encodeURIComponent(about.id)}` }, `Add a fact about ${about.label}`)
    : element("a", { href: "#knowledge" }, "Look up what is known, and add a fact");
  const rows = [
    [fact, " to the knowledge graph (administrators)."],
    [element("a", { href: "#playground" }, "Add a document"), " as a reference in the playground, or for all answers: ", element("code", {}, "guardrail corpus index FOLDER")],
    ["Ask a language model for a second look: ", element("code", {}, "guardrail serve --checker-model NAME --checker-url ADDRESS")],
  ];
  return element("div", { class: "part advice" }, element("h4", {}, "To find out"), element("ul", {}, rows.map((row) => element("li", {}, row))));
}
