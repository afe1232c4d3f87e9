// A process of the studio in the page: a worker with Python, which runs a module of Rulewright on files of the browser's storage.
// Its starter sends {begin: {module, path, handle, files, engine}} first. See src/rulewright/workers/line_server.py and studio/server/page_worker.py.

import { kept, write } from "./kept_files.js";

const here = new URL(".", import.meta.url).href;
const early = [];
let take = (data) => early.push(data);

onmessage = ({ data }) => {
  if (data.begin) begin(data.begin).catch((error) => postMessage({ failed: String(error.message ?? error) }));
  else if (data.ping) postMessage({ pong: data.ping });
  else take(data);
};

function hearWith(act) {
  take = act;
  early.splice(0).forEach(act);
}

// A worker from a script of its own text keeps to the content security policy of the page.
function started(begin) {
  const script = new Blob([`import ${JSON.stringify(import.meta.url)}`], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(script), { type: "module" });
  worker.postMessage({ begin });
  return worker;
}

async function begin({ module, path, handle, files, engine }) {
  const [{ loadPyodide }, lock] = await Promise.all([import(`${here}pyodide/pyodide.mjs`), got("pyodide/lock.json")]);
  // The engine is compiled once, in the page.
  if (engine) WebAssembly.instantiateStreaming = async (_, given) => ({ module: engine, instance: await WebAssembly.instantiate(engine, given) });
  const env = { HOME: "/own", RULEWRIGHT_CACHE: "", PYTHONDONTWRITEBYTECODE: "1" };
  const packages = got("rulewright.pack", (answer) => answer.body.pipeThrough(new DecompressionStream("gzip")));
  const python = await loadPyodide({ indexURL: `${here}pyodide/`, lockFileContents: new TextDecoder().decode(await lock), env });
  python.setInterruptBuffer(clock);
  const site = python.runPython("import site; site.getsitepackages()[0]");
  const { FS } = python;
  unpack(new Uint8Array(await packages), FS, site);
  FS.mkdirTree(path);
  if (handle) await python.mountNativeFS(path, handle);
  else FS.mount(FS.filesystems.IDBFS, {}, path);
  const sync = (isIn) => new Promise((resolve, reject) => FS.syncfs(isIn, (error) => (error ? reject(new Error(error.message || error.name || String(error))) : resolve())));
  const { load, store } = kept(FS, path, sync);
  await load();
  if (files && FS.readdir(path).length === 2) {
    for (const [name, text] of Object.entries(files)) write(FS, `${path}/${name}`, text);
    await store();
  }
  globalThis.rulewright = {
    folder: path,
    load,
    store,
    tell: (to, text) => postMessage({ to, text }),
    end: (code, reason) => postMessage({ end: { code, reason } }),
    listen: (hear) => hearWith(({ to, text }) => hear(to, text)),
    say: (line) => postMessage(line),
    serve: (answer) => hearWith((line) => (turn = turn.then(() => answered(answer, line, load, store)))),
    start(inner, heard) {
      const worker = started({ module: inner, path, handle, engine });
      worker.onmessage = ({ data }) => {
        if (!data.ready) heard(data.failed ? refused(data.failed) : data);
      };
      return worker;
    },
  };
  python.runPython(`import runpy; runpy.run_module(${JSON.stringify(module)}, run_name="__main__")`);
  postMessage({ ready: true });
}

// Where Python, at work, looks for a signal: for its time limits (src/rulewright/base/deadline.py), which no thread watches here.
const SIGALRM = 14;
const KNOCK = 20; // ms between two signals
let next = 0;
const clock = {
  get 0() {
    if (performance.now() < next) return 0;
    next = performance.now() + KNOCK;
    return SIGALRM;
  },
  set 0(_) {}, // Python takes the signal back
};

let turn = Promise.resolve();

async function answered(answer, line, load, store) {
  await load();
  let said = answer(line);
  try {
    await store();
  } catch (error) {
    said = refused(`the browser did not store it: ${error.message ?? error}`);
  }
  postMessage(said);
}

const refused = (message) => JSON.stringify({ refused: { message, help: "" } });

async function got(name, decoded = (answer) => answer.body) {
  const answer = await fetch(here + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return new Response(decoded(answer)).arrayBuffer();
}

// The files that compile.mjs has packed: their names and lengths in a line of JSON, then the files themselves.
function unpack(packed, FS, root) {
  let at = packed.indexOf(10);
  const index = JSON.parse(new TextDecoder().decode(packed.subarray(0, at++)));
  for (const [name, length] of index) write(FS, `${root}/${name}`, packed.subarray(at, (at += length)));
}
