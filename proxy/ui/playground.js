// Playground: any text, with references and a question; check, correct, take the report along (FLEEK's playground view).

import { accept } from "/ui/chat.js";
import { element } from "/ui/dom.js";
import { ReportView } from "/ui/report.js";
import { get, revise, verify } from "/ui/wire.js";

const $ = (id) => document.getElementById(id);

export function playground() {
  const host = $("playground-view");
  const tools = element("div", { class: "tools", hidden: true });
  const place = element("div");
  host.append(place, tools);
  const view = new ReportView(place, { onRevise: (claim, revision) => accept(view, claim, revision) });
  place.hidden = true;
  tools.append(
    element("button", { type: "button", onclick: () => reviseAll(view) }, "Revise"),
    element("button", { type: "button", onclick: () => save("report.json", "application/json", JSON.stringify(view.report, null, 2)) }, "Save as JSON"),
    element("button", { type: "button", onclick: () => save("report.html", "text/html", page(view)) }, "Save as HTML"),
    element("button", { type: "button", onclick: () => window.print() }, "Print"),
    element("button", { type: "button", onclick: (event) => share(view, event.target) }, "Copy link"),
  );
  $("check").addEventListener("submit", async (event) => {
    event.preventDefault();
    place.hidden = tools.hidden = false;
    view.clear();
    await run(view, () => verify(request($("text").value)));
  });
  return {
    /** Shows the report that a link names. */
    open: async (id) => {
      place.hidden = tools.hidden = false;
      await run(view, async () => (await get(`/guardrail/reports/${encodeURIComponent(id)}`)).reports[0]);
      $("text").value = view.report?.text ?? "";
    },
  };
}

async function share(view, button) {
  const address = new URL(`#report=${view.report.id}`, location.href).href;
  await navigator.clipboard?.writeText(address);
  button.textContent = "Link copied";
  location.hash = `report=${view.report.id}`;
}

function request(text) {
  const references = $("references").value.split(/\n\s*\n/).map((one) => one.trim()).filter(Boolean);
  return { text, question: $("about").value || undefined, references: references.length ? references : undefined };
}

async function run(view, work) {
  try {
    const report = await work();
    view.report = report;
    view.draw(report.text, [...report.claims, ...report.unchecked]);
    view.conclude(report);
  } catch (error) {
    view.fail(error.message);
  }
}

async function reviseAll(view) {
  await run(view, async () => {
    const { text } = await revise(request(view.report.text));
    $("text").value = text;
    return verify(request(text));
  });
}

function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** The report as a page of its own; serialising the document escapes every text. */
function page(view) {
  const copy = document.implementation.createHTMLDocument("guardrail report");
  const style = copy.createElement("style");
  style.textContent = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText).join("\n");
  copy.head.append(style);
  copy.body.append(copy.importNode(view.answer, true), copy.importNode(view.status, true), copy.importNode(view.below, true));
  for (const claim of view.report.claims) {
    const part = copy.createElement("section");
    part.append(...view.explained({ ...claim, revisions: [] }).map((one) => copy.importNode(one, true)));
    copy.body.append(part);
  }
  return `<!doctype html>\n${copy.documentElement.outerHTML}`;
}
