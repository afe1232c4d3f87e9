// The page: the text on the left, the game on the right, what an edit does below.

import { Arranging } from "./arranging.js";
import { Board } from "./board.js";
import { Channel } from "./channel.js";
import { Course } from "./course.js";
import { button, calm, complain, element, enable, made, plural, refill, sentence, show, tell, told, uncover } from "./dom.js";
import { Editing } from "./editing.js";
import { Effects } from "./effects.js";
import { Files, baseline } from "./files.js";
import { History } from "./history.js";
import { InPage } from "./in_page.js";
import { Language } from "./language.js";
import { Library } from "./library.js";
import { newFile, newPuzzle, newVariant, writeAnswer } from "./making.js";
import { installPanes, installZoom } from "./panes.js";
import { Solving } from "./solving.js";
import { isInPage } from "./transport.js";
import { treeOf } from "./tree.js";

// The areas that F6 goes through, where they are shown; what gets the focus in each: the first of these that can.
const AREAS = {
  note: ["button"],
  nav: ["#files button", "#new-variant"],
  editing: [".cm-content"],
  conflict: ["button"],
  said: ["button"],
  playing: ["#board [tabindex='0']", "button:not(:disabled)"],
  state: ["#moves button", "button"],
  effects: ["#edits button", "h2"],
};

const WELCOME = "The folder is empty. Create a variant of an included game, or open an included game or puzzle from the list.";

class Studio {
  constructor() {
    this.channel = new Channel({
      onOpen: () => this.begin().catch(complain),
      onLost: (event) => this.lost(event),
      onEvent: (event) => this.files?.onDisk(event.changed, event.names).then(() => this.language.filesChanged(event.changed)),
    });
    this.roots = {};
    this.library = new Library((one) => this.fileButton(one.file, one.name.split(".").pop(), `${one.name}: ${one.text}`));
    this.course = null;
    this.players = 0;
    const onBoard = (act) => (uri) => this.putOnBoard(this.nameOf(uri), act);
    this.language = new Language({
      uriOf: (name) => this.uriOf(name),
      display: (uri) => this.display(uri),
      hidden: () => this.editing.hidden.map(([name, doc]) => [this.uriOf(name), doc]),
      views: () => [this.editing.view],
      update: (uri, changesOf) => this.update(uri, changesOf),
      lineOf: (uri, number) => this.lineOf(uri, number),
      goTo: (uri, line, column) => this.goTo({ file: this.nameOf(uri), line, column }),
      changed: () => this.editing.connect(),
      checked: (uri, text, isClean) => this.files.checked(this.nameOf(uri), text, isClean),
      say: (...told) => show("said", ...told, button("Close", () => show("said"))),
      progress: (known) => show("working", ...(known ? [made("span", {}, known.text), " ", button("Cancel", known.cancel)] : [])),
      own: {
        "rulewright.show": onBoard(() => {}),
        "rulewright.solve": onBoard(() => this.solving.solve()),
        "rulewright.acceptAnswer": onBoard((name) => writeAnswer(this, name)),
      },
    });
    this.editing = new Editing(element("editor"), document.querySelector("meta[name=nonce]").content, {
      onType: (name, text) => this.files.type(name, text),
      onSave: (name) => this.save(name),
      onMenu: (view) => this.language.menu(view),
    });
    this.editing.languageOf = (name) => this.language.extension(name);
    this.board = new Board({
      play: (action) => this.play(action),
      explain: (thing, title) => this.explain(thing, title),
      goTo: (place) => this.goTo(place),
      arranges: (thing) => this.arranging.isOn && (this.arranging.pick(thing), true),
    });
    this.arranging = new Arranging(this.board, { changed: () => this.showBoard() });
    this.solving = new Solving(this.channel, {
      board: () => this.boardNow(),
      play: (action) => this.play(action),
      playFrom: (node, actions) => this.playFrom(node, actions),
      here: () => this.course.here,
      legal: () => this.board.view.legal,
      point: (things) => this.board.point(things, "hinted"),
    });
    this.history = new History(this.channel, { board: () => this.boardNow(), goTo: (place) => this.goTo(place) });
    this.effects = new Effects(this.channel, {
      goTo: (place) => this.goTo(place),
      open: (name) => this.open(name, { board: true }),
      openFirst: () => [...new Set([this.course?.start, ...this.files.opened.keys()])].filter((name) => name?.endsWith(".puzzle")),
    });
    this.showSoon = calm(150, () => this.showBoard());
    this.effectsSoon = calm(1200, () => this.runEffects(false));
    this.listen();
    this.inPage = new InPage(this);
    this.inPage.before().then(() => this.channel.connect());
  }

  // The server is there -------------------------------------------------------------------------------------------------

  async begin() {
    const found = await this.channel.ask({ do: "files" });
    this.roots = found.roots;
    if (!this.files || this.files.folder !== found.folder) {
      this.files = new Files(this.channel, found.folder);
      this.files.listeners.push((name, why) => this.fileChanged(name, why));
    }
    this.files.names = found.names;
    element("banner").hidden = true;
    this.listFiles();
    await this.files.onDisk([...this.files.opened.keys()], found.names);
    this.effectsSoon();
    const shown = this.course ? this.showBoard() : this.inPage.after().then((isShown) => isShown || this.first());
    if (isInPage) await shown; // One worker does both there, and the board comes first.
    this.language.connect(found.roots[""]);
    await shown;
    document.body.dataset.ready = "yes";
    await this.loadLibrary();
  }

  // What ships, once: the board does not wait for it.
  async loadLibrary() {
    if (this.library.modules.length) return;
    this.library.take(await this.channel.ask({ do: "library" }));
  }

  async first() {
    const names = [...new Set([...this.files.names, ...this.files.drafts()])];
    const kept = sessionStorage.getItem("rulewright open");
    const rules = names.find((name) => name === kept) ?? names.find((name) => name.endsWith(".rules")) ?? names[0];
    const puzzle = names.find((name) => name.endsWith(".puzzle"));
    this.listFiles();
    if (!rules) {
      element("library").open = true;
      show("changes", made("p", {}, WELCOME), button("New variant …", () => newVariant(this)));
      return;
    }
    await this.open(rules);
    await this.setStart(sessionStorage.getItem("rulewright start") ?? puzzle ?? rules);
  }

  lost(event) {
    document.body.dataset.ready = "no";
    const typed = this.files ? Object.keys(this.files.typed()) : [];
    const kept = typed.length ? ` What you typed (${typed.join(", ")}) is kept in this page.` : " Nothing you typed is lost.";
    const why = event.reason ? ` (${event.reason})` : "";
    const then = isInPage ? "It starts anew" : "Run `rulewright studio` on the same folder again: this page reconnects by itself";
    show("banner", ...sentence(`${isInPage ? "Python" : "The server"} has stopped${why}. ${then}.${kept}`));
  }

  // Files ---------------------------------------------------------------------------------------------------------------

  uriOf(name) {
    const prefix = Object.keys(this.roots).find((one) => one && name.startsWith(one)) ?? "";
    return `${this.roots[prefix]}/${name.slice(prefix.length).split("/").map(encodeURIComponent).join("/")}`;
  }

  nameOf(uri) {
    for (const [prefix, root] of Object.entries(this.roots)) {
      if (uri.startsWith(`${root}/`)) return prefix + decodeURIComponent(uri.slice(root.length + 1));
    }
    return null;
  }

  async open(name, { board = false } = {}) {
    this.language.sync();
    const file = await this.files.open(name).catch(complain);
    if (!file) return;
    if (name !== this.editing.name && !element("said").contains(document.activeElement)) show("said");
    this.editing.open(name, file.text, file.writable);
    sessionStorage.setItem("rulewright open", name);
    this.listFiles();
    this.titleFile();
    if (board) await this.setStart(name);
  }

  // A new file, in the folder and in the text.
  async create(name, text, how) {
    await this.channel.ask({ do: "write", name, text, version: "" });
    this.files.add(name);
    await this.open(name, how);
  }

  async goTo({ file, line, column }) {
    await this.open(file);
    if (this.editing.name === file) this.editing.goTo(line, column);
  }

  async display(uri) {
    const name = this.nameOf(uri);
    if (name === null) return null;
    await this.open(name);
    return this.editing.view;
  }

  // A change by the language server of some file, as of a name in all of them; whether it may be written.
  async update(uri, changesOf) {
    const name = this.nameOf(uri);
    const file = name && (await this.files.open(name));
    if (!file?.writable) return false;
    show("said");
    const doc = this.editing.update(name, file, changesOf);
    if (name !== this.editing.name) this.language.opened(name, doc);
    this.files.type(name, doc.toString());
    return true;
  }

  // A line of a file, for a list of places.
  async lineOf(uri, number) {
    const name = this.nameOf(uri);
    const { text } = await this.files.open(name);
    return { name: name.replace(/^:/, ""), text: text.split("\n")[number - 1] ?? "" };
  }

  async save(name) {
    if (!name || !this.files.get(name)?.writable) return;
    const after = this.files.get(name).text;
    const before = this.files.get(name).version === "" ? null : baseline(this.files.get(name));
    const isSaved = await this.files.save(name).then(() => true, complain);
    if (isSaved && before !== null && before !== after) this.runEffects(true, name, before);
  }

  fileChanged(name, why) {
    if (why === "reloaded" || why === "kept") this.editing.replace(name, this.files.get(name).text);
    if (why === "gone") {
      this.editing.close(name);
      this.language.closed(name);
      sessionStorage.removeItem("rulewright open");
      if (this.course?.start === name) {
        sessionStorage.removeItem("rulewright start");
        this.course = null;
        this.board.clear();
      }
      this.first().then(() => this.nextArea(1)); // to the files: what had the focus is gone
    }
    if (["typed", "reloaded"].includes(why) && name.endsWith(".rules") && this.board.view?.files.includes(name)) this.solving.outdate();
    if (["saved", "reloaded", "kept", "gone"].includes(why)) show("note");
    if (why === "saved") this.inPage.others?.postMessage(name);
    if (why === "typed") {
      if (this.files.isDirty(name)) this.effectsSoon();
    }
    if (why !== "saved" && !Object.keys(this.files.typed()).length) this.effects.forget();
    if (why !== "typed") this.listFiles();
    else this.markFile(name);
    this.titleFile();
    if (this.course) this.showSoon();
  }

  titleFile() {
    const { name } = this.editing;
    const file = name && this.files.get(name);
    tell("file-name", (element("file-name").title = name ? name.replace(/^:/, "") : "no file"));
    tell("file-state", !file || file.theirs?.text === null ? "" : file.writable ? (this.files.isDirty(name) ? "not saved" : "saved") : "included, read only");
    enable(element("save"), file && this.files.isDirty(name));
    element("to-board").disabled = element("at-cursor").disabled = !file;
    const conflict = file?.theirs ? `${name} ${file.theirs.version} ${this.files.isDirty(name)}` : "";
    if (conflict === this.conflict) return; // what is read in it stays open
    this.conflict = conflict;
    if (!conflict) {
      show("conflict");
      return;
    }
    const what = file.theirs.text === null ? "was deleted on disk" : "was changed on disk (by another program or another tab)";
    const theirs = file.theirs.text === null ? [] : [made("details", {}, made("summary", {}, "The version on disk"), made("pre", {}, file.theirs.text))];
    show(
      "conflict",
      made("p", {}, made("b", {}, name), ` ${what} and ${this.files.isDirty(name) ? "edited" : "is still open"} here. Choose a version; nothing is lost until then.`),
      made("p", { className: "bar" }, button(file.theirs.text === null ? "Close it here too" : "Use the version on disk", () => this.files.takeTheirs(name), { id: "take-theirs" }), button("Keep my version", () => this.files.keepMine(name), { id: "keep-mine" })),
      ...theirs,
    );
  }

  fileRow(name) {
    return [...element("files").querySelectorAll("button")].find((one) => one.dataset.name === name);
  }

  markFile(name) {
    this.fileRow(name)?.classList.toggle("dirty", this.files.isDirty(name));
  }

  listFiles() {
    const wanted = element("filter").value.toLowerCase();
    const dirty = [...this.files.opened.keys()].filter((name) => this.files.get(name).writable);
    const names = [...new Set([...this.files.names, ...dirty])].sort().filter((name) => name.toLowerCase().includes(wanted));
    const focused = element("files").contains(document.activeElement) && document.activeElement.dataset.name;
    element("files").replaceChildren(...names.map((name) => made("li", {}, this.fileButton(name, name))));
    if (focused) this.fileRow(focused)?.focus();
    element("filter").hidden = this.files.names.length < 12;
    for (const row of element("library-games").querySelectorAll("[data-name]")) this.dress(row);
  }

  fileButton(name, label, title = "") {
    return this.dress(button(label, () => this.open(name, { board: name.endsWith(".puzzle") || !this.course }), { "data-name": name, title }));
  }

  // How the row of a file looks: in the text, on the board, edited.
  dress(row) {
    const { name } = row.dataset;
    const isHere = name === this.editing.name;
    row.className = [isHere ? "here" : "", this.files.isDirty(name) ? "dirty" : "", name === this.course?.start ? "on-board" : ""].join(" ");
    if (isHere) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    return row;
  }

  // The board -----------------------------------------------------------------------------------------------------------

  boardNow() {
    return { texts: this.files.typed(), start: this.course.start, actions: this.course.actions, players: this.players, seed: this.seed ?? 0, steps: this.arranging.steps };
  }

  // Play from a file: from a given position (`at`), else from where it was left.
  async setStart(name, at = {}) {
    const key = `rulewright course ${this.files.folder} ${name}`;
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(key));
    } catch {
      kept = null;
    }
    if (this.course?.start !== name) {
      this.board.clear();
      this.fit();
    }
    this.course = new Course(name, at.actions ? null : kept);
    for (const action of at.actions ?? []) this.course.play(action);
    this.arranging.stop();
    if (at.steps?.length) this.arranging.start(at.steps);
    this.players = at.players ?? 0;
    if (at.actions) this.seed = at.seed;
    this.solving.clear();
    sessionStorage.setItem("rulewright start", name);
    element("start-name").textContent = element("start-name").title = name.replace(/^:/, "");
    for (const one of ["about", "changes", "wrong"]) show(one);
    this.listFiles();
    await this.showBoard();
  }

  // A puzzle as it is asked, before anything is played.
  async putOnBoard(name, act) {
    if (this.course?.start !== name) await this.setStart(name);
    this.go(this.course.root);
    await act(name);
  }

  get isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  // The newest wanted state of the board; of several that are wanted meanwhile only the last is asked for.
  async showBoard() {
    if (!this.course) return;
    this.isStale = true;
    if (this.isShowing) return;
    this.isShowing = true;
    element("board").setAttribute("aria-busy", "true");
    while (this.isStale) {
      this.isStale = false;
      await this.showOnce();
    }
    this.isShowing = false;
    element("board").setAttribute("aria-busy", "false");
  }

  async showOnce() {
    const { course } = this;
    const texts = this.files.before();
    const board = this.boardNow();
    const before = texts && { ...board, texts: { ...board.texts, ...texts } };
    const dark = this.isDark;
    try {
      const view = await this.channel.ask({ do: "show", board, before, dark });
      if (course !== this.course) return;
      this.shown = { course, board, dark };
      course.learn(view.scores);
      this.board.draw(view);
      this.board.changes(view, () => this.cut(view.scores.length));
      this.showPlay(view);
      this.history.update(view);
      show("wrong");
      element("board").classList.remove("waiting");
    } catch (error) {
      if (error.refused?.lost) return;
      if (this.arranging.steps.length && !error.refused?.diagnostics) {
        this.arranging.refuse(error);
        this.isStale = true;
        return;
      }
      this.showWrong(error);
      await this.repaint(course);
    }
  }

  // A board that waits is drawn again from the texts that gave it, when the page has become light or dark.
  async repaint(course) {
    const dark = this.isDark;
    if (this.shown?.course !== course || this.shown.dark === dark) return;
    try {
      const view = await this.channel.ask({ do: "show", board: this.shown.board, before: null, dark });
      if (course !== this.course) return;
      this.board.draw(view);
      this.shown.dark = dark;
    } catch (error) {
      if (!error.refused) throw error;
    }
  }

  // The texts give no position now: the board stays as it was, and it says why.
  showWrong(error) {
    element("board").classList.add("waiting");
    if (!this.board.view) tell("turn", "No board yet");
    const found = error.refused?.diagnostics ?? [];
    const lines = found.slice(0, 6).map((one) => made("li", {}, one.file ? button(`${one.file}:${one.line}`, () => this.goTo(one), { className: "link" }) : "", " ", ...told(one)));
    show("wrong", made("p", {}, made("b", {}, this.board.view ? "The board is not updated: " : "There is no board yet: "), ...(lines.length ? [plural(found.length, "error")] : told(error))), lines.length ? made("ul", {}, ...lines) : "");
    uncover("wrong");
  }

  showPlay(view) {
    refill(element("tree"), [treeOf(this.course, (node) => this.go(node))]);
    element("state").hidden = false;
    for (const id of ["new-puzzle", "arrange"]) element(id).disabled = false;
    for (const id of ["solve", "hint"]) enable(element(id), view.solvable && !view.over);
    enable(element("redo"), this.course.here.children.length > 0);
    for (const id of ["restart", "undo"]) enable(element(id), this.course.here.parent);
    this.arranging.tell();
    sessionStorage.setItem(`rulewright course ${this.files.folder} ${this.course.start}`, JSON.stringify(this.course.data));
    const [now, least, most] = view.players;
    const isGame = this.course.start.endsWith(".rules");
    element("players").hidden = !isGame || least === most;
    element("players").replaceChildren(...Array.from({ length: Math.max(0, most - least + 1) }, (_, at) => made("option", { value: String(least + at), selected: least + at === now }, plural(least + at, "player"))));
    element("deal").hidden = !isGame;
  }

  cut(length) {
    this.go([this.course.root, ...this.course.way][length]);
  }

  play(action) {
    this.course.play(action);
    this.moved();
  }

  playFrom(node, actions) {
    this.course.go(node);
    for (const action of actions) this.course.play(action);
    this.moved({ keepPlan: true });
  }

  go(node) {
    this.course.go(node);
    this.moved({ keepPlan: true });
  }

  moved({ keepPlan = false } = {}) {
    if (this.arranging.isOn) this.arranging.stop();
    show("about");
    if (this.solving.running) this.solving.cancel();
    if (!keepPlan && element("solving").querySelector("#plan") === null) this.solving.clear();
    this.showBoard();
  }

  async explain(thing, title) {
    const found = await this.channel.ask({ do: "explain", board: this.boardNow(), thing }).catch(complain);
    if (found) this.board.explained(title, found);
  }

  // What an edit does ---------------------------------------------------------------------------------------------------

  runEffects(saved, name = null, before = "") {
    const typed = this.files.typed();
    if (!saved && !Object.keys(typed).some((one) => this.files.get(one).version !== "")) return;
    const old = saved ? { ...typed, [name]: before } : this.files.before();
    const now = saved ? { ...typed, [name]: this.files.get(name).text } : typed;
    const names = saved ? [name] : Object.keys(old);
    const time = new Date().toLocaleTimeString();
    const title = saved ? `${names[0]}, saved ${time}` : `${names.join(", ")}, not saved yet`;
    this.effects.run({ title, before: old, after: now, saved });
  }

  // Keys and buttons ----------------------------------------------------------------------------------------------------

  listen() {
    const on = (id, act) => element(id).addEventListener("click", () => act());
    on("at-cursor", () => this.language.menu(this.editing.view));
    on("save", () => this.save(this.editing.name));
    on("to-board", () => this.setStart(this.editing.name));
    on("new-variant", () => newVariant(this));
    on("new-file", () => newFile(this));
    on("new-puzzle", () => newPuzzle(this));
    on("arrange", () => (this.arranging.isOn ? this.arranging.stop() : this.arranging.start()));
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("restart", () => this.go(this.course.root));
    on("solve", () => this.solving.solve());
    on("hint", () => this.solving.solve({ hint: true }));
    on("theme", () => this.changeTheme());
    on("deal", () => this.deal());
    element("players").addEventListener("change", (event) => {
      this.players = Number(event.target.value);
      this.go(this.course.root);
    });
    element("filter").addEventListener("input", () => this.listFiles());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.showBoard());
    addEventListener("beforeunload", (event) => this.files && Object.keys(this.files.typed()).length && event.preventDefault());
    document.addEventListener("keydown", (event) => this.key(event));
    const theme = localStorage.getItem("rulewright theme");
    if (theme) document.documentElement.dataset.theme = theme;
    element("wrap").addEventListener("click", () => this.wrap(!this.editing.wraps));
    this.wrap(localStorage.getItem("rulewright wrap") === "yes");
    installPanes();
    this.fit = installZoom();
  }

  key(event) {
    if (event.defaultPrevented) return;
    const inText = event.target.closest?.(".cm-editor, input, select, textarea, dialog");
    if (event.key === "F6") {
      event.preventDefault();
      this.nextArea(event.shiftKey ? -1 : 1);
    } else if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      this.save(this.editing.name);
    } else if (!inText && (event.ctrlKey || event.metaKey) && event.key === "z") {
      event.preventDefault(); // else Chromium undoes in the text, wherever the focus is
      this.effects.takeBack();
    } else if (!inText && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const act = { u: () => this.undo(), r: () => this.redo(), h: () => element("hint").click(), s: () => element("solve").click() }[event.key];
      if (act && this.course && !this.arranging.isOn) act();
    }
  }

  // F6 goes from area to area, as it does in desktops.
  nextArea(step) {
    const homes = Object.keys(AREAS).map(element);
    const here = homes.findLastIndex((home) => home.contains(document.activeElement));
    const start = here < 0 && step < 0 ? 0 : here;
    const inOrder = homes.map((_, at) => homes.at((start + step * (at + 1)) % homes.length));
    const places = inOrder.flatMap((home) => AREAS[home.id].map((wanted) => home.querySelector(wanted)));
    places.find((one) => one?.checkVisibility())?.focus();
  }

  undo() {
    this.go(this.course.before);
  }

  redo() {
    this.go(this.course.next);
  }

  deal() {
    this.seed = Math.floor(Math.random() * 1e6);
    this.course = new Course(this.course.start, null);
    this.moved();
  }

  wrap(wraps) {
    this.editing.wrap(wraps);
    element("wrap").setAttribute("aria-pressed", wraps);
    localStorage.setItem("rulewright wrap", wraps ? "yes" : "no");
  }

  changeTheme() {
    const next = this.isDark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("rulewright theme", next);
    this.showBoard();
  }
}

new Studio();
