// What ships, by game: a picture of each, its puzzles from the easiest, its modules.

import { element, made, plural } from "./dom.js";

const PICTURES = document.querySelector("meta[name=pictures]")?.content; // where they are, if there are any
const MOST_SHOWN = 30; // of a game, without a click, while one searches

export class Library {
  // `row(one)` is the button of a file.
  constructor(row) {
    this.row = row;
    this.modules = [];
    this.puzzles = [];
    // Pictures are asked for once they are in sight: those that a browser loads ahead would be drawn first.
    this.seen = new IntersectionObserver((all) => all.filter((one) => one.isIntersecting).forEach(({ target }) => (target.src = target.dataset.source)));
    element("library-filter").addEventListener("input", () => this.draw());
    this.draw();
  }

  take({ modules, puzzles }) {
    Object.assign(this, { modules, puzzles });
    this.draw();
  }

  draw() {
    const wanted = element("library-filter").value.trim().toLowerCase();
    const games = new Map();
    for (const one of [...this.puzzles, ...this.modules]) {
      if (!`${one.game} ${one.name} ${one.text}`.toLowerCase().includes(wanted)) continue;
      games.set(one.game, [...(games.get(one.game) ?? []), one]);
    }
    const sorted = [...games].sort(([one], [other]) => one.localeCompare(other));
    const found = sorted.map(([game, files]) => this.game(game, files, wanted !== "" && files.length <= MOST_SHOWN));
    this.seen.disconnect();
    for (const picture of found.flatMap((one) => [...one.querySelectorAll("img")])) this.seen.observe(picture);
    element("library-games").replaceChildren(...(found.length ? found : [made("p", { className: "faint" }, this.modules.length ? "Nothing matches." : "Loading …")]));
  }

  game(title, files, open) {
    const first = this.puzzles.find((puzzle) => puzzle.game === title && puzzle.asks);
    const picture = first && PICTURES ? made("img", { "data-source": `${PICTURES}${encodeURIComponent(first.name)}.svg`, alt: "" }) : made("span", { className: "blank" });
    const puzzles = files.filter((one) => one.file.endsWith(".puzzle")).length;
    const count = puzzles ? plural(puzzles, "puzzle") : plural(files.length, "module");
    const rows = made("ul");
    const fill = () => rows.children.length || rows.append(...files.map((one) => made("li", {}, this.row(one))));
    if (open) fill();
    return made("details", { open, ontoggle: fill }, made("summary", {}, picture, made("span", {}, made("b", {}, title), made("span", { className: "faint" }, count))), rows);
  }
}
