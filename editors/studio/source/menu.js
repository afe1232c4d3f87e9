// The one menu of the page: what can be done at a place, to be chosen by click, arrows and Enter.

import { element } from "./dom.js";

const ITEMS = "button, .waiting";

let owner = null;
const LONG_AGO = { at: 0 };
let focused = LONG_AGO; // when what the page gave the focus to was on the screen
let moved = LONG_AGO; // when what the page moved was on the screen

// A key or a click means what was on the screen when it was pressed.
function onScreen() {
  const drawn = { at: Infinity }; // ms
  requestAnimationFrame(() => requestAnimationFrame(() => (drawn.at = performance.now())));
  return drawn;
}

function focusOn(item) {
  item?.focus();
  focused = onScreen();
}

// As near to a place as the window has room.
function put(menu, left, top) {
  menu.style.left = `${Math.max(4, Math.min(left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(4, Math.min(top, innerHeight - menu.offsetHeight - 8))}px`;
}

// Show `children` beside a box of the window, for `by`. With `focus` the first button gets it; `left` is called when Escape closes the menu.
export function openMenu(by, children, box, { focus = false, left = () => {} } = {}) {
  owner = by;
  const menu = element("menu");
  menu.replaceChildren(...children);
  menu.hidden = false;
  put(menu, box.right + 4, box.top);
  moved = LONG_AGO;
  if (focus) focusOn(menu.querySelector(ITEMS));
  menu.onkeydown = (pressed) => {
    if (["Enter", " "].includes(pressed.key) && pressed.timeStamp < focused.at) pressed.preventDefault();
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed.key];
    if (step) {
      pressed.preventDefault();
      const all = [...menu.querySelectorAll(ITEMS)];
      focused = LONG_AGO;
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    } else if (pressed.key === "Escape") {
      pressed.preventDefault();
      closeMenu();
      left();
    }
  };
}

// Put `items` where `waiting` stood. The focus stays on what the user chose; where that is `waiting`, it goes on to what is there then.
export function settle(waiting, items) {
  if (!waiting.isConnected) return;
  const menu = element("menu");
  const hadFocus = document.activeElement === waiting;
  if (!items.length) waiting.nextElementSibling?.remove();
  waiting.replaceWith(...items);
  put(menu, menu.offsetLeft, menu.offsetTop);
  moved = onScreen();
  if (hadFocus) focusOn(items[0] ?? menu.querySelector(ITEMS));
}

// Close the menu, where it is one of `by`; whether the focus was within it.
export function closeMenu(by = owner) {
  if (by !== owner) return false;
  const menu = element("menu");
  const hadFocus = menu.contains(document.activeElement);
  menu.hidden = true;
  return hadFocus;
}

// Who goes on elsewhere by keys leaves the menu.
element("menu").addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !element("menu").contains(relatedTarget) && closeMenu());

// What is clicked has just come under the pointer: it was not meant.
element("menu").addEventListener("click", (clicked) => clicked.detail && clicked.timeStamp < moved.at && clicked.stopPropagation(), true);
