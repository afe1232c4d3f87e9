// What the server offers above lines: to score, show and solve a puzzle, and which puzzles show a clause.

import { LSPPlugin } from "@codemirror/lsp-client";
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";
import { button, made } from "./dom.js";

const PAUSE = 400; // ms after the last keystroke

const found = StateEffect.define();

// The lenses of one line: buttons above it, as deep as it.
class Offers extends WidgetType {
  constructor(margin, commands, run) {
    super();
    Object.assign(this, { margin, commands, run });
  }

  eq(other) {
    return other.margin === this.margin && JSON.stringify(other.commands) === JSON.stringify(this.commands);
  }

  toDOM() {
    const offers = this.commands.flatMap((command, at) => [at ? " · " : "", button(command.title, () => this.run(command), { className: "link" })]);
    return made("div", { className: "lenses" }, this.margin, ...offers);
  }

  ignoreEvent() {
    return true;
  }
}

// Where offers will be: the text does not move when they come.
const EXPECTED = /^(module|puzzle)\b|^ +(ask|answer):/gm;

export const shown = StateField.define({
  create: ({ doc }) => Decoration.set([...doc.toString().matchAll(EXPECTED)].map(({ index }) => above(index, new Offers(" ", [])))),
  update(old, transaction) {
    const effect = transaction.effects.find((one) => one.is(found));
    return effect ? effect.value : old.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

// `run(command)` does what a lens offers.
export function lenses(run) {
  const asking = ViewPlugin.fromClass(
    class {
      constructor(view) {
        this.view = view;
        this.soon(0);
      }

      update(update) {
        if (update.docChanged) this.soon(PAUSE);
      }

      soon(pause) {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => this.ask(), pause);
      }

      async ask() {
        const plugin = LSPPlugin.get(this.view);
        if (!plugin) return;
        const { client, uri } = plugin;
        client.sync();
        const { doc } = this.view.state;
        try {
          const offers = await client.request("textDocument/codeLens", { textDocument: { uri } });
          if (this.view.state.doc === doc && LSPPlugin.get(this.view) === plugin) this.view.dispatch({ effects: found.of(drawn(doc, offers ?? [], run)) });
        } catch {
          // The server has gone, or is busy: the old lenses stay until it answers.
        }
      }

      destroy() {
        clearTimeout(this.waiting);
      }
    },
  );
  return {
    clientCapabilities: { textDocument: { codeLens: {} }, workspace: { codeLens: { refreshSupport: true } } },
    editorExtension: [shown, asking],
    refresh: (view) => view.plugin(asking)?.soon(0),
  };
}

const above = (place, widget) => Decoration.widget({ widget, block: true, side: -1 }).range(place);

function drawn(doc, offers, run) {
  const lines = new Map();
  for (const { range, command } of offers) lines.set(range.start.line, [...(lines.get(range.start.line) ?? []), command]);
  const widgets = [...lines].map(([number, commands]) => {
    const line = doc.line(Math.min(number + 1, doc.lines));
    return above(line.from, new Offers(/^\s*/.exec(line.text)[0], commands, run));
  });
  return Decoration.set(widgets, true);
}

// What is offered of the line of a place, or of the whole file: a lens whose command gets the file alone.
export function lensesAt(state, place, uri) {
  const here = state.doc.lineAt(place).from;
  const offers = [];
  const field = state.field(shown, false) ?? Decoration.none;
  field.between(0, state.doc.length, (from, _, { spec }) => {
    offers.push(...spec.widget.commands.filter((command) => from === here || (command.arguments?.length === 1 && command.arguments[0] === uri)));
  });
  return offers;
}
