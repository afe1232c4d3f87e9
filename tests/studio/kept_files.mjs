// Two workers on the files of one browser: what each stores, and what is there in the end, as JSON.

import { kept } from "../../studio/page/kept_files.js";

// As much of a file system in memory, and of its synchronisation with a storage, as is used.
class Memory {
  constructor(storage) {
    this.storage = storage;
    this.files = new Map();
  }

  readdir(folder) {
    const inner = [...this.files.keys()].filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1).split("/")[0]);
    return [".", "..", ...new Set(inner)];
  }

  stat(name) {
    const file = this.files.get(name);
    return { mode: file ? "file" : "folder", mtime: new Date(file?.time ?? 0) };
  }

  isDir(mode) { return mode === "folder"; }

  analyzePath(name) { return { exists: this.files.has(name) || this.readdir(name).length > 2 }; }

  mkdirTree() {}

  readFile(name) { return this.files.get(name).content; }

  writeFile(name, content) { this.files.set(name, { content, time: (clock += 1) }); }

  unlink(name) { this.files.delete(name); }

  // One side becomes as the other.
  sync(isIn) {
    const [from, to] = isIn ? [this.storage, this.files] : [this.files, this.storage];
    to.clear();
    for (const [name, file] of from) to.set(name, file);
  }
}

let clock = 0;
const storage = new Map();
const worker = () => {
  const memory = new Memory(storage);
  return { memory, ...kept(memory, "/files", async (isIn) => memory.sync(isIn)) };
};
Object.defineProperty(globalThis, "navigator", { value: { locks: { request: (_, act) => act() } } });

const [desk, search] = [worker(), worker()];
await desk.load();
for (const name of ["rules", "shelf/puzzle", "old"]) desk.memory.writeFile(`/files/${name}`, "as it was");
await desk.store();
await search.load();
await desk.load();
desk.memory.writeFile("/files/rules", "saved meanwhile");
desk.memory.unlink("/files/old");
await desk.store();
if (process.argv[2] === "writes") search.memory.writeFile("/files/shelf/puzzle", "answered");
await search.store();
console.log(JSON.stringify(Object.fromEntries([...storage].map(([name, { content }]) => [name, content]))));
