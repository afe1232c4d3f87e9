// What wrote a value: each change of a variable, zone or cell in the play so far, with its clause.

import { button, element, made, plural, show, told } from "./dom.js";

export class History {
  // `doing`: {board(), goTo(place)}.
  constructor(channel, doing) {
    this.channel = channel;
    this.doing = doing;
    const look = () => this.ask().then(() => element("writes").scrollIntoView({ block: "nearest" }));
    element("history-of").addEventListener("change", look);
    element("history").addEventListener("submit", (event) => (event.preventDefault(), look()));
  }

  get name() {
    return element("history-of").value.trim();
  }

  // Another position: the names that can be asked of, and the newest changes of the one that was.
  update(view) {
    element("history-names").replaceChildren(...view.values.map((value) => made("option", { value })));
    if (this.name) this.ask();
  }

  async ask() {
    const { name } = this;
    if (!name) {
      show("writes");
      return;
    }
    try {
      const { changes } = await this.channel.ask({ do: "history", board: this.doing.board(), name });
      if (name !== this.name) return;
      const rows = changes.map((one) => made("li", {}, made("b", {}, one.ply ? `${one.ply}. ${one.action}` : one.action), ` ${one.value} ${one.change} `, this.clause(one)));
      show("writes", made("p", { className: "faint" }, plural(changes.length, "change")), made("ul", { className: "plain" }, ...rows));
    } catch (error) {
      if (name === this.name && !error.refused?.lost) show("writes", made("p", { className: "warning" }, ...told(error)));
    }
  }

  clause(one) {
    const name = one.cite ? `${one.clause} [${one.cite}]` : one.clause;
    if (!one.file) return made("span", { className: "clause" }, name);
    return button(`${name} ${one.file.replace(/^:/, "").split("/").pop()}:${one.line}`, () => this.doing.goTo(one), { className: "clause link" });
  }
}
