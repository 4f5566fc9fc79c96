// Builds elements. Text always goes in as text: what a model, a graph or a page says is never markup.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const NAMESPACE = "http://www.w3.org/2000/svg";

export function drawn(name, properties = {}, ...children) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A link only where the address is one of the web: `javascript:` and its like stay text. */
export function link(address, text) {
  const safe = /^https?:\/\//i.test(address ?? "");
  return safe ? element("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text) : element("span", {}, text);
}
