// What the first view plays: an answer that was checked before, as it comes in when it is checked live.

import { Turn } from "/ui/conversation.js";
import { element } from "/ui/dom.js";
import { get } from "/ui/wire.js";

const PAUSE = 60;
const QUESTION = "Tell me about Marie Curie.";

/** Plays into `host` until it is done or the example is no longer on the page. */
export async function example(host) {
  const turn = new Turn(QUESTION);
  turn.host.prepend(element("p", { class: "source" }, "An example: pick the coloured words to see why."));
  host.replaceChildren(turn.host);
  const report = await get("/ui/example.json");
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await speak(turn, report);
  if (turn.host.isConnected) turn.view.show(report);
}

async function speak({ host, view }, { text, claims }) {
  let at = 0;
  for (const word of text.match(/\s*\S+/g)) {
    if (!host.isConnected) return;
    at += word.length;
    view.text.append(word);
    view.text.judge(claims.filter((claim) => claim.end > at - word.length && claim.end <= at), at);
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}
