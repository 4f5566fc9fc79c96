// Builds elements. Text always goes in as text: what a model, a graph or a page says is never markup.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return made;
}

const NAMESPACE = "http://www.w3.org/2000/svg";

/** The same in SVG. */
export function drawn(name, properties = {}, ...children) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.append(...children.flat());
  return made;
}

/** A link only where the address is one of the web: `javascript:` and its like stay text. */
export function link(address, text) {
  const safe = /^https?:\/\//i.test(address ?? "");
  return safe ? element("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text) : element("span", {}, text);
}

export const button = (text, onclick, properties = {}) => element("button", { type: "button", onclick, ...properties }, text);

let numbered = 0;

/** A label with its field; `hint` stands under it. */
export function field(text, input, { grow = false, wide = false, hint } = {}) {
  input.id ||= `field-${(numbered += 1)}`;
  const described = hint ? element("small", { id: `${input.id}-hint` }, hint) : null;
  if (described) input.setAttribute("aria-describedby", described.id);
  return element("div", { class: `field${grow ? " grow" : ""}${wide ? " wide" : ""}` }, element("label", { for: input.id }, text), input, described);
}

/** A stretch of text with some of its parts marked; offsets are code points. */
export function marked(text, spans) {
  const points = Array.from(text);
  const parts = [];
  let at = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (start < at || end > points.length || end <= start) continue;
    parts.push(points.slice(at, start).join(""), element("mark", {}, points.slice(start, end).join("")));
    at = end;
  }
  return [...parts, points.slice(at).join("")];
}

export const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** 2026-03-01T12:00:00.001Z as the reader's own date and time. */
export function moment(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Offers `content` as a file. */
export function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
