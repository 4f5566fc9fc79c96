// Shows one view at a time, by the address's fragment; a view's module is fetched when it is first wanted.

import { chat } from "/ui/chat.js";
import { legend } from "/ui/legend.js";
import { exit } from "/ui/login.js";
import { playground } from "/ui/playground.js";
import { get, session } from "/ui/wire.js";

const VIEWS = ["chat", "playground", "knowledge", "policies", "audit"];
const $ = (id) => document.getElementById(id);
const opened = new Map();

/** `#view` or `#view=what`, and `#report=id` for a shared report. */
function place() {
  const [name, what = ""] = location.hash.slice(1).split("=", 2);
  if (name === "report") return ["playground", what];
  return [VIEWS.includes(name) ? name : "chat", decoded(what)];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function show() {
  const [wanted, what] = place();
  for (const name of VIEWS) $(name).hidden = name !== wanted;
  for (const anchor of document.querySelectorAll("nav a")) {
    if (anchor.dataset.view === wanted) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  document.title = wanted === "chat" ? "guardrail" : `${document.querySelector(`#${wanted} h2`).textContent} · guardrail`;
  if (!opened.has(wanted)) opened.set(wanted, begin(wanted));
  const view = await opened.get(wanted);
  await view?.open?.(what);
}

async function begin(name) {
  if (name === "playground") {
    const texts = playground();
    let shared = "";
    return { open: (id) => { if (id && id !== shared) return texts.open((shared = id)); } };
  }
  if (name === "chat") return chat(await begun);
  await entered;
  const module = await import(`/ui/${name}.js`);
  return module[name]();
}

for (const place of document.querySelectorAll("[data-legend]")) place.replaceWith(legend());
const begun = get("/ui/start");
const entered = session.refresh().then(() => exit($("leave")));
window.addEventListener("hashchange", show);
await show();
const { versions } = await begun;
$("versions").textContent = `knowledge ${versions.knowledge ?? "none"} · ${versions.checker ?? ""} · guardrail ${versions.guardrail ?? ""}`;
