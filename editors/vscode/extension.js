// Starts the language server, and shows what its commands give back.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async function (context) {
  const settings = vscode.workspace.getConfiguration("rulewright");
  const [command, ...args] = settings.get("command");
  client = new LanguageClient(
    "rulewright",
    "Rulewright",
    { command, args },
    {
      documentSelector: [{ scheme: "file", language: "rulewright" }],
      initializationOptions: { answers: settings.get("answers") },
      middleware: { executeCommand: shown },
    },
  );
  context.subscriptions.push(client);
  await client.start();
};

exports.deactivate = function () {
  return client === undefined ? undefined : client.stop();
};

// A picture and a page have a tab of their own; what is short, the server shows itself.
async function shown(command, args, next) {
  const found = await next(command, args);
  if (command === "rulewright.show" && typeof found === "string" && found.startsWith("<svg")) {
    const panel = vscode.window.createWebviewPanel("rulewright", "Position", vscode.ViewColumn.Beside, {});
    panel.webview.html = `<body style="background: white">${found}</body>`;
  }
  if (command === "rulewright.explain" && typeof found === "string") {
    const page = await vscode.workspace.openTextDocument({ language: "markdown", content: found });
    await vscode.window.showTextDocument(page, vscode.ViewColumn.Beside);
  }
  return found;
}
