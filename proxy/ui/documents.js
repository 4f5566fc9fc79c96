// Documents of the corpus, for the admin: dropped, indexed one after another, listed, removed.

import { button, element } from "/ui/dom.js";
import { size, zone } from "/ui/drop.js";
import { get, send, upload } from "/ui/wire.js";

const PATH = "/guardrail/corpus/documents";

export class Documents {
  /** `changed()` is called when the corpus is another one. */
  constructor(changed) {
    this.changed = changed;
    this.told = element("p", { class: "source" });
    this.files = element("ul", { class: "plain found", role: "status", id: "documents-files" });
    this.kept = element("ul", { class: "plain found", "aria-label": "Uploaded files" });
    this.host = element("section", { class: "sheet", id: "documents", "aria-label": "Documents" }, element("h3", {}, "Documents"), element("p", { class: "source" }, "Answers are checked against their sentences. Text, Markdown, HTML, PDF, or a table with a column text."), zone("Drop documents here, or choose them", (files) => this.take(files), { accept: ".txt,.md,.markdown,.rst,.html,.htm,.pdf,.csv,.tsv,.jsonl,.ndjson" }), this.files, this.told, this.kept);
  }

  async draw() {
    try {
      this.show(await get("/guardrail/corpus"));
    } catch (error) {
      this.told.textContent = error.message;
    }
  }

  show({ documents, passages, files }) {
    this.told.textContent = documents ? `${documents.toLocaleString()} documents with ${passages.toLocaleString()} passages are in the corpus.` : "No documents are in the corpus yet.";
    this.kept.replaceChildren(
      ...files.map((one) => element("li", {}, one.name, element("small", {}, ` ${one.passages.toLocaleString()} passages `), button("Remove", () => this.remove(one.name), { class: "quiet", "aria-label": `Remove ${one.name}` }))),
    );
  }

  /** One file after another, each with how far it is. */
  async take(files) {
    const rows = files.map((file) => element("li", {}, file.name, element("small", {}, ` ${size(file.size)}: waits`)));
    this.files.replaceChildren(...rows);
    for (const [place, file] of files.entries()) {
      const state = rows[place].lastChild;
      state.textContent = ` ${size(file.size)}: is indexed …`;
      try {
        const done = await upload(PATH, file);
        const skipped = done.skipped.map((one) => `${one.id}: ${one.cause}`);
        state.textContent = ` indexed, ${done.passages.toLocaleString()} passages ${skipped.length ? `(left out: ${skipped.join("; ")})` : ""}`;
      } catch (error) {
        state.replaceWith(element("span", { class: "error", role: "alert" }, ` ${error.message}`));
      }
    }
    await this.changed();
  }

  async remove(name) {
    try {
      await send(`${PATH}?name=${encodeURIComponent(name)}`, { method: "DELETE" });
      await this.changed();
    } catch (error) {
      this.told.textContent = error.message;
    }
  }
}
