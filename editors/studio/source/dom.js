// Elements of the page.

export const element = (id) => document.getElementById(id);

// An element with properties, listeners (`onclick` …) and children; texts are never markup.
export function made(tag, properties = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
    else if (name in found && name !== "list") found[name] = value;
    else found.setAttribute(name, value);
  }
  found.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return found;
}

export const button = (text, onclick, properties = {}) => made("button", { type: "button", onclick, ...properties }, text);

// Other children for an element; a button in it that has the focus gives it to the one in its place, or to `else_`.
export function refill(parent, children, else_ = null) {
  const buttons = () => [...parent.querySelectorAll("button")];
  const at = buttons().indexOf(document.activeElement);
  parent.replaceChildren(...children);
  if (at >= 0) (buttons()[Math.min(at, buttons().length - 1)] ?? else_)?.focus({ preventScroll: true });
}

export function show(id, ...children) {
  element(id).replaceChildren(...children.filter((child) => child));
  element(id).hidden = children.length === 0;
}

// A sentence of ours, with what it has between backquotes as code.
export const sentence = (text) => text.split("`").map((part, at) => (at % 2 ? made("code", {}, part) : part));

export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// Called only when nobody has called it for a while.
export function calm(milliseconds, work) {
  let waiting = 0;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(...given), milliseconds);
  };
}
