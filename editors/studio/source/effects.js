// "What this edit does": the answers of the folder's puzzles before and after each edit, by the clause that did it.

import { button, complain, element, made, plural, sentence } from "./dom.js";

const MOST_EDITS = 20;
const MOST_LINES = 40;
const SECONDS = 10;
const PAUSE = 200; // ms between two drawings while answers come in

export class Effects {
  // `doing`: {goTo(place), open(name), openFirst()}; the last names the files whose puzzles are looked at first.
  constructor(channel, doing) {
    this.channel = channel;
    this.doing = doing;
    this.edits = [];
    this.running = null;
    this.kept = []; // keys of what was accepted and not taken back
  }

  // Another edit, or the same typed on: {title, before, after, saved}. Those that are not saved give way.
  async run(edit) {
    const [newest] = this.edits;
    if (newest && !newest.saved && !newest.wrong && same(newest, edit)) {
      Object.assign(newest, { title: edit.title, saved: edit.saved });
      this.draw();
      return;
    }
    if (this.running) this.running.cancel();
    this.edits = [{ ...edit, found: [], seen: 0, all: null, wrong: "" }, ...this.edits.filter((one) => one.saved)].slice(0, MOST_EDITS);
    const [entry] = this.edits;
    this.draw();
    const asked = this.channel.ask({ do: "impact", texts_before: edit.before, texts: edit.after, files: this.doing.openFirst(), seconds: SECONDS }, (effect) => {
      if (effect.puzzle) entry.found.push(effect);
      else Object.assign(entry, effect);
      this.drawSoon();
    });
    this.running = entry.running = asked;
    try {
      const { all } = await asked;
      Object.assign(entry, { all, seen: all, isDone: true });
    } catch (error) {
      const isOld = error.refused?.cancelled && !entry.stopped;
      if (isOld && !entry.saved) this.edits = this.edits.filter((one) => one !== entry);
      entry.wrong = entry.stopped ? `stopped after ${entry.seen} of ${plural(entry.all ?? 0, "puzzle")}` : isOld ? "cancelled by a newer edit" : error.message;
    }
    entry.running = null;
    if (this.running === asked) this.running = null;
    this.draw();
  }

  // Nothing is typed that is not saved: what an edit would have done is told no longer.
  forget() {
    if (!this.edits.length || this.edits[0].saved) return;
    this.edits[0].running?.cancel();
    this.edits.shift();
    this.draw();
  }

  stop(entry) {
    entry.stopped = true;
    entry.running?.cancel();
  }

  drawSoon() {
    this.drawing ??= setTimeout(() => this.draw(), PAUSE);
  }

  // Whatever has the focus keeps it.
  draw() {
    clearTimeout(this.drawing);
    this.drawing = undefined;
    const buttons = () => [...element("edits").querySelectorAll("button")];
    const focused = buttons().find((one) => one === document.activeElement)?.dataset.of;
    element("edits").replaceChildren(...this.edits.map((edit) => this.edit(edit)));
    if (focused) buttons().find((one) => one.dataset.of === focused)?.focus();
    element("no-edits").hidden = this.edits.length > 0;
  }

  edit(edit) {
    const changed = edit.found.filter((one) => one.changed && !one.refused);
    const refused = edit.found.filter((one) => one.refused);
    const same = edit.found.length - changed.length - refused.length;
    const lines = [...byCause(changed)].map(([cause, group]) => this.group(edit, cause, group));
    if (same) lines.push(made("p", { className: "faint" }, `${plural(same, "puzzle")} unchanged`));
    if (edit.isDone && !edit.found.length) lines.push(made("p", { className: "faint" }, "No puzzle in this folder uses these rules."));
    for (const [message, group] of grouped(refused, (one) => one.refused)) lines.push(made("p", { className: "warning" }, ...sentence(`${group.map((one) => one.puzzle).slice(0, 5).join(", ")}${group.length > 5 ? ` and ${group.length - 5} more` : ""}: ${message}`)));
    return made("article", { className: "edit" }, made("h3", {}, edit.title, " ", made("span", { className: "faint" }, edit.wrong)), this.progress(edit), ...lines);
  }

  progress(edit) {
    if (!edit.running) return "";
    const told = edit.all === null ? "searching …" : `${edit.seen} of ${plural(edit.all, "puzzle")} examined`;
    const bar = made("progress", { max: Math.max(1, edit.all ?? 1), "aria-label": "Puzzles examined" });
    if (edit.all !== null) bar.value = edit.seen;
    return made("p", { className: "bar" }, bar, made("span", { className: "faint" }, told), button("Stop", () => this.stop(edit), { className: "stop", "data-of": `${edit.title} stop` }));
  }

  group(edit, cause, group) {
    const [{ part }] = group;
    const [span] = part.spans;
    const name = cause || "several clauses together";
    const of = (what) => ({ "data-of": `${edit.title} ${name} ${what}` });
    const head = span?.file ? button(name, () => this.doing.goTo(span), { className: "clause link", ...of("") }) : made("b", {}, name);
    const lines = group.slice(0, MOST_LINES).map(({ effect, part: one }) => made("li", {}, button(effect.puzzle, () => this.doing.open(effect.file), { className: "link", ...of(effect.file) }), ` ${told(effect, one)}`));
    if (group.length > MOST_LINES) lines.push(made("li", { className: "faint" }, `and ${plural(group.length - MOST_LINES, "puzzle")} more`));
    const outdated = group.map(({ effect }) => effect).filter((effect) => effect.expects !== null && effect.after?.answer !== null && effect.expects !== effect.after?.answer && !effect.accepted);
    const accept = outdated.length && edit.saved ? button(`Accept ${plural(outdated.length, "answer")}`, () => this.accept(outdated), { className: "accept", ...of("accept") }) : "";
    const first = outdated.length && !edit.saved ? made("span", { className: "faint" }, " save, then it can be accepted") : "";
    const isDoing = group.some(({ effect }) => effect.accepted === "…");
    const isDone = group.some(({ effect }) => effect.accepted === true);
    // What has the focus keeps it: the same place accepts, waits, and takes back.
    const accepted = isDoing ? button("accepting …", () => {}, { "aria-disabled": "true", ...of("accept") }) : isDone ? made("span", { className: "good" }, " accepted ") : "";
    const back = isDone && !isDoing ? button("Undo", () => this.takeBack(group.find(({ effect }) => effect.key).effect.key), { title: "Ctrl+Z outside the text", ...of("accept") }) : "";
    return made("section", { className: "cause" }, made("h4", {}, head, ` ${plural(group.length, "puzzle")} `, accept, first, accepted, back), made("ul", {}, ...lines));
  }

  // Bring the puzzles' answers, and what is recorded of them, up to date.
  async accept(outdated) {
    const files = outdated.map((effect) => effect.file);
    for (const effect of outdated) effect.accepted = "…";
    this.draw();
    try {
      const { accepted, key } = await this.channel.ask({ do: "accept", files, seconds: SECONDS });
      for (const effect of outdated) Object.assign(effect, { key, accepted: accepted.includes(effect.file) });
      this.kept.push(key);
    } catch (error) {
      for (const effect of outdated) effect.accepted = false;
      this.edits[0].wrong = error.message;
    }
    this.draw();
  }

  // The puzzles, and what is recorded of them, are as they were before they were accepted: at last, or by a key.
  async takeBack(key = this.kept.at(-1)) {
    if (!key) return;
    this.kept = this.kept.filter((one) => one !== key);
    const isDone = await this.channel.ask({ do: "take_back", key }).then(() => true, complain);
    if (isDone) for (const { found } of this.edits) for (const effect of found) if (effect.key === key) effect.key = effect.accepted = null;
    this.draw();
  }
}

function* byCause(changed) {
  const pairs = changed.flatMap((effect) => (effect.causes.length ? effect.causes : [{ clauses: [], spans: [] }]).map((part) => ({ effect, part })));
  yield* grouped(pairs, ({ part }) => part.clauses.join(", "));
}

function grouped(all, key) {
  const found = new Map();
  for (const one of all) {
    if (!found.has(key(one))) found.set(key(one), []);
    found.get(key(one)).push(one);
  }
  return found;
}

function told(effect, part) {
  const { before, after } = effect;
  const said = [];
  if (before?.answer !== after?.answer) {
    const answers = `answer ${before?.answer ?? word(before)} → ${after?.answer ?? word(after)}`;
    const alone = part.answer && before?.answer !== null && after?.answer !== null && Number(part.answer) !== Number(after.answer) - Number(before.answer);
    said.push(alone ? `${answers}, ${signed(part.answer)} by this` : answers);
  }
  if (part.score) said.push(`score ${signed(part.score)}`);
  if (part.reached) said.push(part.reached > 0 ? "within reach now" : "out of reach now");
  if (part.legal) {
    const { new: more, gone } = effect.legal;
    const all = [...more.map((text) => `+ ${text}`), ...gone.map((text) => `− ${text}`)];
    said.push(all.length <= 4 ? all.join("  ") : `${plural(more.length, "move")} new, ${gone.length} gone`);
  }
  if (part.items && !part.score) said.push("same score, from other items");
  return said.join(", ");
}

const same = (one, other) => JSON.stringify([one.before, one.after]) === JSON.stringify([other.before, other.after]);
const word = (outcome) => (outcome?.status === "impossible" ? "impossible" : "not proved");
const signed = (number) => (String(number).startsWith("-") ? String(number) : `+${number}`);
