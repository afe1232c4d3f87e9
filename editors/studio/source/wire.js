// The connection to the language server, with what the protocol has and CodeMirror's client has not: requests that the server makes,
// and commands that may take minutes.

const OWN = "page ";
const NOT_FOUND = { code: -32601, message: "this page does not do that" };

export class Wire {
  // `requests`: what the server may ask, by method; each gets the parameters and gives the result.
  constructor(socket, requests) {
    this.socket = socket;
    this.requests = requests;
    this.handlers = new Set();
    this.waiting = new Map();
    this.next = 0;
    socket.onmessage = (event) => this.take(event.data);
  }

  send(message) {
    this.socket.send(message);
  }

  subscribe(handler) {
    this.handlers.add(handler);
  }

  unsubscribe(handler) {
    this.handlers.delete(handler);
  }

  tell(message) {
    this.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  take(text) {
    const { id, method, params, result, error } = JSON.parse(text);
    if (method && id !== undefined) {
      const act = this.requests[method];
      this.tell(act ? { id, result: act(params) ?? null } : { id, error: NOT_FOUND });
    } else if (this.waiting.has(id)) {
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error) reject(new Error(error.message));
      else resolve(result);
    } else {
      for (const handler of this.handlers) handler(text);
    }
  }

  // What a command of the server comes to, however long it takes.
  async command({ command, arguments: given = [] }) {
    const id = OWN + (this.next += 1);
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.tell({ id, method: "workspace/executeCommand", params: { command, arguments: given } });
    return answer;
  }

  // The server is gone: nothing more is answered.
  close() {
    for (const { reject } of this.waiting.values()) reject(new Error("the server has gone"));
    this.waiting.clear();
  }
}
