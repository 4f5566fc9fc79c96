// A conversation: questions and answers as bubbles. A follow-up goes out with all that was said before.

import { element } from "/ui/dom.js";
import { ReportView } from "/ui/report.js";
import { Revising } from "/ui/revising.js";
import { ask } from "/ui/wire.js";

/** One question with its answer, on the page. */
export class Turn {
  constructor(question) {
    this.question = question;
    this.delivered = null;
    const answer = element("div", { class: "said model" });
    this.host = element("article", { class: "turn", "aria-label": question }, element("p", { class: "said you" }, question), answer);
    this.revising = new Revising(() => ({ question }));
    this.view = new ReportView(answer, { folded: true, onRevise: (_, revision) => this.revising.accept(revision) });
    this.revising.view = this.view;
  }

  /** What stands in the bubble: what was delivered, or what the reader made of it; null where there is no answer. */
  get answer() {
    return this.revising.steps.length ? this.view.report.text : this.delivered;
  }

  /** `earlier`: the turns before it. */
  async run(earlier, { policy, model }) {
    const { view } = this;
    const heard = { text: "", report: null };
    view.status.textContent = "Asking …";
    try {
      for await (const chunk of ask([...said(earlier), { role: "user", content: this.question }], { policy, model })) this.take(heard, chunk);
      this.delivered = heard.text;
      if (heard.report) view.show(heard.report, { delivered: heard.text });
      else view.status.textContent = "The answer came without a report.";
    } catch (error) {
      view.fail(error.message);
    }
  }

  take(heard, chunk) {
    const words = chunk.choices?.[0]?.delta?.content ?? "";
    if (words) {
      if (!heard.text) this.view.status.textContent = "Checking while it speaks …";
      heard.text += words;
      this.view.text.append(words);
    }
    heard.report = chunk.choices?.[0]?.delta?.guardrail ?? heard.report;
    const found = chunk.guardrail;
    if (found?.check_offset !== undefined) this.view.text.judge(found.claims, found.check_offset);
  }
}

/** The messages of these turns; one without an answer was never part of the conversation. */
function said(turns) {
  return turns.filter((turn) => turn.answer !== null).flatMap((turn) => [
    { role: "user", content: turn.question },
    { role: "assistant", content: turn.answer },
  ]);
}
