// Shows one view at a time, by the address's fragment.

import { chat } from "/ui/chat.js";
import { playground } from "/ui/playground.js";
import { get } from "/ui/wire.js";

const VIEWS = ["chat", "playground"];

function show() {
  const wanted = VIEWS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "chat";
  for (const name of VIEWS) document.getElementById(name).hidden = name !== wanted;
  for (const anchor of document.querySelectorAll("nav a")) {
    if (anchor.dataset.view === wanted) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
}

window.addEventListener("hashchange", show);
show();
playground();
await chat();
const { versions } = await get("/readyz");
document.getElementById("versions").textContent = `knowledge ${versions.knowledge} · ${versions.checker}`;
