// Changes that the server proposes, of one file or of many.

import { LSPPlugin } from "@codemirror/lsp-client";

// Ask the server about a text; the answer comes with a function that makes the edits it names, wherever they are.
// `page.update(uri, changesOf)` changes a file, which may not be open yet, and says whether it can be written.
export async function askForEdits(view, page, method, params) {
  const plugin = LSPPlugin.get(view);
  const { client } = plugin;
  client.sync();
  const mapping = client.workspaceMapping();
  try {
    const answer = await client.request(method, { textDocument: { uri: plugin.uri }, ...params });
    const make = async (edit) => {
      const refused = [];
      for (const [uri, edits] of Object.entries(edit?.changes ?? {})) {
        const isOpen = client.workspace.getFile(uri);
        const place = (position, doc) => (isOpen ? mapping.mapPosition(uri, position) : plugin.fromPosition(position, doc));
        const changes = (doc) => edits.map(({ range, newText }) => ({ from: place(range.start, doc), to: place(range.end, doc), insert: newText }));
        if (!(await page.update(uri, changes))) refused.push(uri.split("/").pop());
      }
      mapping.destroy();
      if (refused.length) throw new Error(`${refused.join(", ")} is included with Rulewright and read-only`);
    };
    return { answer, make, leave: () => mapping.destroy() };
  } catch (error) {
    mapping.destroy();
    throw error;
  }
}
