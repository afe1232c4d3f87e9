// The extension with a stand-in for the editor: what it starts, and what it does with the results of commands.

const assert = require("node:assert");
const Module = require("node:module");
const { spawn } = require("node:child_process");
const path = require("node:path");
const test = require("node:test");

const manifest = require("../package.json");
const defaults = Object.fromEntries(
  Object.entries(manifest.contributes.configuration.properties).map(([name, one]) => [name.replace("rulewright.", ""), one.default]),
);

// Load the extension anew, with an editor that notes what is asked of it.
function loaded() {
  const noted = { clients: [], panels: [], documents: [] };
  class LanguageClient {
    constructor(id, name, server, options) {
      Object.assign(this, { id, name, server, options, running: false });
      noted.clients.push(this);
    }
    async start() {
      this.running = true;
    }
    async stop() {
      this.running = false;
    }
  }
  const vscode = {
    ViewColumn: { Beside: -2 },
    workspace: {
      getConfiguration: () => ({ get: (name) => defaults[name] }),
      openTextDocument: async (document) => document,
    },
    window: {
      createWebviewPanel: (...rest) => {
        const panel = { rest, webview: { html: "" } };
        noted.panels.push(panel);
        return panel;
      },
      showTextDocument: async (document) => noted.documents.push(document),
    },
  };
  const load = Module._load;
  Module._load = (name, ...rest) =>
    name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
  try {
    const file = path.join(__dirname, "..", "extension.js");
    delete require.cache[file];
    return { extension: require(file), noted };
  } finally {
    Module._load = load;
  }
}

test("it starts the server that the settings name, for our files, and stops it", async () => {
  const { extension, noted } = loaded();
  await extension.activate({ subscriptions: [] });
  const [client] = noted.clients;
  assert.deepEqual(client.server, { command: "rulewright", args: ["lsp"] });
  assert.deepEqual(client.options.documentSelector, [{ scheme: "file", language: "rulewright" }]);
  assert.deepEqual(client.options.initializationOptions, { answers: true });
  assert.ok(client.running);
  await extension.deactivate();
  assert.ok(!client.running);
});

test("pictures and pages get a tab of their own, and other results pass", async () => {
  const { extension, noted } = loaded();
  await extension.activate({ subscriptions: [] });
  const run = (command, result) => noted.clients[0].options.middleware.executeCommand(command, [], async () => result);
  assert.equal(await run("rulewright.show", "<svg/>"), "<svg/>");
  assert.match(noted.panels[0].webview.html, /<svg\/>/);
  await run("rulewright.show", "RW007: the file has no `puzzle` line");
  assert.equal(noted.panels.length, 1);
  await run("rulewright.explain", "**RW111**");
  assert.equal(noted.documents[0].content, "**RW111**");
  assert.equal(await run("rulewright.score", "score 3"), "score 3");
});

test("the command of the settings is a language server", { skip: !process.env.RULEWRIGHT_SERVER }, async () => {
  const [command, ...args] = defaults.command;
  const server = spawn(command, args);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
  server.stdin.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  const answer = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data))));
  server.kill();
  assert.match(answer, /Content-Length/);
});
