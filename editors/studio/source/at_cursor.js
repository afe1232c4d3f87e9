// What can be done at the cursor, in a menu: quick fixes, the lenses of the line, what is known of a name, another name for it.

import { closeCompletion } from "@codemirror/autocomplete";
import { LSPPlugin, formatDocument, jumpToDefinition } from "@codemirror/lsp-client";
import { button, complain, made } from "./dom.js";
import { ask } from "./dialogs.js";
import { askForEdits } from "./edits.js";
import { lensesAt } from "./lenses.js";
import { closeMenu, openMenu, settle } from "./menu.js";

export class AtCursor {
  // `page`: {say(...), update(uri, changesOf), run(command), lineOf(uri, number), goTo(uri, line, column)}.
  constructor(page) {
    this.page = page;
    const key = (name, act) => ({ key: name, preventDefault: true, run: (view) => Boolean(LSPPlugin.get(view)) && (act.call(this, view), true) });
    this.keys = [key("Shift-F12", this.references), key("F2", this.rename), key("Mod-k Mod-i", this.about)];
  }

  async menu(view) {
    closeCompletion(view);
    const { uri } = LSPPlugin.get(view);
    const { head } = view.state.selection.main;
    // The menu opens at once, so that no key goes to the text; the fixes come into it.
    const looking = made("p", { className: "waiting", tabIndex: -1, role: "menuitem", "aria-disabled": "true" }, "Looking for quick fixes …");
    const lenses = lensesAt(view.state, head, uri).map((lens) => this.item(view, lens.title, "", () => this.page.run(lens)));
    const others = [
      this.item(view, "What is this?", "Ctrl+K Ctrl+I", () => this.about(view)),
      this.item(view, "Go to definition", "F12", () => jumpToDefinition(view)),
      this.item(view, "Find all uses", "Shift+F12", () => this.references(view)),
      this.item(view, "Rename", "F2", () => this.rename(view)),
      this.item(view, "Format the text", "Shift+Alt+F", () => formatDocument(view)),
    ];
    const groups = [[looking], lenses, others].filter((group) => group.length);
    const children = groups.flatMap((group, at) => (at ? [made("hr"), ...group] : group));
    const box = view.coordsAtPos(head) ?? view.dom.getBoundingClientRect();
    openMenu(this, children, { right: box.left, top: box.bottom + 4 }, { focus: true, left: () => view.focus() });
    settle(looking, (await this.fixes(view).catch(complain)) ?? []);
  }

  item(view, title, keys, act) {
    const choose = () => {
      closeMenu();
      view.focus();
      act();
    };
    const found = button(title, choose, { role: "menuitem" });
    if (keys) found.append(made("kbd", { className: "faint" }, keys));
    return found;
  }

  async fixes(view) {
    const { from, to } = view.state.selection.main;
    const plugin = LSPPlugin.get(view);
    const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
    this.leave?.();
    const { answer, make, leave } = await askForEdits(view, this.page, "textDocument/codeAction", { range, context: { diagnostics: [] } });
    this.leave = leave;
    const act = (fix) => (fix.command ? this.page.run(fix.command) : make(fix.edit).catch(complain));
    return (answer ?? []).map((fix) => this.item(view, fix.title, "", () => act(fix)));
  }

  // The name at the cursor; null where there is none.
  word(view) {
    const { head } = view.state.selection.main;
    return view.state.wordAt(head);
  }

  place(view) {
    const plugin = LSPPlugin.get(view);
    plugin.client.sync();
    return { textDocument: { uri: plugin.uri }, position: plugin.toPosition(view.state.selection.main.head) };
  }

  async about(view) {
    const plugin = LSPPlugin.get(view);
    const found = await plugin.client.request("textDocument/hover", this.place(view)).catch(complain);
    if (found === undefined) return;
    const told = made("div");
    told.innerHTML = found ? plugin.docToHTML(found.contents) : "No information about this place.";
    this.page.say(told);
  }

  async references(view) {
    const plugin = LSPPlugin.get(view);
    const params = { ...this.place(view), context: { includeDeclaration: true } };
    const found = await plugin.client.request("textDocument/references", params).catch(complain);
    if (found === undefined) return;
    const lines = (found ?? []).map(async ({ uri, range: { start } }) => {
      const { name, text } = await this.page.lineOf(uri, start.line + 1);
      return made("li", {}, button(`${name}:${start.line + 1}`, () => this.page.goTo(uri, start.line + 1, start.character + 1), { className: "link" }), " ", made("code", {}, text.trim()));
    });
    const shown = await Promise.all(lines).catch(complain);
    if (shown) this.page.say(made("h3", {}, shown.length ? `${shown.length} places` : "There is no name here."), made("ul", { className: "plain" }, ...shown));
  }

  // The same name in all files; a name that would break one is refused, and asked for again.
  rename(view) {
    const word = this.word(view);
    if (!word) return;
    const position = LSPPlugin.get(view).toPosition(word.from);
    const name = view.state.sliceDoc(word.from, word.to);
    ask("Rename in all files", [{ name: "name", label: "New name", value: name }], "Rename", async ({ name: newName }) => {
      const { answer, make } = await askForEdits(view, this.page, "textDocument/rename", { position, newName });
      if (!answer) throw new Error(`\`${name}\` cannot be renamed`);
      await make(answer);
      view.focus();
    });
  }
}
