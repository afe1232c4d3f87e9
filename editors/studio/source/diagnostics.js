// What is wrong with the text, as it is typed, each with an offer to mend it.

import { LSPPlugin } from "@codemirror/lsp-client";
import { setDiagnostics } from "@codemirror/lint";
import { ViewPlugin } from "@codemirror/view";

const PAUSE = 60; // ms after a keystroke: what is typed at once is told at once
const SEVERITIES = ["error", "error", "warning", "info", "hint"];

const telling = ViewPlugin.fromClass(
  class {
    update(update) {
      if (!update.docChanged) return;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => LSPPlugin.get(update.view)?.client.sync(), PAUSE);
    }

    destroy() {
      clearTimeout(this.waiting);
    }
  },
);

// `mend(view)` offers what can be done at the cursor; `checked(uri, text, isClean)` hears which texts have errors.
export function diagnostics(mend, checked) {
  const fix = (view, from) => {
    view.dispatch({ selection: { anchor: from } });
    mend(view);
  };
  return {
    clientCapabilities: { textDocument: { publishDiagnostics: { versionSupport: true } } },
    notificationHandlers: {
      "textDocument/publishDiagnostics": (client, { uri, version, diagnostics: found }) => {
        const file = client.workspace.getFile(uri);
        if (file && (version ?? file.version) === file.version) checked(uri, file.doc.toString(), !found.some((one) => (one.severity ?? 1) === 1));
        const view = file?.getView();
        const plugin = view && LSPPlugin.get(view);
        if (plugin?.uri !== uri || (version ?? file.version) !== file.version) return false;
        const place = (position) => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, plugin.syncedDoc));
        const shown = found.map(({ range, severity, message, code }) => ({
          from: place(range.start),
          to: place(range.end),
          severity: SEVERITIES[severity ?? 1],
          source: code,
          message,
          actions: [{ name: "Fix …", apply: fix }],
        }));
        view.dispatch(setDiagnostics(view.state, shown));
        return true;
      },
    },
    editorExtension: telling,
  };
}
