// Shows one view at a time, by the address's fragment.

import { audit } from "/ui/audit.js";
import { chat } from "/ui/chat.js";
import { playground } from "/ui/playground.js";
import { get } from "/ui/wire.js";

const VIEWS = ["chat", "playground", "audit"];
const SHARED = /^#report=(\w+)$/;

function show() {
  const shared = SHARED.exec(location.hash);
  const wanted = shared ? "playground" : VIEWS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "chat";
  if (shared && shared[1] !== opened) {
    opened = shared[1];
    texts.open(opened);
  }
  for (const name of VIEWS) document.getElementById(name).hidden = name !== wanted;
  for (const anchor of document.querySelectorAll("nav a")) {
    if (anchor.dataset.view === wanted) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
}

let opened = "";
const texts = playground();
audit();
window.addEventListener("hashchange", show);
show();
await chat();
const { versions } = await get("/readyz");
document.getElementById("versions").textContent = `knowledge ${versions.knowledge} · ${versions.checker}`;
