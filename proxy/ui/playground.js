// Playground: any text, with references and a question; check, correct, take the report along (FLEEK's playground view).

import { button, element, save } from "/ui/dom.js";
import { Dropped } from "/ui/dropped.js";
import { page } from "/ui/export.js";
import { ReportView } from "/ui/report.js";
import { Revising } from "/ui/revising.js";
import { get, revise, verify } from "/ui/wire.js";

const $ = (id) => document.getElementById(id);
const EXAMPLE = {
  text: "Marie Curie was born in Warsaw in 1870. She won two Nobel Prizes and was married to Pierre Curie. The museum in her birth house has 12 rooms.",
  references: "The museum in the house where Marie Curie was born has eleven rooms on two floors.\n\nMarie Curie was born in Warsaw in 1870.",
  about: "Who was Marie Curie?",
};

const dropped = new Dropped();

export function playground() {
  $("references").after(dropped.host);
  const place = element("div", { hidden: true });
  const tools = element("div", { class: "tools", hidden: true, role: "group", "aria-label": "The report" });
  $("playground-view").append(tools, place);
  const revising = new Revising(asked);
  const view = new ReportView(place, { onRevise: (_, revision) => revising.accept(revision) });
  revising.view = view;
  tools.append(
    button("Correct all", () => correct(view, revising), { class: "primary" }),
    button("Save as JSON", () => save("report.json", "application/json", JSON.stringify(view.report, null, 2))),
    button("Save as HTML", () => save("report.html", "text/html", page(view))),
    button("Print", () => window.print()),
    button("Copy link", (event) => share(view, event.target)),
  );
  const run = async (work) => {
    place.hidden = false;
    tools.hidden = true;
    revising.clear();
    view.clear();
    view.status.textContent = "Checking …";
    try {
      view.show(await work());
      tools.hidden = false;
    } catch (error) {
      view.fail(error.message);
    }
  };
  $("check").addEventListener("submit", (event) => {
    event.preventDefault();
    run(() => verify({ ...asked(), text: $("text").value }));
  });
  $("example").addEventListener("click", () => {
    for (const [id, words] of Object.entries(EXAMPLE)) $(id).value = words;
    $("text").focus();
  });
  return {
    /** Shows the report that a link names. */
    open: async (id) => {
      await run(async () => (await get(`/guardrail/reports/${encodeURIComponent(id)}`)).reports[0]);
      $("text").value = view.report?.text ?? "";
    },
  };
}

function asked() {
  const written = $("references").value.split(/\n\s*\n/).map((one) => one.trim()).filter(Boolean);
  const references = [...written, ...dropped.references];
  return { question: $("about").value || undefined, references: references.length ? references : undefined };
}

async function share(view, target) {
  const address = new URL(`#report=${view.report.id}`, location.href).href;
  await navigator.clipboard?.writeText(address).catch(() => undefined);
  target.textContent = "Link copied";
  location.hash = `report=${view.report.id}`;
}

async function correct(view, revising) {
  try {
    const before = Array.from(view.report.text);
    const { text, edits } = await revise({ ...asked(), text: view.report.text });
    if (!edits.length) {
      view.changes.replaceChildren(element("p", { class: "source" }, "No correction could be verified."));
      return;
    }
    const changes = edits.map((edit) => ({ before: before.slice(edit.start, edit.end).join(""), after: edit.replacement }));
    await revising.take(text, changes);
    $("text").value = text;
  } catch (error) {
    view.fail(error.message);
  }
}
