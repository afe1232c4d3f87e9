// The page of one puzzle, or of a book of them: plays, explains, undoes, hints, and has a worker solve.

import { button, element, made } from "./dom.js";
import { Game } from "./engine.js";
import { Line } from "./line.js";
import { unpacked } from "./memory.js";
import { Reader } from "./reader.js";
import { definitions, painted, placed, rim } from "../../pictures/scene.js";
import { WORDS, nearest, steered } from "./steering.js";

const WIDE = 480; // pixels: a wider board scrolls on a telephone, where its cells would be too small to tap

const OUTCOMES = { 1: "Won.", 0: "A draw.", "-1": "Lost." };

const SCRIPT = document.currentScript.textContent; // the worker's too
const book = JSON.parse(element("data").textContent);

const kept = {
  get(name) { try { return localStorage.getItem(`rulewright ${name}`); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(`rulewright ${name}`, value); } catch { /* no storage: nothing is marked */ } },
};

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("").slice(0, 32);
}

let dealt = null, seed = "", number = 0, game = null, line = null, selected = null, worker = null, busy = 0;
const here = () => book.puzzles[number];

// What is shown --------------------------------------------------------------------------------

// Lists are written anew after a move. Whoever chose in one by keyboard goes on from here.
const AFTER = { all: "#all summary", menu: "#menu button, .lit", line: "#line [aria-current]" };

function show() {
  const focused = document.activeElement?.dataset?.thing, listed = Object.keys(AFTER).find(id => element(id).contains(document.activeElement));
  const legal = game.legal(), lit = new Map();
  for (const move of legal) {
    for (const thing of game.thingsIn(move)) lit.has(thing) ? lit.get(thing).push(move) : lit.set(thing, [move]);
  }
  paint();
  for (const one of document.querySelectorAll("[data-thing]")) {
    const moves = lit.get(one.dataset.thing) ?? [], name = one.querySelector("title")?.textContent ?? one.dataset.thing;
    one.classList.toggle("lit", moves.length > 0);
    rim(one);
    one.classList.toggle("selected", selected === one.dataset.thing);
    one.setAttribute("role", moves.length ? "button" : "img");
    one.setAttribute("tabindex", "0");
    const words = moves.slice(0, 3).map(move => game.format(move)).join("; ");
    one.setAttribute("aria-label", moves.length ? `${name}: ${words}${moves.length > 3 ? " …" : ""}` : name);
  }
  if (focused) document.querySelector(`[data-thing="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  showTurn();
  showMoves(legal);
  showLine();
  if (listed) document.querySelector(AFTER[listed])?.focus({ preventScroll: true });
  showScore();
  element("undo").disabled = !line.at.parent;
  element("redo").disabled = !line.at.last;
  element("restart").disabled = !line.at.parent;
  element("hint").hidden = element("solve").hidden = !here().search;
  element("unsolved").textContent = here().unsolved;
  element("keys").hidden = !here().search || !here().within;
  element("hint").disabled = element("solve").disabled = element("keys").disabled = game.isOver;
  try { history.replaceState(null, "", `#${fragment()}`); } catch { /* not allowed in some frames */ }
}

function paint() {
  const { stage } = here().packed, before = line.at.parent && new Reader(game, line.at.parent.state);
  const { boards, panel, told } = placed(stage, new Reader(game), before);
  const board = element("board"), left = board.scrollLeft;
  board.innerHTML = boards.map(one => painted(stage, one, stage.title, told)).join("");
  boards.forEach(({ size: [wide] }, at) => board.children[at].style.setProperty("--wide", wide));
  board.classList.toggle("wide", boards.some(({ size: [wide] }) => wide > WIDE));
  board.scrollLeft = left;
  element("beside").innerHTML = painted(stage, panel, `${stage.title}: beside the board`, told);
}

function showTurn() {
  const standing = game.isOver ? "" : game.data.players > 1 ? `Player ${game.player} to move.` : "";
  element("turn").textContent = [standing, value()].filter(Boolean).join(" ");
}

// The value that the question compares, as it stands.
function value() {
  const asked = game.asked();
  if (!asked) return "";
  if (asked.value === null) return `${line.path().length} ${line.path().length === 1 ? "move" : "moves"} so far.`;
  return here().counts && here().counts !== "score" ? `${here().counts[0].toUpperCase()}${here().counts.slice(1)}: ${asked.value}.` : "";
}

function showMoves(legal) {
  const chosen = selected === null ? [] : legal.filter(move => game.thingsIn(move).includes(selected));
  const seen = new Set(Array.from(document.querySelectorAll("[data-thing]"), one => one.dataset.thing));
  const named = move => game.thingsIn(move).some(thing => seen.has(thing));
  const menu = chosen.length ? chosen : legal.filter(move => !named(move));
  element("menu").replaceChildren(...menu.slice(0, 60).map(move => button(game.format(move), () => play(move))));
  element("menu").hidden = !menu.length;
  const all = element("all"), count = legal.length;
  all.hidden = count === 0;
  all.querySelector("summary").textContent = `All moves (${count})`;
  all.querySelector("p").replaceChildren(...legal.slice(0, 300).map(move => button(game.format(move), () => play(move))));
}

function showLine() {
  const items = line.shown.map((node, at) => {
    const item = made("li");
    const who = game.data.players > 1 ? `${node.player}: ` : "";
    item.append(button(who + node.text, () => { line.go(node); settle(); }, node === line.at ? { "aria-current": "step" } : {}));
    for (const other of node.parent.children) {
      if (other !== node) item.append(button(`or ${other.text}`, () => { line.go(other); settle(); }, { class: "other" }));
    }
    item.value = at + 1;
    return item;
  });
  element("line").replaceChildren(...items);
}

function showScore() {
  const items = game.scoreItems(), box = element("score");
  box.hidden = !here().packed.stage.panel.rules.some(({ is }) => is === "Score"); // else each player's stands beside the board
  if (box.hidden) return;
  box.querySelector("summary").textContent = `Score ${game.score}`;
  const told = ({ points, cell, tile, rule }) => [`${points}`, cell, tile, rule].filter(Boolean).join("  ");
  box.querySelector("ul").replaceChildren(...items.map(item => made("li", {}, told(item))));
}

const thingsNamed = name => document.querySelectorAll(`[data-thing="${CSS.escape(name)}"]`);

const say = (...parts) => element("about").replaceChildren(...parts);

// What is done ---------------------------------------------------------------------------------

async function play(move) {
  selected = null;
  stop();
  try {
    line.play(move);
  } catch (error) {
    say(made("p", {}, `${game.format(move)}: ${error.message}`));
    return;
  }
  say();
  settle();
  await reply();
}

// Shows where play stands, and what the question says of it.
async function settle() {
  selected = null;
  show();
  const asked = game.asked(), puzzle = here();
  element("end").textContent = "";
  if (!asked?.end) return;
  const node = line.at, told = await verdict(asked, puzzle);
  if (line.at === node) element("end").textContent = told;
}

async function verdict({ met, value }, puzzle) {
  const worth = value ?? line.path().length;
  if (puzzle.least && !met) return "Play has ended, and it was not reached.";
  if (puzzle.within && taken(puzzle.within) > puzzle.within.most) return "That took too long. Undo, and try another way.";
  if (puzzle.threshold !== null) return worth >= puzzle.threshold ? marked(puzzle, "best", "Reached!") : "Not reached. Undo, and try another way.";
  const words = puzzle.least ? `Reached: ${worth}.` : puzzle.wins ? OUTCOMES[worth] : `The end: ${worth}.`;
  if (!puzzle.best) return marked(puzzle, "end", words);
  if (await digest(`${puzzle.salt} ${worth}`) === puzzle.best) return marked(puzzle, "best", `${words} That is the best possible.`);
  return marked(puzzle, "end", `${words} ${puzzle.player ? "More was possible." : "A better end exists."}`);
}

// How many turns (or moves) of their own the one who asks has begun.
function taken({ player, turns }) {
  const own = line.path().filter(move => move.player === player).map(({ parent }) => turns ? parent.state.slots[1] : parent);
  return new Set(own).size;
}

function marked(puzzle, how, words) {
  if (kept.get(puzzle.salt) !== "best") kept.set(puzzle.salt, how);
  showBook();
  return words;
}

// Whom the reader plays: who is asked, or the first to move. The other players answer by best play where the question is asked
// against it, else as the reader chooses.
const own = () => here().player ?? line.first;

async function reply() {
  const how = element("others").value;
  if (how === "all" || game.isOver || game.player === own()) return;
  if (how === "random") {
    const legal = game.legal();
    play(legal[Math.floor(Math.random() * legal.length)]);
    return;
  }
  const node = line.at;
  ask("The other side thinks …", { replies: true }, ({ reply: move }) => {
    if (line.at === node && move) play(move);
  });
}

function tap(thing) {
  const legal = game.legal(), of = (one, moves) => moves.filter(move => game.thingsIn(move).includes(one));
  if (selected !== null && selected !== thing) {
    const both = of(thing, of(selected, legal));
    if (both.length === 1) return play(both[0]);
    if (both.length > 1) {
      selected = thing;
      show();
      element("menu").replaceChildren(...both.map(move => button(game.format(move), () => play(move))));
      return undefined;
    }
  }
  const moves = of(thing, legal);
  if (moves.length === 1) return play(moves[0]);
  selected = moves.length && selected !== thing ? thing : null;
  show();
  if (!moves.length) explain(thing);
  else say(made("p", {}, selected === null ? "" : "Choose where, or one of these moves."));
  return undefined;
}

const MOST_NAMED = 6;

// Why nothing can be done with a thing: the reasons of the attempt nearest to a legal one, in the words of the rules. What they
// are about is named and outlined.
function explain(thing) {
  const name = document.querySelector(`[data-thing="${CSS.escape(thing)}"] title`)?.textContent ?? thing;
  const list = made("ul");
  for (const { attempt, reasons } of game.prospects(thing)) {
    if (!attempt) continue;
    const item = list.appendChild(made("li", { class: "not" }, game.format(attempt)));
    const why = item.appendChild(made("ul"));
    for (const { message, module, cite, things } of reasons) {
      const clause = [module, cite].filter(Boolean).join(", "), named = things.map(one => game.nameOf(one)).filter(name => !message.includes(name));
      const about = named.slice(0, MOST_NAMED).join(", ") + (named.length > MOST_NAMED ? " …" : "");
      why.append(made("li", {}, message + (clause ? ` (${clause})` : "") + (about ? `: ${about}` : "")));
      for (const one of things) for (const shown of thingsNamed(one)) shown.classList.add("reason");
    }
  }
  say(made("h2", {}, name), list.childElementCount ? list : made("p", {}, game.isOver ? "Play has ended." : "No action takes it here."));
}

// The worker -----------------------------------------------------------------------------------

// `heard` gets what is found; what the search says meanwhile, and what it failed of, is told here.
function ask(words, question, heard, failure = "") {
  stop();
  const script = URL.createObjectURL(new Blob([SCRIPT], { type: "text/javascript" }));
  worker = new Worker(script);
  busy += 1;
  const turn = busy, puzzle = here();
  worker.onmessage = ({ data }) => {
    URL.revokeObjectURL(script);
    if (data.compiled) puzzle.compiled = data.compiled;
    if (turn !== busy || data.compiled) return;
    if (!data.news) stop();
    if (data.news) element("state").textContent = progress(data.news);
    else if (data.failed) element("state").textContent = `${failure}${data.failed}.`;
    else heard(data);
  };
  element("stop").hidden = false;
  element("state").textContent = words;
  worker.postMessage({ text: puzzle.search, compiled: puzzle.compiled, path: line.path().map(node => node.move), ...question });
}

function stop() {
  worker?.terminate();
  worker = null;
  busy += 1;
  element("stop").hidden = true;
  element("state").textContent = "";
}

const progress = ({ best, bound, states }) =>
  `Searching: ${states.toLocaleString("en")} positions` + (best === null ? "" : `, best so far ${best}`) + (bound === null ? "" : `, bound ${bound}`) + " …";

function solve() {
  const from = line.at;
  ask("Searching …", {}, ({ answer, seconds }) => {
    for (const move of answer.plan) line.play(move);
    line.go(from);
    show();
    const proved = answer.status === "optimal" ? "proved the best" : answer.status;
    const worth = answer.value === null ? "" : `${answer.value}: `;
    const told = answer.status === "impossible" ? `It cannot be reached from here: proved in ${seconds.toFixed(1)} s on this device.`
      : `${worth}${proved} from here in ${seconds.toFixed(1)} s on this device, ${answer.states.toLocaleString("en")} positions. Step through it with Redo.`;
    // A page has no Python to check a certificate.
    const count = here().many && answer.plan.length ? ` A page does not count the ways: rulewright solve ${here().name} does.` : "";
    const proof = from === line.root ? ` A proof to check elsewhere: rulewright solve ${here().name} --certificate FILE, then rulewright-check FILE.` : "";
    element("state").textContent = told + count + proof;
  }, "No answer: ");
}

function hint() {
  const node = line.at;
  ask("Looking …", {}, ({ answer }) => {
    if (!answer.plan.length) element("state").textContent = "Nothing is left to find from here.";
    else if (line.at === node) element("state").textContent = `Try: ${game.format(answer.plan[0])}`;
  }, "No hint: ");
}

// The solution of a problem from here, as problem pages print it.
function showSolution() {
  const from = line.at;
  ask("Looking for keys …", { solution: true }, ({ solution }) => {
    say(made("h2", {}, "Keys and variations"), solution.length ? variations(solution, from, []) : made("p", {}, "From here it cannot be done in the turns that are left."));
    game.load(line.at.state);
  }, "No solution: ");
}

// Moves with what follows, those that the same moves follow in one item. Choosing a move plays up to it.
function variations(moves, from, path) {
  const list = made("ul"), items = new Map();
  for (const { move, own, replies } of moves) {
    game.load(from.state);
    for (const one of path) game.play(one);
    const text = game.format(move), here = [...path, move];
    const below = variations(replies, from, here), follows = own ? text : below.textContent;
    const item = items.get(follows) ?? list.appendChild(made("li"));
    if (!items.has(follows)) item.append(below);
    items.set(follows, item);
    const several = own && moves.length > 1, mark = own && !path.length ? "!" : several ? " (dual)" : "";
    item.lastChild.before(button(text + mark, () => { line.go(from); here.forEach(one => line.play(one)); settle(); }), " ");
  }
  return list;
}

// The book, and links --------------------------------------------------------------------------

function showBook() {
  element("book").hidden = book.puzzles.length < 2;
  const marks = { best: "✓ ", end: "· " }, solved = book.puzzles.filter(({ salt }) => kept.get(salt) === "best").length;
  const where = `Puzzle ${number + 1} of ${book.puzzles.length}` + (solved ? `, ${solved} solved` : "");
  element("chooser").querySelector("summary").textContent = where;
  element("previous").disabled = number === 0;
  element("next").disabled = number === book.puzzles.length - 1;
  element("list").replaceChildren(...book.puzzles.map((puzzle, at) => {
    const item = made("li");
    const grade = puzzle.grade ? `, grade ${puzzle.grade}` : "";
    item.append(button((marks[kept.get(puzzle.salt)] ?? "") + puzzle.title + grade, () => { element("chooser").open = false; open(at); }, at === number ? { "aria-current": "page" } : {}));
    return item;
  }));
}

// The line of play as numbers of legal moves, behind the version of the game that they belong to: #name/1a2b3c/0.4.1; and what
// chance begins with, if it has a say: …/9f3c
function fragment() {
  const numbers = line.path().map(node => node.number.toString(36)).join("."), parts = [encodeURIComponent(here().name)];
  if (numbers || seed) parts.push(version(here()), numbers);
  return (seed ? [...parts, seed] : parts).join("/");
}

function version(puzzle) { return puzzle.salt.slice(0, 6); }

function follow(text) {
  const [name, written = "", numbers = "", chance] = text.replace(/^#/, "").split("/");
  const found = book.puzzles.findIndex(puzzle => encodeURIComponent(puzzle.name) === name);
  if (found < 0) return [0];
  if (written && written !== version(book.puzzles[found])) return [found, [], "The link holds a line of play of another version of this puzzle. Here is its start."];
  return [found, numbers.split(".").filter(Boolean).map(one => parseInt(one, 36)), undefined, chance];
}

// Where chance is open, throws dice and sets a game up anew, or as a link says.
function deal(linked = "") {
  game.load(dealt);
  seed = !here().chance ? "" : /^[0-9a-f]{1,16}$/.test(linked) ? linked : crypto.getRandomValues(new BigUint64Array(1))[0].toString(16);
  if (seed) game.module.game.seed = BigInt(`0x${seed}`);
  if (game.module.given.begin) game.module.call("begin");
  line = new Line(game);
}

const GREETING = "Tap what is marked to move it. Tap anything else to read why it cannot move.";

async function open(at, numbers = [], greeting = GREETING, linked = "") {
  stop();
  number = at;
  const puzzle = here();
  puzzle.packed ??= await unpacked(puzzle.game);
  const opened = await Game.of(puzzle.packed);
  if (here() !== puzzle) return; // another one was opened in the meantime
  game = opened;
  dealt = game.save();
  deal(linked);
  element("shapes").innerHTML = definitions(puzzle.packed.stage);
  element("title").textContent = document.title = puzzle.title;
  element("text").textContent = puzzle.text;
  element("question").textContent = puzzle.question;
  const others = element("others"), best = others.querySelector("[value=best]");
  element("seats").hidden = game.data.players < 2;
  best.hidden = best.disabled = !puzzle.player || !puzzle.search;
  others.value = best.disabled ? "all" : "best";
  for (const one of numbers) {
    const move = game.legal()[one];
    if (!move) break;
    line.play(move);
  }
  say(made("p", {}, greeting));
  showBook();
  await settle();
  element("board").scrollLeft = (element("board").scrollWidth - element("board").clientWidth) / 2;
  await reply();
}

// Keys -----------------------------------------------------------------------------------------

function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  const thing = event.target.closest?.("[data-thing]");
  if (event.key in WORDS) {
    const moves = game.legal(), move = moves[steered(event.key, moves.map(move => game.format(move)))];
    if (move) play(move);
    else if (thing) nearest(document.querySelectorAll("[data-thing]"), thing, event.key).focus();
    else document.querySelector(".lit")?.focus();
    event.preventDefault();
  } else if (thing && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    tap(thing.dataset.thing);
  } else if (event.key === "Escape") {
    stop();
    settle();
  } else if (event.key in KEYS) {
    KEYS[event.key]();
  }
}

function moved(act) {
  stop();
  act();
  say();
  settle();
}

const back = () => moved(() => {
  const answers = element("others").value !== "all";
  do line.undo(); while (answers && line.at.parent && game.player !== own());
});
const again = () => moved(() => line.redo());
const restart = () => {
  moved(() => here().chance ? deal() : line.go(line.root));
  reply();
};

const KEYS = { u: back, z: back, r: restart, y: again, h: () => { if (here().search && !game.isOver) hint(); } };

for (const [name, act] of Object.entries({ undo: back, redo: again, restart, hint, solve, keys: showSolution })) element(name).addEventListener("click", act);
element("previous").addEventListener("click", () => open(number - 1));
element("next").addEventListener("click", () => open(number + 1));
element("others").addEventListener("change", () => { stop(); reply(); });
element("stop").addEventListener("click", () => { stop(); element("state").textContent = "Stopped."; });
document.addEventListener("keydown", pressed);

let held = null;
const thingAt = event => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-thing]")?.dataset.thing;
document.addEventListener("pointerdown", event => { held = thingAt(event) ?? null; });
document.addEventListener("pointerup", event => {
  const from = held, to = thingAt(event);
  held = null;
  if (from === null || to === undefined) return;
  if (from !== to) {
    if (!game.legal().some(move => game.thingsIn(move).includes(from))) return;
    selected = from;
  }
  tap(to);
});

addEventListener("hashchange", () => {
  if (line && location.hash !== `#${fragment()}`) open(...follow(location.hash));
});
open(...follow(location.hash));
