// Knowledge: what there is at a first look; a thing with its facts and where they are from; the admin adds and retracts, and tries
// the effect at once.

import { button, element, field } from "/ui/dom.js";
import { box, origin } from "/ui/evidence.js";
import { door } from "/ui/login.js";
import { FirstLook } from "/ui/overview.js";
import { Probe } from "/ui/probe.js";
import { get, json, session } from "/ui/wire.js";

const $ = (id) => document.getElementById(id);

export function knowledge() {
  const page = new KnowledgePage($("knowledge-view"));
  $("search").addEventListener("submit", (event) => {
    event.preventDefault();
    page.search($("entity").value);
  });
  session.addEventListener("change", () => page.again());
  return { open: (id) => (id ? page.show(id) : page.first()) };
}

class KnowledgePage {
  constructor(host) {
    this.list = element("div", { role: "status" });
    this.card = element("div");
    this.probe = new Probe();
    this.look = new FirstLook(this.probe);
    host.append(this.list, this.card);
  }

  async search(text) {
    try {
      const { entities } = await get(`/guardrail/knowledge?q=${encodeURIComponent(text)}`);
      const found = entities.map((one) =>
        element("li", {}, element("a", { href: `#knowledge=${encodeURIComponent(one.id)}` }, one.label), " ", element("small", {}, [one.id, one.description].filter(Boolean).join(" · "))),
      );
      this.list.replaceChildren(found.length ? element("ul", { class: "plain found" }, found) : `Nothing is called “${text}”.`);
      if (entities.length === 1) location.hash = `knowledge=${encodeURIComponent(entities[0].id)}`;
      else this.first();
    } catch (error) {
      this.list.replaceChildren(element("span", { class: "error", role: "alert" }, error.message));
    }
  }

  /** What is seen before anything is looked up. */
  async first() {
    this.entity = null;
    this.card.replaceChildren(this.look.host);
    await this.look.draw();
  }

  async show(id) {
    try {
      this.entity = await get(`/guardrail/knowledge/entities/${encodeURIComponent(id)}`);
    } catch (error) {
      this.list.replaceChildren(element("span", { class: "error", role: "alert" }, error.message));
      return;
    }
    this.list.replaceChildren();
    this.draw();
  }

  async again() {
    if (this.entity) await this.show(this.entity.id);
    else if (this.look.host.isConnected) await this.look.draw();
  }

  draw() {
    const { entity } = this;
    const admin = session.state.admin;
    this.card.replaceChildren(
      element(
        "div",
        { class: "columns" },
        element(
          "article",
          { class: "sheet", "aria-label": entity.label },
          element("h3", { class: "name" }, entity.label, " ", element("small", {}, entity.id)),
          element("p", {}, entity.description),
          entity.aliases.length ? element("p", { class: "source" }, `Also called ${entity.aliases.slice(0, 12).join(", ")}`) : null,
          facts(entity, admin ? (fact, row) => this.retracting(fact, row) : null),
          about(entity),
        ),
        element("div", { class: "beside" }, this.probe.host, admin ? this.adding() : door("Only administrators can add and retract facts.")),
      ),
    );
  }

  /** Asks for the source of a retraction in the fact's own row. */
  retracting(fact, row) {
    const source = element("input", { required: true });
    const told = element("p", { class: "error", role: "alert" });
    const form = element("form", { class: "retract" }, field("Why it is removed, or who says so", source, { grow: true }), element("button", {}, "Retract"), told);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await json("/guardrail/knowledge/facts/retract", { id: fact.id, source: source.value });
        await this.changed();
      } catch (error) {
        told.textContent = error.message;
      }
    });
    row.after(element("tr", {}, element("td", { colspan: 5 }, form)));
    source.focus();
  }

  adding() {
    const input = (properties = {}) => element("input", { autocomplete: "off", ...properties });
    const fields = { predicate: input({ required: true, list: "properties" }), object: input({ required: true }), source: input({ required: true }), as_of: input({ type: "date" }), qualifiers: input() };
    const choices = element("datalist", { id: "properties" });
    const told = element("div", { role: "status" });
    const unknown = element("input", { type: "checkbox" });
    const form = element(
      "form",
      { class: "sheet", id: "add-fact" },
      element("h3", { class: "wide" }, `Add a fact about ${this.entity.label}`),
      field("Property", fields.predicate, { grow: true }),
      field("Value", fields.object, { grow: true }),
      field("Source", fields.source, { grow: true }),
      field("As of (optional)", fields.as_of),
      field("Qualifiers (optional)", fields.qualifiers, { wide: true, hint: "such as: start time = 1910; end time = 1914" }),
      element("label", { class: "wide" }, unknown, " make the value an entity of its own if the graph does not know it"),
      choices,
      element("button", { class: "primary" }, "Add"),
      element("div", { class: "wide" }, told),
    );
    properties(choices);
    const add = async (force) => {
      told.replaceChildren();
      const body = { subject: this.entity.id, predicate: fields.predicate.value, object: fields.object.value, source: fields.source.value, as_of: fields.as_of.value, qualifiers: qualifiers(fields.qualifiers.value), new: unknown.checked, force };
      try {
        await json("/guardrail/knowledge/facts", body);
        await this.changed();
      } catch (error) {
        told.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
        if (error.code !== "conflict") return;
        const known = error.detail.known.map((one) => element("li", {}, `${one.predicate.label}: ${one.object.label}`, " ", origin(one.source, one.as_of)));
        told.append(element("ul", {}, known), button("Add it anyway", () => add(true)));
      }
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      add(false);
    });
    return form;
  }

  async changed() {
    await this.again();
    await this.probe.again();
  }
}

async function properties(list) {
  const { properties: found } = await get("/guardrail/knowledge/properties");
  list.replaceChildren(...found.map((one) => element("option", { value: one.label }, one.id)));
}

function qualifiers(text) {
  const parts = text.split(";").map((one) => one.trim()).filter(Boolean);
  return parts.map((one) => {
    const [predicate, ...rest] = one.split("=");
    return { predicate: predicate.trim(), object: rest.join("=").trim() };
  });
}

function facts(entity, retract) {
  if (!entity.facts.length) return element("p", {}, "Nothing is known about it.");
  let former = "";
  const rows = entity.facts.map((fact) => {
    const same = fact.predicate.id === former;
    former = fact.predicate.id;
    const name = same ? element("span", { class: "hidden" }, fact.predicate.label) : fact.predicate.label;
    const row = element("tr", { class: `${fact.rank}-rank${same ? " same" : ""}` });
    row.append(
      element("th", { scope: "row" }, name),
      element("td", {}, fact.object.datatype ? fact.object.label : element("a", { href: `#knowledge=${encodeURIComponent(fact.object.id)}` }, fact.object.label), fact.rank === "normal" ? null : element("small", {}, ` (${fact.rank})`)),
      element("td", {}, fact.qualifiers.map((one) => element("div", {}, element("small", {}, `${one.predicate.label} `), one.object.label))),
      element("td", {}, origin(fact.source, fact.as_of)),
    );
    if (retract) row.append(element("td", {}, button("Retract", () => retract(fact, row), { class: "quiet", "aria-label": `Retract ${fact.predicate.label} ${fact.object.label}` })));
    return row;
  });
  const heads = ["Property", "Value", "Qualifiers", "Source"].map((name) => element("th", { scope: "col" }, name));
  if (retract) heads.push(element("td", {}));
  const rest = entity.facts_in_all > entity.facts.length ? element("p", { class: "source" }, `The first ${entity.facts.length} of ${entity.facts_in_all} facts.`) : null;
  const table = element("table", { class: "facts" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Facts about ${entity.label}` }, table, rest);
}

function about(entity) {
  if (!entity.about.length) return null;
  const rows = entity.about.map((fact) => element("li", { class: "arrowed" }, element("a", { href: `#knowledge=${encodeURIComponent(fact.subject.id)}` }, fact.subject.label), element("span", { class: "predicate" }, fact.predicate.label), box({ label: entity.label })));
  return element("details", {}, element("summary", {}, `${rows.length} facts about it from elsewhere`), element("ul", { class: "plain" }, rows));
}
