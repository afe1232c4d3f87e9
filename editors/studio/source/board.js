// The board: its picture, what is lit, what a click does, and what is told of the position.

import { button, element, made, plural, refill, sentence, show, tell, uncover } from "./dom.js";
import { closeMenu, openMenu } from "./menu.js";
import { rim } from "../../../pictures/scene.js";
import { WORDS, nearest, steered } from "../../../web/js/steering.js";

const MOST_IN_MENU = 12;

export class Board {
  // `doing`: {play(action), explain(thing), goTo(place), arranges(thing)}.
  constructor(doing) {
    this.doing = doing;
    this.picture = element("board");
    this.beside = element("beside");
    this.view = null;
    [this.chosen, this.widths] = [[], []];
    for (const place of [this.picture, this.beside]) {
      place.addEventListener("click", (event) => this.pick(event.target.closest?.("[data-thing]"), event));
      place.addEventListener("keydown", (event) => this.key(event));
    }
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.forget());
    document.addEventListener("pointerdown", (event) => {
      if (!element("menu").contains(event.target) && !this.picture.contains(event.target) && !this.beside.contains(event.target)) closeMenu();
    });
  }

  draw(view) {
    // A menu of the board is outdated by another position; not by the same one drawn anew, and one at the cursor never.
    const isSame = this.isOf(view);
    const focused = !isSame && closeMenu(this) ? this.chosen.at(-1) : document.activeElement?.dataset?.thing;
    this.view = view;
    if (!isSame) this.chosen = [];
    // Definitions of shapes, the boards, and what stands beside them.
    const parts = view.svg.map((text) => document.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement));
    parts.slice(0, -1).forEach((part, at) => this.spread(part, at));
    this.picture.style.setProperty("--widest", Math.max(...this.widths));
    this.picture.replaceChildren(...parts.slice(0, -1));
    this.beside.replaceChildren(parts.at(-1));
    this.things = [this.picture, this.beside].flatMap((place) => [...place.querySelectorAll("[data-thing]")]);
    this.light();
    const first = this.things.find((thing) => thing.classList.contains("lit")) ?? this.things[0];
    for (const thing of this.things) thing.setAttribute("tabindex", thing === first ? "0" : "-1");
    if (focused) this.focus(this.things.find((thing) => thing.dataset.thing === focused) ?? first); // a tile that was played is gone
    this.tell(view);
  }

  // No block gets narrower while one plays: when a hand does, nothing else moves.
  spread(part, at) {
    const wide = (this.widths[at] = Math.max(this.widths[at] ?? 0, part.getAttribute("width")));
    part.setAttribute("viewBox", `0 0 ${wide} ${part.getAttribute("height")}`);
    part.style.setProperty("--wide", wide);
  }

  // Another game is about to be shown: nothing of the one before stands under its name, or can be played.
  clear() {
    closeMenu(this);
    this.view = null;
    [this.chosen, this.things, this.widths] = [[], [], []];
    this.picture.replaceChildren();
    element("state").hidden = true;
    element("history-of").value = "";
    show("writes");
    tell("turn", "Setting up the board …");
    tell("asked", "");
    for (const id of ["undo", "redo", "restart", "hint", "solve", "arrange", "new-puzzle"]) element(id).disabled = true;
  }

  // Whether the position that is shown looks like this one and has the same legal moves.
  isOf({ svg, turn, legal }) {
    const shown = this.view;
    return String(shown?.svg) === String(svg) && shown.turn === turn && String(shown.legal.map((move) => move.text)) === String(legal.map((move) => move.text));
  }

  light() {
    const lit = new Set(this.candidates().flatMap((move) => move.things));
    for (const thing of this.things) {
      const isLit = lit.has(thing.dataset.thing);
      thing.classList.toggle("lit", isLit);
      rim(thing);
      thing.classList.toggle("chosen", this.chosen.includes(thing.dataset.thing));
      thing.classList.remove("hinted", "guilty");
    }
  }

  point(things, kind) {
    for (const thing of this.things ?? []) thing.classList.toggle(kind, things.includes(thing.dataset.thing));
  }

  candidates(chosen = this.chosen) {
    return this.view.legal.filter((move) => chosen.every((thing) => move.things.includes(thing)));
  }

  pick(thing, event) {
    if (!thing || !this.view) return;
    const name = thing.dataset.thing;
    this.focus(thing);
    if (this.doing.arranges(name)) return;
    let chosen = [...new Set([...this.chosen, name])];
    let found = this.candidates(chosen);
    if (!found.length) {
      chosen = [name];
      found = this.candidates(chosen);
    }
    if (!found.length) {
      this.forget();
      this.doing.explain(name, thing.querySelector("title")?.textContent ?? name);
      return;
    }
    if (found.length === 1) {
      this.doing.play(found[0].text);
      return;
    }
    this.chosen = chosen;
    this.light();
    this.openMenu(found, thing, event);
  }

  // Several moves at one place.
  openMenu(found, thing, event) {
    const items = found.slice(0, MOST_IN_MENU).map((move) => button(move.text, () => this.doing.play(move.text), { role: "menuitem" }));
    const more = found.length - items.length;
    const note = more > 0 ? [made("p", {}, `and ${more} more: click another place to choose among them`)] : [];
    const why = button("Why is nothing else legal?", () => this.doing.explain(thing.dataset.thing, thing.textContent), { role: "menuitem", className: "quiet" });
    openMenu(this, [...items, ...note, why], thing.getBoundingClientRect(), { focus: event?.detail === 0 || event?.type === "keydown" });
  }

  forget() {
    const wasOpen = !element("menu").hidden;
    closeMenu();
    show("about");
    this.point([], "guilty");
    if (!this.view || (!this.chosen.length && !wasOpen)) return;
    const last = this.chosen.at(-1);
    this.chosen = [];
    this.light();
    if (last) this.focus(this.things.find((thing) => thing.dataset.thing === last));
  }

  focus(thing) {
    if (!thing) return;
    for (const other of this.things) other.setAttribute("tabindex", other === thing ? "0" : "-1");
    thing.focus({ preventScroll: true });
  }

  key(event) {
    const thing = event.target.closest?.("[data-thing]");
    if (!thing) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(thing, event);
    } else if (event.key in WORDS && !event.altKey) {
      event.preventDefault();
      const moves = this.picture.classList.contains("arranging") ? [] : this.view.legal;
      const move = moves[steered(event.key, moves.map(({ text }) => text))];
      if (move) return this.doing.play(move.text);
      this.focus(nearest(this.things, thing, event.key));
      document.activeElement.scrollIntoView({ block: "nearest", inline: "nearest" }); // within a board that is larger than its place
    }
  }

  // Beside the picture -------------------------------------------------------------------------------------------------

  tell(view) {
    element("turn").textContent = view.over ? `${view.turn[0].toUpperCase()}${view.turn.slice(1)}.` : view.turn;
    element("asked").textContent = view.asked || view.text;
    element("asked").title = view.question;
    element("score").textContent = view.score === null ? "Score" : `Score ${view.score}${view.rank ? ` · ${view.rank}` : ""}`;
    const items = view.items.filter((item) => view.score !== null || item.where || item.tile); // else they do not say whose they are
    element("score").parentElement.hidden = view.score === null && !items.length;
    show("items", ...items.map((item) => this.item(item)));
    element("moves-title").textContent = view.over ? "Legal moves" : `Legal moves (${view.many.toLocaleString("en")})`;
    refill(element("moves"), view.legal.slice(0, 200).map((move) => made("li", {}, this.move(move))), this.things[0]);
    element("moves-more").textContent = view.many > 200 ? `and ${view.many - 200} more, on the board` : "";
  }

  move(move) {
    const point = () => this.point(move.things, "hinted");
    const away = () => this.point([], "hinted");
    return button(move.text, () => this.doing.play(move.text), { onpointerenter: point, onpointerleave: away, onfocus: point, onblur: away });
  }

  item(item) {
    const point = () => this.point([item.thing], "hinted");
    const told = [made("b", {}, String(item.points)), " ", [item.where, item.tile].filter(Boolean).join(" "), " "];
    return made("li", { onpointerenter: point, onpointerleave: () => this.point([], "hinted") }, ...told, this.clause(item, item.rule));
  }

  // The name of a clause, which leads to its line.
  clause(place, name) {
    const cite = place.cite ? ` [${place.cite}]` : "";
    if (!place.file) return made("span", { className: "clause" }, name + cite);
    const where = `${place.file.replace(/^:/, "")}:${place.line}`;
    return button(name + cite, () => this.doing.goTo(place), { className: "clause link", title: where });
  }

  reason(reason) {
    const parts = reason.parts.map((part) => made("li", {}, this.clause(part, part.name), part.text ? ` ${part.text}` : ""));
    const involved = reason.involved.length ? `: ${reason.involved.join(", ")}` : "";
    return made("li", {}, ...sentence(reason.message), `${involved} — `, this.clause(reason, reason.requirement), parts.length ? made("ul", {}, ...parts) : "");
  }

  // What may be done with a thing, or why not.
  explained(title, found) {
    const lines = found.prospects.map((prospect) => {
      if (prospect.legal) return made("li", { className: "may" }, ...prospect.legal.slice(0, MOST_IN_MENU).flatMap((text) => [button(text, () => this.doing.play(text)), " "]));
      return made("li", { className: "not" }, made("b", {}, prospect.attempt), " is not legal:", made("ul", {}, ...prospect.reasons.map((reason) => this.reason(reason))));
    });
    const guilty = found.prospects.flatMap((prospect) => (prospect.reasons ?? []).flatMap((reason) => reason.things));
    this.point(guilty, "guilty");
    const nothing = found.over ? "The game is over." : "No action applies here.";
    show("about", made("h3", {}, title), lines.length ? made("ul", { className: "prospects" }, ...lines) : made("p", {}, nothing));
    uncover("about");
  }

  // How the position differs under other rules, or that play cannot go on.
  changes(view, onCut) {
    const told = [];
    if (view.refused) {
      const reasons = view.refused.reasons.map((reason) => this.reason(reason));
      told.push(made("p", { className: "warning" }, ...sentence(view.refused.message)), made("ul", {}, ...reasons), button("Go on from here", onCut));
    }
    const changes = view.changes;
    if (changes?.none) told.push(made("p", {}, `Before this edit the position did not exist: ${changes.none}`));
    else if (changes) {
      const [old, now] = changes.score;
      const lines = [
        ...changes.legal.new.slice(0, 8).map((text) => made("li", {}, made("ins", {}, `+ ${text}`))),
        ...changes.legal.gone.slice(0, 8).map((text) => made("li", {}, made("del", {}, `− ${text}`))),
        ...changes.items.new.slice(0, 8).map((text) => made("li", {}, made("ins", {}, `+ ${text}`))),
        ...changes.items.gone.slice(0, 8).map((text) => made("li", {}, made("del", {}, `− ${text}`))),
      ];
      const counts = [
        old === now ? "" : `score ${old} → ${now}`,
        changes.legal.new.length ? `${plural(changes.legal.new.length, "move")} new` : "",
        changes.legal.gone.length ? `${plural(changes.legal.gone.length, "move")} gone` : "",
      ].filter(Boolean);
      if (lines.length) told.push(made("p", {}, made("b", {}, "Changed by the last edit: "), counts.join(", ") || "same score, from other items"), made("ul", { className: "plain" }, ...lines));
    }
    show("changes", ...told);
  }
}
