// The files that the language server is told of: all that are open in the page, shown or not.

import { LSPPlugin, Workspace } from "@codemirror/lsp-client";
import { ChangeSet } from "@codemirror/state";

export class OpenFiles extends Workspace {
  // `page`: {hidden(), display(uri), update(uri, changes)}.
  constructor(client, page, languageId) {
    super(client);
    this.page = page;
    this.languageId = languageId;
    this.files = [];
  }

  // Another server: what is open and not shown is told first, for nothing else would tell it.
  connected() {
    for (const [uri, doc] of this.page.hidden()) this.adopt(uri, doc);
  }

  syncFiles() {
    const hidden = new Map(this.page.hidden());
    const found = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      const isShown = plugin?.uri === file.uri;
      const doc = isShown ? file.view.state.doc : hidden.get(file.uri);
      if (!doc || doc.eq(file.doc)) continue;
      const changes = isShown ? plugin.unsyncedChanges : ChangeSet.of({ from: 0, to: file.doc.length, insert: doc }, file.doc.length);
      found.push({ changes, file, prevDoc: file.doc });
      file.doc = doc;
      file.version += 1;
      if (isShown) plugin.clear();
    }
    return found;
  }

  openFile(uri, languageId, view) {
    const known = this.getFile(uri);
    const version = known ? known.version + 1 : 0;
    if (known) this.client.didClose(uri);
    this.take({ uri, languageId, version, doc: view.state.doc, view });
  }

  // A file that is open and not shown.
  adopt(uri, doc) {
    if (!this.getFile(uri)) this.take({ uri, languageId: this.languageId, version: 0, doc, view: null });
  }

  take(open) {
    const file = { ...open, getView: () => file.view };
    this.files = [...this.files.filter((one) => one.uri !== file.uri), file];
    this.client.didOpen(file);
  }

  closeFile(uri) {
    const file = this.getFile(uri);
    if (file) file.view = null;
  }

  // A file that the page has open no more.
  forget(uri) {
    if (!this.getFile(uri)) return;
    this.files = this.files.filter((one) => one.uri !== uri);
    this.client.didClose(uri);
  }

  async requestFile(uri) {
    return this.getFile(uri);
  }

  async displayFile(uri) {
    return this.page.display(uri);
  }

  updateFile(uri, update) {
    this.page.update(uri, () => update.changes);
  }
}
