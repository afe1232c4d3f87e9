// Tiles laid by hand, against no rule: dragged, or picked up and put down by clicks and keys.

import { button, element, made, show } from "./dom.js";

export class Arranging {
  // `changed` is called after each step.
  constructor(board, { changed }) {
    Object.assign(this, { board, changed });
    this.isOn = false;
    this.steps = [];
    this.held = null;
    for (const place of [board.picture, board.beside]) {
      place.addEventListener("pointerdown", (event) => this.isOn && this.hold(event));
      place.addEventListener("keydown", (event) => this.isOn && this.press(event));
    }
    document.addEventListener("pointerup", (event) => this.isOn && this.drop(event));
  }

  start(steps = []) {
    this.isOn = true;
    this.steps = steps;
    this.held = null;
    this.refused = "";
    this.tell();
  }

  stop() {
    const had = this.steps.length > 0;
    this.isOn = false;
    this.steps = [];
    this.tell();
    if (had) this.changed();
  }

  tell() {
    element("arrange").setAttribute("aria-pressed", String(this.isOn));
    for (const place of [this.board.picture, this.board.beside]) place.classList.toggle("arranging", this.isOn);
    for (const place of document.querySelectorAll(".plays")) place.inert = this.isOn; // a move would give up what was laid
    if (!this.isOn) {
      show("arranging");
      return;
    }
    const box = (this.board.view?.palette ?? []).map((one) => {
      const found = button(`${one.name} ×${one.count}`, () => this.pick(one.thing));
      found.dataset.kind = one.thing;
      found.classList.toggle("chosen", this.held === one.thing);
      return found;
    });
    show(
      "arranging",
      made("p", { className: "bar" }, made("b", {}, "Arrange"), button("Undo last step", () => this.back(), { disabled: !this.steps.length }), button("Discard", () => this.stop(), { id: "arrange-off" })),
      box.length ? made("p", { className: "bar box" }, "In the box: ", ...box) : null,
      this.refused ? made("p", { className: "warning", role: "alert" }, this.refused) : null,
      made("p", { className: "faint" }, "Drag tiles, or pick one up and click where it goes; Delete puts it into the box. The rules are ignored, and no move is played."),
    );
  }

  hold(event) {
    const thing = event.target.closest("[data-thing]");
    this.from = thing?.dataset.thing ?? null;
  }

  drop(event) {
    const { from } = this;
    this.from = null;
    if (from === null) return;
    const over = document.elementFromPoint(event.clientX, event.clientY);
    const target = over?.closest?.("#board [data-thing]")?.dataset.thing;
    if (target === from) return; // A click, which picks up or puts down.
    if (target) this.lay(from, target);
    else if (!over?.closest?.("#board, #beside")) this.lay(from, "");
  }

  // A click or a key on a thing.
  pick(thing) {
    const isCell = !thing.startsWith("tile ");
    if (this.held && isCell) this.lay(this.held, thing);
    else {
      this.held = this.held === thing ? null : thing;
      this.board.point(this.held ? [this.held] : [], "chosen");
      this.tell();
    }
  }

  press(event) {
    if (["Delete", "Backspace"].includes(event.key)) this.away();
    else if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.back();
    else return;
    event.preventDefault();
  }

  away() {
    const thing = this.held ?? document.activeElement?.dataset?.thing;
    if (thing) this.lay(thing, "");
  }

  // The last step cannot be: it says why, until there is another.
  refuse({ message }) {
    this.steps.pop();
    this.refused = message;
  }

  lay(from, to) {
    this.held = null;
    this.refused = "";
    if (from === to) return;
    this.steps.push([from, to]);
    this.changed();
  }

  back() {
    this.steps.pop();
    this.changed();
  }
}
