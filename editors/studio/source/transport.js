// How messages travel: by web sockets to the server that the page came from; or where the page names a script of a worker, to a worker
// of the page itself, which then stands in for the server. Both have the interface of a web socket.

const SCRIPT = document.querySelector("meta[name=worker]")?.content;
const CLOSED = { code: 1006, reason: "" };
const BEAT = 2000; // ms between two questions whether the worker is at work
const LOST = 1000;

export const isInPage = Boolean(SCRIPT);

export const connect = (name) => (isInPage ? new WorkerSocket(name) : new WebSocket(new URL(name, location.href.replace(/^http/, "ws"))));

// Python's engine, compiled once for all workers; where that cannot be, each compiles its own.
const engine = isInPage ? WebAssembly.compileStreaming(fetch(new URL("pyodide/pyodide.asm.wasm", location.href))).catch(() => null) : null;

// The worker, while it lives: its sockets, and where the files are: {path, handle, files}.
export const desk = {
  place: { path: "/files/mine" },
  sockets: new Map(),
  worker: null,
  onBusy: () => {}, // called with the seconds for which the worker has not answered; 0 once it has

  start() {
    const script = new Blob([`import ${JSON.stringify(new URL(SCRIPT, location.href).href)}`], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(script), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => this.take(data);
    worker.onerror = (event) => this.isReady || this.stop(event.message || "the worker cannot be started");
    engine.then((found) => worker.postMessage({ begin: { module: "rulewright.studio.server.page_worker", engine: found, ...this.place } }));
  },

  take(data) {
    if (data.to) this.sockets.get(data.to)?.onmessage?.({ data: data.text });
    else if (data.pong) {
      this.waiting = 0;
      this.onBusy(0);
    } else if (data.ready) this.ready();
    else if (data.failed) this.stop(data.failed);
    else if (data.end) this.stop(data.end.reason, data.end.code);
  },

  ready() {
    this.isReady = true;
    this.waiting = 0;
    this.beat = setInterval(() => {
      if (this.waiting) this.onBusy((Date.now() - this.waiting) / 1000);
      else this.worker.postMessage({ ping: (this.waiting = Date.now()) });
    }, BEAT);
    for (const socket of this.sockets.values()) socket.onopen?.();
  },

  // End the worker, with all that it does; the page connects anew.
  stop(reason = "", code = LOST) {
    this.worker?.terminate();
    clearInterval(this.beat);
    Object.assign(this, { worker: null, isReady: false, waiting: 0 });
    this.onBusy(0);
    const sockets = [...this.sockets.values()];
    this.sockets.clear();
    for (const socket of sockets) socket.onclose?.({ ...CLOSED, code, reason });
  },
};

// A page that the browser keeps, in case the reader comes back to it, would keep its Python too: some 250 MB.
if (isInPage) {
  addEventListener("pagehide", (event) => event.persisted && desk.worker?.terminate());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

class WorkerSocket {
  constructor(name) {
    this.name = name;
    desk.sockets.set(name, this);
    if (desk.isReady) setTimeout(() => this.onopen?.());
    else if (!desk.worker) desk.start();
  }

  send(text) {
    desk.worker?.postMessage({ to: this.name, text });
  }
}
