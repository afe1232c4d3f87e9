// Elements of the page.

import { button, element, made } from "../../../web/js/dom.js";

export { button, element, made };

// Other children for an element; what has the focus in it gives it to the button in its place, or to `else_`.
export function refill(parent, children, else_ = null) {
  const buttons = () => [...parent.querySelectorAll("button")];
  const had = parent.contains(document.activeElement);
  const at = buttons().indexOf(document.activeElement);
  parent.replaceChildren(...children);
  if (had) (buttons()[Math.min(Math.max(at, 0), buttons().length - 1)] ?? else_)?.focus({ preventScroll: true });
}

// The focus stays in the area of an element, whatever is shown in it.
export function show(id, ...children) {
  const place = element(id);
  place.hidden = children.length === 0;
  refill(place, children.filter((child) => child), (place.closest("section") ?? document).querySelector(".cm-content, [data-thing][tabindex='0']"));
}

// A note over the page, until it is closed.
export const note = (...told) => show("note", ...told, button("Close", () => show("note")));

// What is told of the board lies over its foot, where each part can scroll away.
export function uncover(id) {
  element("told").scrollTop = element(id).offsetTop;
}

// What failed is told over the page, unless it was given up.
export function complain(error) {
  if (error.refused?.lost || error.refused?.cancelled) return;
  note(made("p", { className: "warning" }, ...told(error)));
}

// Whether a button can be pressed; where it no longer can, its focus goes to the first that can beside it.
export function enable(one, can) {
  const had = document.activeElement === one;
  one.disabled = !can;
  if (had && !can) one.parentElement.querySelector("button:not(:disabled)")?.focus();
}

// The text of an element; one that stays is not read out again.
export function tell(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

// What is wrong, and what helps.
export const told = ({ message, help }) => sentence([message, help].filter(Boolean).join(" — "));

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
