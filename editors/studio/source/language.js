// The client of the language server, which is another process for each page: what is wrong, what fits, what is known, what can be done.

import { LSPClient, LSPPlugin, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, serverCompletion, signatureHelp } from "@codemirror/lsp-client";
import { Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { AtCursor } from "./at_cursor.js";
import { diagnostics } from "./diagnostics.js";
import { complain, made } from "./dom.js";
import { lenses } from "./lenses.js";
import { OpenFiles } from "./open_files.js";
import { connect } from "./transport.js";
import { Wire } from "./wire.js";

const WAIT = 1500;
const ID = "rulewright";
const EXPLAIN = "rulewright.explain";

export class Language {
  // `page` shows files by their addresses, and what the server says:
  // {uriOf, display, hidden, update, changed, checked, say, lineOf, goTo, progress, own}; `own` are commands that the page does itself.
  constructor(page) {
    this.page = page;
    this.client = null;
    this.atCursor = new AtCursor({ ...page, run: (command) => this.run(command) });
    this.lenses = lenses((command) => this.run(command));
  }

  connect(rootUri) {
    this.rootUri = rootUri;
    if (this.socket) return;
    const socket = connect("language");
    this.socket = socket;
    this.wire = new Wire(socket, {
      "window/workDoneProgress/create": () => null,
      "workspace/codeLens/refresh": () => this.page.views().forEach((view) => this.lenses.refresh(view)),
    });
    socket.onopen = () => this.begin();
    socket.onclose = () => {
      const had = this.client;
      this.client = null;
      this.socket = null;
      this.wire.close();
      this.page.progress(null);
      if (had) {
        this.page.changed();
        had.disconnect();
      }
      setTimeout(() => this.connect(this.rootUri), WAIT);
    };
  }

  begin() {
    this.client = new LSPClient({
      rootUri: this.rootUri,
      timeout: 120000, // A busy machine is slow; what is asked meanwhile is not lost.
      workspace: (client) => new OpenFiles(client, this.page, ID),
      sanitizeHTML: cleaned,
      notificationHandlers: {
        "$/progress": (_, { token, value }) => (this.progress(token, value), true),
        // What a command comes to is shown where it was asked for.
        "window/showMessage": (_, { type }) => type > 2,
      },
      extensions: [
        { clientCapabilities: { window: { workDoneProgress: true }, textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } } },
        diagnostics((view) => this.menu(view), this.page.checked),
        this.lenses,
        serverCompletion(),
        hoverTooltips(),
        signatureHelp(),
        Prec.high(keymap.of([...this.atCursor.keys, ...jumpToDefinitionKeymap, ...formatKeymap])),
      ],
    });
    this.client.connect(this.wire);
    this.client.initializing.then(() => this.ready(), () => {});
  }

  // What the editor of a file has of the server.
  extension(name) {
    return this.client?.serverCapabilities ? this.client.plugin(this.page.uriOf(name), ID) : [];
  }

  // What can be done at the cursor; while the server is not there yet, once it is.
  menu(view) {
    this.wanted = LSPPlugin.get(view) ? null : view;
    if (!this.wanted) this.atCursor.menu(view);
  }

  ready() {
    this.page.changed();
    if (this.wanted) this.menu(this.wanted);
  }

  // What is typed is told before another file is shown.
  sync() {
    this.client?.sync();
  }

  // A file is open that is not shown, or is open no more.
  opened(name, doc) {
    this.client?.workspace.adopt(this.page.uriOf(name), doc);
  }

  closed(name) {
    this.client?.workspace.forget(this.page.uriOf(name));
  }

  // A file has come, gone or changed on disk.
  filesChanged(names) {
    this.sync();
    const changes = names.map((name) => ({ uri: this.page.uriOf(name), type: 2 }));
    if (this.client?.serverCapabilities) this.client.notification("workspace/didChangeWatchedFiles", { changes });
  }

  // Do what a lens or a quick fix offers, and show what came of it.
  async run(command) {
    const own = this.page.own[command.command];
    if (own) {
      own(...(command.arguments ?? []));
      return;
    }
    this.sync();
    const told = await this.wire.command(command).catch(complain);
    if (typeof told !== "string" || !told) return;
    const shown = made("div", { className: "told" }, told);
    if (command.command === EXPLAIN) {
      shown.className = "page";
      shown.innerHTML = this.page.views().map((view) => LSPPlugin.get(view)?.docToHTML(told, "markdown"))[0] ?? "";
    }
    this.page.say(shown);
  }

  progress(token, { kind, title, message }) {
    if (kind === "begin") this.working = title;
    const cancel = () => this.client?.notification("window/workDoneProgress/cancel", { token });
    this.page.progress(kind === "end" ? null : { text: [this.working, message].filter(Boolean).join(": "), cancel });
  }
}

const KEPT = new Set(["P", "BR", "HR", "EM", "STRONG", "CODE", "PRE", "UL", "OL", "LI", "H1", "H2", "H3", "H4", "SPAN", "DIV", "BLOCKQUOTE", "TABLE", "THEAD", "TBODY", "TR", "TD", "TH"]);

// Markup of a hover without anything that acts: rule text is a stranger's. Pictures of tiles stay, as data of SVG.
function cleaned(html) {
  const document_ = new DOMParser().parseFromString(html, "text/html");
  for (const node of [...document_.body.querySelectorAll("*")]) {
    const isPicture = node.tagName === "IMG" && /^data:image\/svg\+xml[;,]/.test(node.getAttribute("src") ?? "");
    if (!KEPT.has(node.tagName) && !isPicture) node.replaceWith(...node.childNodes);
    else for (const { name } of [...node.attributes]) if (!["class", ...(isPicture ? ["src", "alt", "width", "height"] : [])].includes(name)) node.removeAttribute(name);
  }
  return document_.body.innerHTML;
}
