// The admin's door on the page: what a reader sees who has not logged in yet.

import { element, field } from "/ui/dom.js";
import { session } from "/ui/wire.js";

/** A form that opens the session; `why` says what for. Once it is open, everybody who listens to the session hears of it. */
export function door(why) {
  if (!session.state.configured) {
    return element(
      "div",
      { class: "sheet door" },
      element("h3", {}, "Closed"),
      element("p", {}, `${why} This server was started without an admin token. Start it with one to open this page:`),
      element("pre", {}, "guardrail serve --admin-token …"),
    );
  }
  const token = element("input", { type: "password", autocomplete: "current-password", required: true });
  const told = element("p", { class: "error", role: "alert" });
  const form = element("form", { class: "sheet door" }, element("h3", {}, "Log in"), element("p", {}, why), field("Admin token", token, { grow: true }), element("button", { class: "primary" }, "Log in"), told);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    told.textContent = "";
    try {
      await session.enter(token.value);
    } catch (error) {
      told.textContent = error.message;
    }
    token.value = "";
  });
  return form;
}

/** The header's way out. */
export function exit(leave) {
  leave.addEventListener("click", () => session.leave());
  const show = () => {
    leave.hidden = !session.state.admin;
  };
  session.addEventListener("change", show);
  show();
}

/** Draws a view when the session opens or closes, and at first. `open()` fills it for the admin. */
export function guarded(host, why, open) {
  const show = () => (session.state.admin ? open() : host.replaceChildren(door(why)));
  session.addEventListener("change", show);
  return show;
}

