// The audit log: every record and the search for one, the review queue, the proof that nothing was altered, trends.

import { flags, latency, scores, wrongs } from "/ui/charts.js";
import { button, cut, element, field, moment } from "/ui/dom.js";
import { guarded } from "/ui/login.js";
import { recordCard } from "/ui/record.js";
import { ReviewQueue } from "/ui/review.js";
import { get, session } from "/ui/wire.js";
import { found } from "/ui/report.js";
import { counted, NAMES, OUTCOMES, withoutWords } from "/ui/words.js";

const WORDS = 90;
const CHOICES = {
  label: ["attributable", "extrapolatory", "contradictory"],
  outcome: [...Object.keys(OUTCOMES), "clean"],
  reviewed: ["yes", "no"],
};
// What a choice is called where its own name would not do; "clean" stands in records of before, which told confirmed and open apart in no word.
const CALLED = { ...NAMES, ...OUTCOMES, clean: "clean (older records)" };
const TITLES = { since: "From", until: "Before", model: "Model", policy: "Policy", label: "A claim is", source: "Evidence from", outcome: "Outcome", reviewed: "Reviewed", property: "Property" };

export function audit() {
  const host = document.getElementById("audit-view");
  const view = new AuditView(host);
  guarded(host, "Records contain what models said.", () => view.open())();
  return {};
}

class AuditView {
  constructor(host) {
    this.host = host;
    this.queue = new ReviewQueue(() => this.agreement());
    this.status = element("p", { role: "status", class: "source", id: "audit-status" });
    this.charts = element("div", { class: "charts", tabindex: "0", role: "group", "aria-label": "Trends" });
    this.search = element("input", { type: "search", id: "filter-q", autocomplete: "off" });
    this.agreed = element("div");
    this.chain = element("div", { role: "status", id: "chain" });
    this.rows = element("tbody");
    this.record = element("div");
    this.more = button("Older", () => this.load(this.next), { hidden: true });
    this.inputs = Object.fromEntries(Object.keys(TITLES).map((name) => [name, this.input(name)]));
  }

  input(name) {
    const made = name === "since" || name === "until" ? element("input", { type: "date" }) : name === "property" ? element("input", { autocomplete: "off" }) : element("select", {}, options(CHOICES[name] ?? []));
    made.id = `filter-${name}`;
    made.addEventListener("change", () => this.open());
    return made;
  }

  async open() {
    if (!this.filters) this.build();
    this.record.replaceChildren();
    try {
      const told = await get(`/guardrail/insight/trends?${this.asked()}`);
      this.offer(told);
      this.charts.replaceChildren(flags(told.buckets), scores(told.kas), wrongs(told.contradicted, (name) => this.narrow(name)), latency(told.buckets));
      this.records = [];
      await this.load(null);
      this.queue.fill(this.records);
      await this.agreement();
    } catch (error) {
      this.status.textContent = error.message;
    }
    if (session.state.admin && !this.host.contains(this.filters)) this.host.replaceChildren(...this.parts);
  }

  build() {
    this.filters = element("form", { class: "filters", "aria-label": "Filters" }, Object.entries(this.inputs).map(([name, input]) => field(TITLES[name], input)));
    this.filters.addEventListener("submit", (event) => event.preventDefault());
    const heads = ["Time", "Answer", "Found", "Outcome", "Action", "Model", "Policy", ""].map((name) => (name ? element("th", { scope: "col" }, name) : element("td", {})));
    const table = element("table", { class: "records" }, element("thead", {}, element("tr", {}, heads)), this.rows);
    const proof = element("div", { class: "sheet row" }, element("div", { class: "grow" }, element("h4", {}, "The chain"), this.chain), button("Prove it", () => this.prove()));
    const search = element("form", { class: "search", role: "search" }, field("Search in answers, reasons and names", this.search, { grow: true }), element("button", { class: "primary" }, "Search"), button(["Review", element("kbd", {}, "r")], () => this.queue.show()));
    search.addEventListener("submit", (event) => {
      event.preventDefault();
      this.open();
    });
    this.parts = [
      search,
      this.filters,
      this.status,
      this.record,
      element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Records" }, table),
      this.more,
      element("div", { class: "columns" }, this.queue.host, element("div", { class: "beside" }, proof, this.agreed)),
      element("h3", {}, "Trends"),
      this.charts,
    ];
    this.chain.textContent = "Each entry holds the hash of the one before; the end is signed.";
  }

  asked(more = {}) {
    const given = Object.entries(this.inputs).map(([name, input]) => [name, input.type === "date" && input.value ? new Date(`${input.value}T00:00`).toISOString() : input.value.trim()]);
    return new URLSearchParams([["q", this.search.value.trim()], ...given, ...Object.entries(more)].filter(([, value]) => value)).toString();
  }

  narrow(property) {
    this.inputs.property.value = property;
    this.open();
  }

  /** What the log holds is what can be chosen; a choice that is made stays. */
  offer(told) {
    for (const [name, values] of [["model", told.models], ["policy", told.policies], ["source", told.sources]]) {
      const input = this.inputs[name];
      const chosen = input.value;
      if (chosen) continue;
      input.replaceChildren(...options(values));
    }
    const words = [`${told.answers} answers`, `${told.flagged} flagged`, ...Object.entries(told.labels).map(([label, count]) => `${count} claims ${NAMES[label].toLowerCase()}`)];
    this.status.textContent = words.join(" · ");
  }

  async load(before) {
    const { records, next } = await get(`/guardrail/insight/records?${this.asked(before ? { before } : {})}`);
    this.records.push(...records);
    this.next = next;
    this.more.hidden = next === null;
    this.rows.replaceChildren(...this.records.map((record) => this.row(record)));
  }

  row(record) {
    const cells = [moment(record.time), firstWords(record), found(counted(record)), OUTCOMES[record.outcome] ?? record.outcome, record.action + (record.shadow ? " (shadow)" : ""), record.model, record.policy];
    const open = button("Open", (event) => this.show(record, event.currentTarget), { class: "quiet", "aria-label": `Open the answer of ${moment(record.time)}` });
    return element("tr", { class: `${record.outcome}-row` }, cells.map((cell) => element("td", {}, cell)), element("td", {}, record.reviewed ? element("small", {}, "reviewed ") : null, open));
  }

  /** `opener`: where the focus goes back to. */
  async show(place, opener) {
    try {
      const record = await get(`/guardrail/audit/${encodeURIComponent(place.id)}`);
      const card = recordCard(record, place, { onReview: (whole, claim) => this.queue.take(whole, claim), onClose: () => {
        this.record.replaceChildren();
        opener.focus();
      } });
      this.record.replaceChildren(card);
      card.focus();
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  async agreement() {
    const { agreement } = await get("/guardrail/audit/stats");
    const rows = agreement.map(({ reviewers, claims, kappa }) => element("li", {}, `${reviewers.join(" and ")}: `, element("b", {}, kappa === null ? "no κ yet" : `κ ${kappa.toFixed(2)}`), ` on ${claims} ${claims === 1 ? "claim" : "claims"}`));
    this.agreed.replaceChildren(
      element(
        "div",
        { class: "sheet" },
        element("h4", {}, "Agreement of reviewers (Cohen’s κ)"),
        rows.length ? element("ul", { class: "plain" }, rows) : element("p", { class: "source" }, "No two reviewers have labelled the same claim yet."),
        element("a", { href: "/guardrail/insight/labels", download: "labels.jsonl" }, "Save all labels"),
      ),
    );
  }

  async prove() {
    this.chain.textContent = "Verifying the whole log …";
    try {
      const told = await get("/guardrail/insight/chain");
      const end = told.head ? `, up to entry ${told.head.seq}, signed ${moment(told.head.time)}` : "";
      const found = told.findings.map((one) => element("li", {}, one.seq === null ? one.message : `entry ${one.seq}: ${one.message}`));
      this.chain.replaceChildren(
        element("p", { class: told.ok ? "label-attributable" : "error" }, told.ok ? `✓ Intact: ${told.entries} entries${end}` : "✗ The log was altered"),
        found.length ? element("ul", {}, found) : "",
        told.erased ? element("p", { class: "source" }, `Words of ${told.erased} entries were erased on record.`) : "",
      );
    } catch (error) {
      this.chain.textContent = error.message;
    }
  }
}

/** How the answer begins; if only its flagged claims are stored, how the first of them begins. */
function firstWords(record) {
  const { words } = record;
  const kept = words?.text ?? Object.values(words?.claims ?? {})[0]?.text;
  return kept ? cut(kept, WORDS) : element("small", {}, withoutWords(record));
}

const options = (values) => [element("option", { value: "" }, "all"), ...values.map((value) => element("option", { value }, CALLED[value] ?? value.replaceAll("_", " ")))];
