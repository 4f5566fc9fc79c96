// Accepting corrections: put one in, check the whole text again, show what changed, and let it be undone.

import { button, element } from "/ui/dom.js";
import { verify } from "/ui/wire.js";

/** What a view does with accepted corrections. `asked()`: question and references of the text. */
export class Revising {
  constructor(asked) {
    this.asked = asked;
    this.view = null;
    this.clear();
  }

  clear() {
    this.steps = [];
    if (this.view) this.view.undoing = null;
  }

  /** One correction: the words open again where they stood, with what is said of them now. */
  async accept(revision) {
    const points = Array.from(this.view.report.text);
    const before = points.slice(revision.start, revision.end).join("");
    const text = [...points.slice(0, revision.start), revision.replacement, ...points.slice(revision.end)].join("");
    const { start } = revision;
    if (await this.take(text, [{ before, after: revision.replacement, start }])) this.view.openAt(start);
  }

  /** Another text in place of the one that is shown, with what was changed in it. Whether it could be checked. */
  async take(text, changes) {
    const { view } = this;
    const former = view.report;
    try {
      const report = await verify({ ...this.asked(), text });
      this.steps.push({ former, changes });
      this.tell();
      view.show(report);
      return true;
    } catch (error) {
      view.fail(error.message);
      return false;
    }
  }

  undo() {
    const step = this.steps.pop();
    this.tell();
    this.view.show(step.former);
    const { start } = step.changes[0];
    if (start !== undefined) this.view.openAt(start);
  }

  tell() {
    const last = this.steps.at(-1)?.changes[0];
    this.view.undoing = last?.start === undefined ? null : { ...last, back: () => this.undo() };
    if (!this.steps.length) {
      this.view.changes.replaceChildren();
      return;
    }
    const rows = this.steps.flatMap((step) => step.changes).map(({ before, after }) => element("li", { class: "diff" }, element("del", {}, before), " → ", element("ins", {}, after)));
    this.view.changes.replaceChildren(
      element("div", { class: "changed" }, element("h3", {}, "Changed and checked again"), element("ul", { class: "plain" }, rows), button("Undo the last", () => this.undo())),
    );
  }
}
