// Files that are references of one text: read in the page, and sent with it.

import { button, element } from "/ui/dom.js";
import { size, zone } from "/ui/drop.js";

const READ = /\.(txt|md|markdown|rst|html?|csv|tsv|json|jsonl|xml|ya?ml)$/i;
const LARGEST = 2_000_000;

export class Dropped {
  constructor() {
    this.files = [];
    this.list = element("ul", { class: "plain", role: "status", id: "dropped" });
    this.host = element("div", {}, zone("Drop files here as references, or choose them", (files) => this.take(files), { accept: ".txt,.md,.markdown,.rst,.html,.htm,.csv,.tsv,.json,.jsonl,.xml,.yaml,.yml" }), this.list);
  }

  /** As the API takes them: each file is a document with its name. */
  get references() {
    return this.files.map(({ name, text }) => ({ title: name, text }));
  }

  async take(files) {
    for (const file of files) {
      try {
        const text = await read(file);
        this.files = [...this.files.filter((one) => one.name !== file.name), { name: file.name, text }];
        this.draw();
      } catch (error) {
        this.draw();
        this.list.append(element("li", { class: "error" }, error.message));
      }
    }
  }

  draw() {
    this.list.replaceChildren(
      ...this.files.map((one) => element("li", {}, one.name, element("small", {}, ` ${one.text.length.toLocaleString()} characters `), button("Remove", () => this.leave(one), { class: "quiet", "aria-label": `Remove ${one.name}` }))),
    );
  }

  leave(gone) {
    this.files = this.files.filter((one) => one !== gone);
    this.draw();
  }
}

/** The text of a file; raises an error that says why there is none. */
async function read(file) {
  if (!READ.test(file.name)) throw new Error(`${file.name} is not read here. Text, Markdown, HTML and tables are; other documents go into the corpus (Knowledge).`);
  if (file.size > LARGEST) throw new Error(`${file.name} has ${size(file.size)}; more than ${size(LARGEST)} goes into the corpus (Knowledge).`);
  const text = decoded(await file.arrayBuffer());
  if (text.includes("\0")) throw new Error(`${file.name} is a binary file.`);
  const words = /\.html?$/i.test(file.name) ? visible(text) : text;
  if (!words.trim()) throw new Error(`There is no text in ${file.name}.`);
  return words;
}

function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** What a page says; its scripts never run, and nothing is fetched for it. */
function visible(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const silent of page.querySelectorAll("script, style, template, noscript")) silent.remove();
  for (const block of page.querySelectorAll("p, div, li, h1, h2, h3, h4, tr, br")) block.append("\n");
  return page.body.textContent.replace(/[ \t]+/g, " ").replace(/\s*\n\s*/g, "\n").trim();
}
