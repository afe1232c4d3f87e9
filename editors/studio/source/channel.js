// The connection to the server: requests are answered by number; when the server has stopped, the page waits for it.

import { connect } from "./transport.js";

const WAIT = 700;

export class Refusal extends Error {
  constructor(refused) {
    super(refused.message);
    this.help = refused.help || "";
    this.refused = refused;
  }
}

export class Channel {
  constructor({ onOpen, onLost, onEvent }) {
    Object.assign(this, { onOpen, onLost, onEvent });
    this.next = 0;
    this.waiting = new Map();
    this.isOpen = false;
  }

  connect() {
    this.socket = connect("page");
    this.socket.onopen = () => {
      this.isOpen = true;
      this.onOpen();
    };
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      const was = this.isOpen;
      this.isOpen = false;
      for (const { reject } of this.waiting.values()) reject(new Refusal({ message: "the server has stopped", lost: true }));
      this.waiting.clear();
      if (was || event.code !== 1000) this.onLost(event);
      setTimeout(() => this.connect(), WAIT);
    };
  }

  take(message) {
    if (message.event) return this.onEvent(message);
    const asked = this.waiting.get(message.id);
    if (!asked) return undefined;
    if ("progress" in message) return asked.progress(message.progress);
    this.waiting.delete(message.id);
    return "refused" in message ? asked.reject(new Refusal(message.refused)) : asked.resolve(message.done);
  }

  // The answer to a request; the promise has `cancel()`.
  ask(request, progress = () => {}) {
    const id = (this.next += 1);
    const answer = new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Refusal({ message: "the server has stopped", lost: true }));
      this.waiting.set(id, { resolve, reject, progress });
      return this.socket.send(JSON.stringify({ ...request, id }));
    });
    answer.cancel = () => this.isOpen && this.socket.send(JSON.stringify({ id: (this.next += 1), cancel: id }));
    return answer;
  }
}
