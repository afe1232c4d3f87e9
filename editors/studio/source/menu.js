// The one menu of the page: what can be done at a place, to be chosen by click, arrows and Enter.

import { element } from "./dom.js";

let owner = null;

// Show `children` beside a box of the window, for `by`. With `focus` the first button gets it; `left` is called when Escape closes the menu.
export function openMenu(by, children, box, { focus = false, left = () => {} } = {}) {
  owner = by;
  const menu = element("menu");
  menu.replaceChildren(...children);
  menu.hidden = false;
  const beside = Math.min(box.right + 4, innerWidth - menu.offsetWidth - 8);
  const top = Math.min(box.top, innerHeight - menu.offsetHeight - 8);
  menu.style.left = `${Math.max(4, beside)}px`;
  menu.style.top = `${Math.max(4, top)}px`;
  if (focus) menu.querySelector("button")?.focus();
  menu.onkeydown = (pressed) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed.key];
    if (step) {
      pressed.preventDefault();
      const all = [...menu.querySelectorAll("button")];
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    } else if (pressed.key === "Escape") {
      pressed.preventDefault();
      closeMenu();
      left();
    }
  };
}

// Close the menu, where it is one of `by`; whether the focus was within it.
export function closeMenu(by = owner) {
  if (by !== owner) return false;
  const menu = element("menu");
  const hadFocus = menu.contains(document.activeElement);
  menu.hidden = true;
  return hadFocus;
}
