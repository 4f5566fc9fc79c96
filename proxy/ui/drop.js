// A place where files are dropped, or chosen: by mouse, by touch, by keyboard.

import { element } from "/ui/dom.js";

let numbered = 0;

/** Calls `take(files)` with each lot; `accept` as of an input of files. */
export function zone(text, take, { accept, multiple = true } = {}) {
  const input = element("input", { type: "file", id: `files-${(numbered += 1)}`, accept, multiple, class: "hidden" });
  const host = element("label", { class: "zone", for: input.id }, input, element("span", {}, text));
  const over = (inside) => (event) => {
    event.preventDefault();
    host.classList.toggle("over", inside);
  };
  host.addEventListener("dragover", over(true));
  host.addEventListener("dragleave", over(false));
  host.addEventListener("drop", (event) => {
    over(false)(event);
    if (event.dataTransfer.files.length) take([...event.dataTransfer.files]);
  });
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) take(files);
  });
  return host;
}

export const size = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
