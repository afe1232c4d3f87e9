// The client of the language server, which is another process for each page: diagnostics, completion, hover, names.

import {
  LSPClient,
  LSPPlugin,
  Workspace,
  findReferencesKeymap,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  renameKeymap,
  serverCompletion,
  serverDiagnostics,
  signatureHelp,
} from "@codemirror/lsp-client";
import { keymap } from "@codemirror/view";

const WAIT = 1500;
const ID = "rulewright";

// The files that the server is told of: all that are open in the page, shown or not.
class OpenFiles extends Workspace {
  constructor(client, page) {
    super(client);
    this.page = page;
    this.files = [];
  }

  syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      if (!plugin || plugin.uri !== file.uri || plugin.unsyncedChanges.empty) continue;
      found.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version += 1;
      plugin.clear();
    }
    return found;
  }

  openFile(uri, languageId, view) {
    const known = this.getFile(uri);
    const version = known ? known.version + 1 : 0;
    if (known) this.client.didClose(uri);
    const file = { uri, languageId, version, doc: view.state.doc, view, getView: () => file.view };
    this.files = [...this.files.filter((one) => one.uri !== uri), file];
    this.client.didOpen(file);
  }

  closeFile(uri) {
    const file = this.getFile(uri);
    if (file) file.view = null;
  }

  async requestFile(uri) {
    return this.getFile(uri);
  }

  async displayFile(uri) {
    return this.page.display(uri);
  }

  updateFile(uri, update) {
    const file = this.getFile(uri);
    if (file?.view) file.view.dispatch(update);
    else this.page.updateHidden(uri, update);
  }
}

export class Language {
  // `page` shows files by their addresses: {uriOf, display, updateHidden, changed}.
  constructor(page) {
    this.page = page;
    this.client = null;
  }

  connect(rootUri) {
    this.rootUri = rootUri;
    if (this.socket) return;
    const address = new URL("language", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    const handlers = new Set();
    socket.onmessage = (event) => handlers.forEach((handler) => handler(event.data));
    socket.onopen = () => {
      this.client = new LSPClient({
        rootUri,
        timeout: 15000,
        workspace: (client) => new OpenFiles(client, this.page),
        sanitizeHTML: cleaned,
        extensions: [
          serverDiagnostics(),
          serverCompletion(),
          hoverTooltips(),
          signatureHelp(),
          keymap.of([...jumpToDefinitionKeymap, ...renameKeymap, ...findReferencesKeymap, ...formatKeymap]),
        ],
      });
      this.client.connect({
        send: (message) => socket.send(message),
        subscribe: (handler) => handlers.add(handler),
        unsubscribe: (handler) => handlers.delete(handler),
      });
      this.client.initializing.then(() => this.page.changed(), () => {});
    };
    socket.onclose = () => {
      const had = this.client;
      this.client = null;
      this.socket = null;
      if (had) {
        this.page.changed();
        had.disconnect();
      }
      setTimeout(() => this.connect(this.rootUri), WAIT);
    };
  }

  // What the editor of a file has of the server.
  extension(name) {
    return this.client?.serverCapabilities ? this.client.plugin(this.page.uriOf(name), ID) : [];
  }

  // What is typed is told before another file is shown.
  sync() {
    this.client?.sync();
  }

  // A file has come, gone or changed on disk.
  filesChanged(names) {
    const changes = names.map((name) => ({ uri: this.page.uriOf(name), type: 2 }));
    if (this.client?.serverCapabilities) this.client.notification("workspace/didChangeWatchedFiles", { changes });
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
