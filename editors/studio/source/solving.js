// The best play from the position on the board: best and bound as they move, the plan step by step.

import { button, element, enable, made, show, told as words, uncover } from "./dom.js";

const HINT_SECONDS = 5;
const SECONDS = 60;

export class Solving {
  // `doing`: {board(), play(action), goTo(node), here(), point(things), legal()}.
  constructor(channel, doing) {
    this.channel = channel;
    this.doing = doing;
    this.running = null;
  }

  async solve({ hint = false } = {}) {
    this.cancel();
    const seconds = hint ? HINT_SECONDS : SECONDS;
    const from = this.doing.here();
    const bar = made("progress", { max: 1 });
    const told = made("span", {}, "searching …");
    show("solving", made("p", {}, bar, " ", told, " ", button("Cancel", () => this.cancel(), { id: "cancel" })));
    uncover("solving");
    const asked = this.channel.ask({ do: "solve", board: this.doing.board(), seconds, checks: !hint }, (known) => {
      told.textContent = known_(known);
      if (known.best !== null && known.bound) bar.value = Math.max(0, Math.min(1, 1 - known.gap / Math.max(1, Math.abs(known.bound))));
    });
    this.running = asked;
    try {
      const found = await asked;
      if (this.running !== asked) return null;
      this.running = null;
      if (hint) this.hint(found);
      else this.plan(found, from);
      return found;
    } catch (error) {
      if (this.running !== asked && !error.refused?.cancelled) return null;
      this.running = null;
      show("solving", error.refused?.cancelled ? made("p", {}, "The search was cancelled.") : made("p", { className: "warning" }, ...words(error)));
      return null;
    }
  }

  cancel() {
    if (this.running) this.running.cancel();
  }

  clear() {
    this.cancel();
    show("solving");
  }

  // The rules are others now: what was found of the old ones says so.
  outdate() {
    const verdict = element("verdict");
    if (verdict && !element("outdated")) verdict.append(made("span", { id: "outdated", className: "faint" }, " That was before the rules were changed."));
  }

  verdict(found) {
    const proved = found.status === "optimal" ? "proved best" : "not proved";
    if (found.status === "impossible") return `Impossible: proved in ${found.seconds} s.`;
    if (isWord(found)) return `${found.proved[0].toUpperCase()}${found.proved.slice(1)}: proved in ${found.seconds} s.`;
    if (found.value === null) return `No plan found in ${found.seconds} s.`;
    const bound = found.status === "optimal" || found.bound === null ? "" : `, bound ${found.bound}`;
    return `Best ${decimal(found.value)}${bound}: ${proved} in ${found.seconds} s.`;
  }

  hint(found) {
    const [first] = found.plan;
    if (!first) {
      show("solving", made("p", {}, this.verdict(found)));
      return;
    }
    const move = this.doing.legal().find((one) => one.text === first.text);
    if (move) this.doing.point(move.things);
    const sure = found.status === "optimal" ? "" : " (not proved to be best)";
    show("solving", made("p", {}, "Hint: ", button(first.text, () => this.doing.play(first.text)), sure));
  }

  // The plan is hidden at first: whoever solves a puzzle wants one step at a time.
  plan(found, from) {
    const shown = { steps: 0 };
    const list = made("ol", { id: "plan" });
    const next = button("Show next step", () => step(), { id: "next-step" });
    const all = button("Show all", () => step(found.plan.length));
    const line = (at) => button(`${found.plan[at].text}${isWord(found) ? "" : ` · ${found.plan[at].value}`}`, () => this.doing.playFrom(from, found.plan.slice(0, at + 1).map((one) => one.text)));
    const step = (count = shown.steps + 1) => {
      for (; shown.steps < Math.min(count, found.plan.length); shown.steps += 1) list.append(made("li", {}, line(shown.steps)));
      for (const one of [all, next]) enable(one, shown.steps < found.plan.length);
    };
    const steps = found.plan.length ? [made("p", {}, next, " ", all), list] : [];
    const checked = found.checked && made("p", { id: "checked" }, `Checked here, by the rules alone: ${found.checked}.`);
    const lines = found.lines && made("details", { id: "variations" }, made("summary", {}, "Keys and variations"), made("pre", {}, found.lines.join("\n")));
    show("solving", made("p", { id: "verdict" }, made("b", {}, this.verdict(found))), checked, ...steps, lines);
    uncover("solving");
  }
}

// Whether what is proved is no number: a win, or yes.
const isWord = ({ proved }) => /^[a-z]/.test(proved ?? "");

// `70/9` as `70/9, about 7.778`.
function decimal(value) {
  const [over, under] = value.split("/").map(Number);
  return under ? `${value}, about ${(over / under).toPrecision(4)}` : value;
}

function known_(known) {
  const best = known.best === null ? "nothing yet" : `best ${known.best}`;
  const bound = known.bound === null ? "" : `, bound ${known.bound}`;
  const gap = known.gap === null ? "" : `, gap ${known.gap}`;
  return `${best}${bound}${gap} · ${known.states.toLocaleString("en")} states`;
}
