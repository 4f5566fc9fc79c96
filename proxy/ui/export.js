// A report to take along: as JSON, or as a page of its own with every claim's reasons.

import { explained } from "/ui/claim.js";
import { element } from "/ui/dom.js";

/** A whole HTML document; serialising the tree escapes every text, and there is no script in it. */
export function page(view) {
  const copy = document.implementation.createHTMLDocument();
  const main = copy.createElement("main");
  const parts = [
    element("h1", {}, "Report"),
    element("p", { class: "source" }, [view.report.id, ...Object.entries(view.report.versions).map(([name, version]) => `${name} ${version}`)].join(" · ")),
    view.answer,
    view.status,
    view.below,
    ...view.report.claims.map((claim) => element("section", { class: "details" }, element("p", {}, claim.text), explained(claim, { entities: view.entities }))),
  ];
  main.append(...parts.map((part) => copy.importNode(part, true)));
  for (const one of main.querySelectorAll("details")) one.open = true;
  for (const one of main.querySelectorAll("[role=button]")) {
    for (const name of ["role", "tabindex", "aria-haspopup", "aria-expanded"]) one.removeAttribute(name);
  }
  for (const one of main.querySelectorAll(".advice")) one.remove();
  for (const one of main.querySelectorAll("button")) one.replaceWith(...one.childNodes);
  copy.body.append(main);
  // Our own style sheets only; as an element in the tree they would be refused by this page's content security policy.
  const styles = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  const head = `<meta charset="utf-8"><title>guardrail report</title><style>${styles.join("\n")}</style>`;
  return `<!doctype html>\n<html lang="en"><head>${head}</head>${copy.body.outerHTML}</html>\n`;
}
