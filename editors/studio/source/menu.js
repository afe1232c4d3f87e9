// The one menu of the page: what can be done at a place, to be chosen by click, arrows and Enter.

import { element } from "./dom.js";

// Show `children` beside a box of the window. With `focus` the first button gets it; `left` is called when Escape closes the menu.
export function openMenu(children, box, { focus = false, left = () => {} } = {}) {
  const menu = element("menu");
  menu.replaceChildren(...children);
  menu.hidden = false;
  const beside = Math.min(box.right + 4, innerWidth - menu.offsetWidth - 8);
  const top = Math.min(box.top, innerHeight - menu.offsetHeight - 8);
  menu.style.left = `${Math.max(4, beside)}px`;
  menu.style.top = `${Math.max(4, top)}px`;
  const all = [...menu.querySelectorAll("button")];
  if (focus) all[0]?.focus();
  menu.onkeydown = (pressed) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed.key];
    if (step) {
      pressed.preventDefault();
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    } else if (pressed.key === "Escape") {
      pressed.preventDefault();
      closeMenu();
      left();
    }
  };
}

export function closeMenu() {
  element("menu").hidden = true;
}
