// Bundles the page's scripts into studio/page/studio.js, and the licences of what is bundled into licences.txt beside it.
// The first line of the bundle is a hash of what it was built from, by which a test sees that it is not stale.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "..", "..", "studio", "page");
const sources = readdirSync(join(here, "source")).sort().map((name) => join(here, "source", name));
const inputs = [...sources, join(here, "..", "codemirror", "rulewright.js"), join(here, "package-lock.json")];

const hash = createHash("sha256");
for (const input of inputs) hash.update(readFileSync(input));

const made = await build({
  entryPoints: [join(here, "source", "main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  banner: { js: `// built from ${hash.digest("hex")}; licences of what is within: licences.txt` },
  outfile: join(page, "studio.js"),
  metafile: true,
  legalComments: "none",
});

const packages = new Set();
for (const input of Object.keys(made.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
let text = "Rulewright's studio has these packages within its script, each under the licence below it.\n";
for (const name of [...packages].sort()) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json")));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file || !existsSync(join(folder, file))) throw new Error(`${name} has no licence file`);
  text += `\n${"=".repeat(78)}\n${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf-8").trim()}\n`;
}
writeFileSync(join(page, "licences.txt"), text);
