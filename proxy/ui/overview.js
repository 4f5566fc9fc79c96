// The first look at what is known: how much, some examples, what the properties are taken for; for the admin also ways to add to it.

import { button, element, field } from "/ui/dom.js";
import { Documents } from "/ui/documents.js";
import { Import } from "/ui/importing.js";
import { door } from "/ui/login.js";
import { get, json, session } from "/ui/wire.js";

const COUNTED = { statements: "facts", entities: "things", properties: "properties", aliases: "names" };

export class FirstLook {
  constructor(probe) {
    this.probe = probe;
    this.graphs = element("div", { class: "graphs" });
    this.beside = element("div", { class: "beside" });
    this.host = element("div", { class: "columns" }, this.graphs, this.beside);
    this.schemas = [];
    const changed = () => this.changed();
    this.importing = new Import(changed);
    this.documents = new Documents(changed);
  }

  async draw() {
    const forms = session.state.admin ? [this.importing.host, this.documents.host] : [door("Only administrators can add files and change properties.")];
    this.beside.replaceChildren(this.probe.host, ...forms);
    if (session.state.admin) this.documents.draw();
    try {
      const { graphs } = await get("/guardrail/knowledge/overview");
      this.schemas = graphs.map((_, place) => new Schema(place, this));
      this.graphs.replaceChildren(...graphs.map((graph, place) => this.graph(graph, place)));
    } catch (error) {
      this.graphs.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
    }
  }

  graph(graph, place) {
    const counts = graph.counts && Object.entries(COUNTED).map(([name, words]) => element("div", {}, element("dt", {}, words), element("dd", {}, graph.counts[name].toLocaleString())));
    const examples = graph.examples.map((one) =>
      element(
        "li",
        {},
        element("a", { href: `#knowledge=${encodeURIComponent(one.id)}` }, one.label),
        element("small", {}, ` ${one.fact.predicate}: ${one.fact.object}`),
        " ",
        button("Try it", () => this.probe.try(`The ${one.fact.predicate} of ${one.label} is ${one.fact.object}.`), { class: "quiet", "aria-label": `Try it: a sentence about ${one.label}` }),
      ),
    );
    return element(
      "article",
      { class: "sheet", "aria-label": graph.name },
      element("h3", { class: "name" }, graph.name),
      counts ? element("dl", { class: "counts" }, counts) : element("p", { class: "source" }, "It is asked over the network and cannot be counted."),
      examples.length ? [element("h4", {}, "Some of it"), element("ul", { class: "plain found" }, examples)] : counts && element("p", {}, "Nothing is in it yet."),
      counts ? this.schemas[place].host : null,
    );
  }

  /** After something was added or declared. */
  async changed() {
    const open = this.schemas.map((one) => one.host.open);
    await Promise.all([this.draw(), this.probe.again()]);
    this.schemas.forEach((one, place) => {
      one.host.open = open[place] ?? false;
    });
  }
}

/** The properties of one graph with what was understood, each of which can be changed. */
class Schema {
  constructor(place, look) {
    this.place = place;
    this.look = look;
    this.body = element("div", {});
    this.host = element("details", { class: "schema" }, element("summary", {}, "Properties, and what they are taken for"), this.body);
    this.host.addEventListener("toggle", () => this.host.open && this.draw());
  }

  async draw() {
    try {
      const told = await get(`/guardrail/knowledge/schema?graph=${this.place}`);
      this.body.replaceChildren(...[faults(told.faults), element("p", { class: "source" }, told.summary), understood(told.properties, session.state.admin ? (one, row) => this.change(one, row) : null)].filter(Boolean));
    } catch (error) {
      this.body.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
    }
  }

  /** A form under the property's row. */
  change(one, row) {
    if (row.nextElementSibling?.classList.contains("changing")) {
      row.nextElementSibling.remove();
      return;
    }
    const many = element("select", {}, element("option", { value: "single" }, "one"), element("option", { value: "list" }, "several"));
    const before = one.cardinality === "single" ? "single" : "list";
    many.value = before;
    const ticked = (checked) => {
      const made = element("input", { type: "checkbox" });
      made.checked = checked;
      return made;
    };
    const flags = { temporal: ticked(one.temporal), complete: ticked(one.complete), hierarchical: ticked(one.hierarchical) };
    const words = { temporal: "it changes with time", complete: "its lists name every value", hierarchical: "it leads from the smaller to the larger" };
    const unit = element("input", { autocomplete: "off", value: one.unit ?? "" });
    const alias = element("input", { autocomplete: "off" });
    const told = element("p", { class: "error wide", role: "alert" });
    const form = element(
      "form",
      { class: "declare" },
      field("Values of one thing", many),
      field("Unit of bare numbers", unit),
      field("Also called", alias),
      Object.entries(flags).map(([name, box]) => element("label", {}, box, ` ${words[name]}`)),
      element("button", { class: "primary" }, "Change"),
      told,
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const said = { id: one.id, graph: this.place };
      if (many.value !== before) said.cardinality = many.value;
      for (const [name, box] of Object.entries(flags)) if (box.checked !== one[name]) said[name] = box.checked;
      if (unit.value && unit.value !== one.unit) said.unit = unit.value;
      if (alias.value) said.aliases = [alias.value];
      try {
        await json("/guardrail/knowledge/properties", said);
        await this.look.changed();
      } catch (error) {
        told.textContent = error.message;
      }
    });
    row.after(element("tr", { class: "changing" }, element("td", { colspan: 6 }, form)));
    many.focus();
  }
}

/** What cannot be true at once. */
export function faults(found) {
  return found.length ? element("div", { class: "faults", role: "group", "aria-label": "What cannot be true at once" }, element("h4", {}, "What cannot be true at once"), element("ul", {}, found.map((one) => element("li", {}, one)))) : null;
}

/** Properties as a table; `change(one, row)` where they can be changed. */
export function understood(properties, change = null) {
  const rows = properties.map((one) => {
    const row = element(
      "tr",
      {},
      element("th", { scope: "row" }, one.label, one.aliases.length ? element("small", {}, ` also ${one.aliases.slice(0, 3).join(", ")}`) : null),
      element("td", {}, one.type, one.unit ? ` (${one.unit})` : ""),
      element("td", {}, one.values),
      element("td", {}, said(one)),
      element("td", {}, `${one.statements.toLocaleString()} / ${one.subjects.toLocaleString()}`),
    );
    if (change) row.append(element("td", {}, button("Change", () => change(one, row), { class: "quiet", "aria-label": `Change ${one.label}` })));
    return row;
  });
  const heads = ["Property", "Type", "Values", "Known from", "Facts / things"].map((name) => element("th", { scope: "col" }, name));
  if (change) heads.push(element("td", {}));
  const table = element("table", { class: "properties" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Properties" }, table);
}

/** Why a property is taken to have so many values. */
function said(one) {
  if (one.declared) return "a declaration";
  return one.cardinality === "unknown" ? "nobody has said" : `the data: ${one.subjects.toLocaleString()} things`;
}
