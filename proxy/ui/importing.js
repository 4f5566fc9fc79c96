// Importing a table or RDF, for the admin: what was understood first, the columns to correct, and the import on a second word.

import { button, element, field } from "/ui/dom.js";
import { zone } from "/ui/drop.js";
import { faults, understood } from "/ui/overview.js";
import { json, send, upload } from "/ui/wire.js";

const PATH = "/guardrail/knowledge/imports";
const KINDS = { auto: "by their looks", entity: "names of things", date: "dates", quantity: "numbers", string: "text", coordinate: "places" };
const STATEMENT = ["subject", "predicate", "object", "start", "end", "source", "as_of", "complete", "kind", "rank", "qualifiers"];
const THING = { property: "a property", aliases: "further names", description: "a description", types: "classes", none: "left out" };

const select = (choices, value) => {
  const made = element("select", {}, Object.entries(choices).map(([name, words]) => element("option", { value: name }, words)));
  made.value = value;
  return made;
};

export class Import {
  /** `changed()` is called when the graph is another one. */
  constructor(changed) {
    this.changed = changed;
    this.place = element("div", {});
    this.host = element("section", { class: "sheet", id: "import", "aria-label": "Add a table or RDF" }, element("h3", {}, "Add a table or RDF"), element("p", { class: "source" }, "You first see how the file is understood. Nothing is imported until you confirm."), zone("Drop a CSV, TSV, Excel, JSONL, Turtle or RDF file here, or choose one", ([file]) => this.take(file), { multiple: false, accept: ".csv,.tsv,.xlsx,.jsonl,.ndjson,.nt,.nq,.ttl,.trig,.n3,.rdf,.xml,.owl,.jsonld,.json" }), this.place);
  }

  async take(file) {
    await this.leave();
    this.say(`${file.name} is read …`);
    try {
      this.show(await upload(PATH, file));
    } catch (error) {
      this.fail(error.message);
    }
  }

  say(words) {
    this.place.replaceChildren(element("p", { role: "status" }, words));
  }

  fail(words) {
    this.place.replaceChildren(element("p", { class: "error", role: "alert" }, words));
  }

  /** Gives up the file that waits, if there is one. */
  async leave() {
    const { id } = this.found ?? {};
    this.found = null;
    this.place.replaceChildren();
    if (id) await send(`${PATH}/${id}`, { method: "DELETE" }).catch(() => undefined);
  }

  show(found) {
    this.found = found;
    const parts = [
      element("h4", {}, found.name),
      found.problem ? element("p", { class: "error", role: "alert" }, found.problem) : null,
      found.question ? element("p", { class: "question" }, found.question) : null,
      found.rows.length ? sample(found) : null,
      found.mapping ? this.mapping(found) : null,
      found.trial ? trial(found.trial) : null,
      found.trial ? this.decision(found) : button("Give up", () => this.leave()),
    ];
    this.place.replaceChildren(...parts.filter(Boolean));
  }

  // ── columns ──────────────────────────────────────────────────────────────────────────────────────

  mapping(found) {
    const told = element("p", { class: "error wide", role: "alert" });
    const columns = found.columns.length ? this.columns(found) : null;
    const text = element("textarea", { rows: 8, spellcheck: "false" });
    text.value = found.mapping_text;
    const correct = async (mapping) => {
      told.textContent = "";
      try {
        this.show(await json(`${PATH}/${found.id}/mapping`, { mapping }));
      } catch (error) {
        told.textContent = error.message;
      }
    };
    return element(
      "details",
      { class: "mapping", open: Boolean(found.question) },
      element("summary", {}, "What the columns are"),
      columns ? [columns.host, button("Show the result", () => correct(columns.read()))] : null,
      element("details", {}, element("summary", {}, "As the text of a mapping file"), field("Mapping", text, { wide: true }), button("Use this text", () => correct(text.value))),
      told,
    );
  }

  columns(found) {
    const rows = select({ entities: "a thing, with its properties in the columns", statements: "one statement" }, found.mapping.rows);
    const place = element("div", {});
    let form;
    const draw = () => {
      const mapping = rows.value === found.mapping.rows ? found.mapping : { rows: rows.value, relations: {} };
      form = rows.value === "entities" ? things(found.columns, mapping) : statements(found.columns, mapping);
      place.replaceChildren(form.host);
    };
    rows.addEventListener("change", draw);
    draw();
    return { host: element("div", {}, field("Each row is", rows), place), read: () => form.read() };
  }

  // ── the second word ──────────────────────────────────────────────────────────────────────────────

  decision(found) {
    const { bad, conflicts } = found.trial;
    const source = element("input", { autocomplete: "off", placeholder: found.name });
    const date = element("input", { type: "date" });
    const allow = element("input", { type: "checkbox" });
    const force = element("input", { type: "checkbox" });
    const told = element("p", { class: "error wide", role: "alert" });
    const form = element(
      "form",
      { class: "declare", id: "import-decision" },
      field("Source (optional)", source, { grow: true }),
      field("As of (optional)", date),
      bad ? element("label", { class: "wide" }, allow, ` import although ${bad.toLocaleString()} rows cannot be read`) : null,
      conflicts.length ? element("label", { class: "wide" }, force, ` import although it contradicts ${found.graph}`) : null,
      element("button", { class: "primary" }, `Import into ${found.graph}`),
      button("Give up", () => this.leave()),
      told,
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      told.textContent = "";
      const go = form.querySelector("button.primary");
      go.disabled = true;
      try {
        const done = await json(`${PATH}/${found.id}`, { source: source.value, as_of: date.value, allow_bad: allow.checked, force: force.checked });
        this.found = null;
        this.place.replaceChildren(...[element("p", { role: "status", class: "done" }, `${found.name}: ${done.written.toLocaleString()} written, ${done.bad.toLocaleString()} rows left out.`), faults(done.faults)].filter(Boolean));
        await this.changed();
      } catch (error) {
        told.textContent = error.message;
        go.disabled = false;
      }
    });
    return form;
  }
}

function sample(found) {
  const head = element("tr", {}, found.columns.map((name) => element("th", { scope: "col" }, name)));
  const rows = found.rows.map((row) => element("tr", {}, row.map((cell) => element("td", {}, cell))));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The first rows" }, element("table", { class: "sample" }, element("thead", {}, head), element("tbody", {}, rows)));
}

const named = (columns) => Object.fromEntries(columns.map((name) => [name, name]));

/** A row is a thing: which column it is called by, and what each other one is. */
function things(columns, mapping) {
  const id = select(named(columns), mapping.id ?? columns[0]);
  const label = select(named(columns), mapping.label ?? id.value);
  const fields = columns.map((column) => {
    const relation = mapping.relations?.[column] ?? null;
    const other = ["aliases", "description", "types"].find((role) => mapping[role] === column);
    const role = select(THING, other ?? (relation || !mapping.id ? "property" : "none"));
    const name = element("input", { autocomplete: "off", value: relation?.property ?? column });
    const kind = select(KINDS, relation?.kind ?? "auto");
    const unit = element("input", { autocomplete: "off", size: 6, value: relation?.unit ?? "" });
    for (const [input, words] of [[role, "is"], [name, "property"], [kind, "values"], [unit, "unit"]]) input.setAttribute("aria-label", `${column}: ${words}`);
    return { column, relation, role, name, kind, unit };
  });
  const rows = fields.map((one) => element("tr", {}, element("th", { scope: "row" }, one.column), [one.role, one.name, one.kind, one.unit].map((input) => element("td", {}, input))));
  const heads = ["Column", "is", "Property", "Values", "Unit"].map((name) => element("th", { scope: "col" }, name));
  const table = element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Columns" }, element("table", {}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows)));
  return {
    host: element("div", {}, element("div", { class: "row" }, field("It is known by", id), field("Its name is in", label)), table),
    read: () => {
      const { relations: _, aliases, description, types, ...kept } = mapping;
      const made = { ...kept, rows: "entities", id: id.value, label: label.value, relations: {} };
      for (const one of fields) {
        if (one.column === id.value || one.column === label.value) continue;
        if (one.role.value === "property") {
          const { unit: __, ...more } = one.relation ?? {};
          made.relations[one.column] = { ...more, property: one.name.value, kind: one.kind.value, ...(one.unit.value ? { unit: one.unit.value } : {}) };
        } else if (one.role.value !== "none") made[one.role.value] = one.column;
      }
      return made;
    },
  };
}

/** A row is a statement: which column holds which part of it. */
function statements(columns, mapping) {
  const choices = { "": "–", ...named(columns) };
  const parts = STATEMENT.map((role) => [role, select(choices, columns.includes(mapping[role]) ? mapping[role] : "")]);
  const names = { as_of: "as of", complete: "names every value", kind: "kind of value" };
  return {
    host: element("div", { class: "row" }, parts.map(([role, input]) => field(names[role] ?? role, input))),
    read: () => ({ rows: "statements", ...Object.fromEntries(parts.filter(([, input]) => input.value).map(([role, input]) => [role, input.value])) }),
  };
}

/** What an import would come to. */
function trial(found) {
  return element(
    "div",
    { class: "trial" },
    element("p", {}, `${found.written.toLocaleString()} to write, ${found.bad.toLocaleString()} bad of ${found.read.toLocaleString()} rows. ${found.summary}.`),
    listed("Against what is known", found.conflicts, found.conflicts.length),
    listed("Rows that cannot be read", lines(found.bad_records), found.bad),
    listed("Values that do not fit", lines(found.odd_records), found.odd),
    faults(found.faults),
    understood(found.properties),
  );
}

const lines = (records) => records.map((one) => `line ${one.line}: ${one.cause}`);

function listed(title, sentences, count) {
  if (!count) return null;
  const more = count > sentences.length ? element("li", {}, `and ${(count - sentences.length).toLocaleString()} more`) : null;
  return element("div", { class: "faults", role: "group", "aria-label": title }, element("h4", {}, title), element("ul", {}, sentences.map((one) => element("li", {}, one)), more));
}
