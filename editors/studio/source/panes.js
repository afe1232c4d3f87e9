// The size of the board, and the dividers between the panes: dragged by the pointer, moved by arrow keys; a double click or Delete undoes that. Where
// they were left is kept in the browser.

import { element, enable } from "./dom.js";

const KEPT = "rulewright pane ";
const STEP = 24;
const LEAST = 80;

// A divider by its element: the property of `main` that it sets, in pixels, and how to read it off a pointer.
const DIVIDERS = [
  { id: "files-edge", name: "--files", of: (place) => place.x - element("nav").getBoundingClientRect().left, grows: 1 },
  { id: "game-edge", name: "--game", of: (place) => element("playing").getBoundingClientRect().right - place.x, grows: -1 },
  { id: "effects-edge", name: "--effects", of: (place) => element("effects").getBoundingClientRect().bottom - place.y, grows: -1 },
];
const PANE = { "--files": "nav", "--game": "playing", "--effects": "effects" };

export function installPanes() {
  const main = document.querySelector("main");
  for (const { id, name, of, grows } of DIVIDERS) {
    const divider = element(id);
    const isAcross = name === "--effects";
    const size = () => element(PANE[name]).getBoundingClientRect()[isAcross ? "height" : "width"];
    const put = (pixels) => {
      const most = (isAcross ? main.clientHeight : main.clientWidth) * 0.6;
      const kept = Math.round(Math.min(Math.max(pixels, LEAST), most));
      main.style.setProperty(name, `${kept}px`);
      divider.setAttribute("aria-valuenow", kept);
      localStorage.setItem(KEPT + name, kept);
    };
    const reset = () => {
      main.style.removeProperty(name);
      localStorage.removeItem(KEPT + name);
      divider.setAttribute("aria-valuenow", Math.round(size()));
    };
    const before = Number(localStorage.getItem(KEPT + name));
    if (before) put(before);
    else reset();
    divider.addEventListener("pointerdown", (event) => {
      divider.setPointerCapture(event.pointerId);
      event.preventDefault();
      divider.focus();
    });
    divider.addEventListener("pointermove", (event) => {
      if (divider.hasPointerCapture(event.pointerId)) put(of(event));
    });
    divider.addEventListener("dblclick", reset);
    divider.addEventListener("keydown", (event) => {
      const [less, more] = isAcross ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
      if (event.key === less) put(size() - grows * STEP);
      else if (event.key === more) put(size() + grows * STEP);
      else if (event.key === "Delete") reset();
      else return;
      event.preventDefault();
    });
  }
}

// A board is as large as fits; closer, it is so many times as large, and scrolls. Returns what undoes that.
export function installZoom() {
  const board = element("board");
  let [times, fit] = [0, 1];
  const put = (next) => {
    const picture = board.querySelector("svg:not(:first-child)");
    if (!times && picture) fit = Math.min(picture.clientWidth / picture.viewBox.baseVal.width, picture.clientHeight / picture.viewBox.baseVal.height);
    times = Math.min(Math.max(next, 0), 4);
    board.classList.toggle("zoomed", times > 0);
    board.style.setProperty("--scale", fit * 1.4 ** times);
    enable(element("farther"), times > 0);
    enable(element("closer"), times < 4);
  };
  put(0);
  element("closer").addEventListener("click", () => put(times + 1));
  element("farther").addEventListener("click", () => put(times - 1));
  return () => put(0);
}
