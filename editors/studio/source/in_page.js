// What only the studio without a server has: links, folders of this machine, files to save, and a worker that can be stopped.

import { button, complain, element, made, note, show } from "./dom.js";
import { linkOf, linked, sharedIn } from "./share.js";
import { desk, isInPage } from "./transport.js";

const PATIENCE = 8; // seconds without an answer, before the page offers to stop

export class InPage {
  constructor(studio) {
    this.studio = studio;
    this.begun = null; // what the page was opened with: a link, or a game of the gallery
    if (!isInPage) return;
    element("in-page").hidden = false;
    const on = (id, act) => element(id).addEventListener("click", () => Promise.resolve(act()).catch(complain));
    on("share", () => this.share());
    on("download", () => this.download());
    on("open-folder", () => this.openFolder());
    element("open-folder").hidden = !window.showDirectoryPicker;
    element("open-files").addEventListener("change", (event) => this.openFiles(event.target).catch(complain));
    addEventListener("hashchange", () => location.reload());
    desk.onBusy = (seconds) => this.busy(seconds);
    // The worker looks at its files every ten seconds or so: other pages of the browser say when they save.
    this.others = new BroadcastChannel("rulewright files");
    this.others.onmessage = ({ data }) => studio.channel.ask({ do: "files" }).then(({ names }) => studio.channel.onEvent({ changed: [data], names }), () => {});
  }

  // Before anything runs: whoever opens a link sees its texts first. Resolves when the studio may begin.
  async before() {
    if (!isInPage) return;
    const game = new URLSearchParams(location.hash.slice(1));
    if (game.has("puzzle")) this.begun = { start: `:puzzles/${game.get("puzzle")}.puzzle` };
    this.game = game.get("of"); // what a new variant is of, unless another is chosen
    const shared = await linked(location.hash).catch(complain);
    if (shared) await this.shown(shared);
    document.body.dataset.waits = "";
  }

  // A stranger's texts, until they are accepted; they get a folder of their own.
  shown(shared) {
    document.body.dataset.waits = "yes";
    return new Promise((resolve) => {
      const texts = Object.entries(shared.files).map(([name, text]) => made("details", { open: true }, made("summary", {}, name), made("pre", {}, text)));
      const go = () => {
        this.begun = shared;
        desk.place = { path: `/files/shared/${shared.digest}`, files: shared.files };
        show("linked");
        resolve();
      };
      const leave = () => {
        history.replaceState(null, "", location.pathname + location.search);
        show("linked");
        resolve();
      };
      show(
        "linked",
        made("h2", {}, "This link holds the rules of a game"),
        made("p", {}, "They are shown before anything runs. They run in this page only, apart from your own files, and can neither send nor load anything."),
        made("p", { className: "bar" }, button("Open the game", go, { id: "open-link" }), button("Go to my own files", leave, { id: "leave-link" })),
        ...texts,
      );
      element("open-link").focus();
    });
  }

  // After the first board could be shown: the position that the page was opened with.
  async after() {
    const { begun, studio } = this;
    this.begun = null;
    if (!begun) return false;
    await studio.open(begun.start);
    await studio.setStart(begun.start, begun);
    return true;
  }

  async share() {
    const { studio } = this;
    const board = studio.boardNow();
    const { files } = await studio.channel.ask({ do: "texts", board });
    const { start, actions, players, seed, steps } = board;
    const shared = { files, start, actions, players, seed, steps };
    const link = await linkOf(shared);
    if (!link) {
      const save = button("Save it as a file", () => saved(`${studio.course.start.split("/").pop()}.json`, JSON.stringify(shared)), { id: "save-shared" });
      note(made("p", {}, "These rules are too long for a link. Send them as a file; a studio opens it by “Open files”."), save);
      return;
    }
    const field = made("input", { id: "link", readOnly: true, value: link, "aria-label": "Link" });
    const copy = button("Copy", () => navigator.clipboard.writeText(link).then(() => (copy.textContent = "Copied"), () => field.select()));
    note(made("p", {}, "Whoever opens this link sees the rules first, and then this position."), field, copy);
    field.select();
  }

  download() {
    const { name } = this.studio.editing;
    if (name) saved(name.split("/").pop(), this.studio.files.get(name).text);
  }

  // Files of this machine, in place of those of the browser's storage.
  async openFolder() {
    const handle = await window.showDirectoryPicker({ mode: "readwrite" }).catch(() => null);
    if (!handle) return;
    desk.place = { path: `/folder/${handle.name.replace(/[^A-Za-z0-9_-]/g, "_")}`, handle };
    this.restart();
  }

  async openFiles(input) {
    const { studio } = this;
    for (const file of input.files) {
      const text = await file.text();
      if (file.name.endsWith(".json")) {
        await this.shown(await sharedIn(text));
        document.body.dataset.waits = "";
        this.restart();
        return;
      }
      await studio.create(file.name, text, { board: true });
    }
    input.value = "";
  }

  restart() {
    this.studio.course = null;
    sessionStorage.removeItem("rulewright start");
    desk.stop();
  }

  // Rules may take longer than anyone waits: the worker is ended, not the page.
  busy(seconds) {
    if (seconds < PATIENCE) {
      if (this.isTold) show("busy");
      this.isTold = false;
    } else if (!this.isTold) {
      this.isTold = true;
      const stop = button("Stop", () => this.restart(), { id: "stop-worker" });
      show("busy", made("p", {}, "The rules are taking long. What you typed is safe."), stop);
    }
  }
}

function saved(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  made("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
