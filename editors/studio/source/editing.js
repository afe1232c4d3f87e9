// The editor: one view, a state for each open file, and the language server where it is there.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, foldGutter, foldKeymap, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { rulewright } from "../../codemirror/rulewright.js";
import { shown as lenses } from "./lenses.js";

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.atom, class: "tok-atom" },
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.modifier, class: "tok-word" },
  { tag: tags.standard(tags.variableName), class: "tok-function" },
  { tag: tags.operator, class: "tok-operator" },
]);

// A line is as deep as the one before it, and deeper below a colon.
const indentation = indentService.of((context, place) => {
  let { number } = context.state.doc.lineAt(place);
  let above = context.simulatedBreak === place ? context.lineAt(place, -1).text : "";
  while (number > 1 && !above.trim()) above = context.state.doc.line((number -= 1)).text;
  const depth = above.length - above.trimStart().length;
  return above.replace(/#.*/, "").trimEnd().endsWith(":") ? depth + 4 : depth;
});

const mark = StateEffect.define();
const marked = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    let next = found.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(mark)) {
        const line = transaction.state.doc.lineAt(effect.value);
        next = Decoration.set([Decoration.line({ class: "shown-line" }).range(line.from)]);
      }
    }
    return transaction.docChanged && !transaction.effects.length ? Decoration.none : next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editing {
  constructor(parent, nonce, { onType, onSave, onMenu }) {
    this.varying = new Compartment();
    this.wraps = false;
    this.states = new Map();
    this.name = null;
    this.languageOf = () => [];
    this.fixed = [
      EditorView.cspNonce.of(nonce),
      EditorView.contentAttributes.of({ "aria-label": "Rules" }),
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      bracketMatching(),
      closeBrackets(),
      autocompletion(),
      lintGutter(),
      indentUnit.of("    "),
      indentation,
      marked,
      lenses,
      StreamLanguage.define(rulewright),
      syntaxHighlighting(COLOURS),
      keymap.of([
        { key: "Mod-s", preventDefault: true, run: () => (onSave(this.name), true) },
        { key: "Mod-.", preventDefault: true, run: (view) => (onMenu(view), true) },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && this.name) onType(this.name, update.state.doc.toString());
      }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: [this.fixed, EditorState.readOnly.of(true)] }) });
  }

  state(name, text, writable) {
    const kept = writable ? [] : EditorState.changeFilter.of(() => false);
    const extensions = [this.fixed, EditorState.readOnly.of(!writable), kept, this.varying.of(this.varied(name))];
    return EditorState.create({ doc: text, extensions });
  }

  // Show a file, with what was undone and where the cursor was kept.
  open(name, text, writable) {
    if (this.name === name) return;
    if (this.name) this.states.set(this.name, this.view.state);
    this.name = name;
    let state = this.states.get(name);
    if (!state || state.doc.toString() !== text) state = this.state(name, text, writable);
    this.view.setState(state);
    this.connect();
  }

  // The file is another now, of which the cursor and the undo history stay.
  replace(name, text) {
    const inView = this.name === name;
    const state = inView ? this.view.state : this.states.get(name);
    if (!state || state.doc.toString() === text) return;
    const change = { changes: difference(state.doc.toString(), text), annotations: Transaction.userEvent.of("input.replace") };
    if (inView) this.view.dispatch(change);
    else this.states.set(name, state.update(change).state);
  }

  close(name) {
    this.states.delete(name);
    if (this.name === name) {
      this.name = null;
      this.view.setState(EditorState.create({ extensions: [this.fixed, EditorState.readOnly.of(true)] }));
    }
  }

  // The texts of the files that are open and not shown, by name.
  get hidden() {
    return [...this.states].filter(([name]) => name !== this.name).map(([name, state]) => [name, state.doc]);
  }

  // Change a file by what `changesOf` makes of its text; whether it is shown is all the same. Its text as it is then.
  update(name, { text, writable }, changesOf) {
    if (name === this.name) {
      this.view.dispatch({ changes: changesOf(this.view.state.doc), userEvent: "input" });
      return this.view.state.doc;
    }
    const before = this.states.get(name) ?? this.state(name, text, writable);
    const after = before.update({ changes: changesOf(before.doc), userEvent: "input" }).state;
    this.states.set(name, after);
    return after.doc;
  }

  varied(name) {
    return [this.languageOf(name), this.wraps ? EditorView.lineWrapping : []];
  }

  // The language server is another one now, or is gone; or long lines are shown in another way.
  connect() {
    if (this.name) this.view.dispatch({ effects: this.varying.reconfigure(this.varied(this.name)) });
  }

  wrap(wraps) {
    this.wraps = wraps;
    this.connect();
  }

  goTo(line, column = 1) {
    const at = this.view.state.doc.line(Math.max(1, Math.min(line, this.view.state.doc.lines)));
    const place = Math.min(at.from + column - 1, at.to);
    this.view.dispatch({ selection: { anchor: place }, effects: [mark.of(place), EditorView.scrollIntoView(place, { y: "center" })] });
    this.view.focus();
  }
}

// The one change that makes a text another: from the first to the last character that differs.
function difference(before, after) {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - from;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
