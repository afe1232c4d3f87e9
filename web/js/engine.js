// A game that plays: its module of WebAssembly, the memory that it began with, and the names of what it does.
//
// A state is a snapshot of two parts of the memory, slots and registers; positions are compared and shown as columns, as
// the engine's `State` has them. Moves are arrays: the number of an action (-1: stop), then its arguments.

const RANDOM_WORD = 0x52A7D06D17C39B21n;

export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

// The memory of a packed module; words that stand for random ones are drawn.
export function memoryOf(packed) {
  const memory = new WebAssembly.Memory({ initial: packed.pages });
  for (const [address, content] of packed.segments) {
    const bytes = bytesOf(content);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const words = new BigInt64Array(memory.buffer, address, bytes.length >> 3);
    const fresh = new BigInt64Array(64);
    let left = 0;
    for (let at = words.indexOf(RANDOM_WORD); at >= 0; at = words.indexOf(RANDOM_WORD, at + 1)) {
      if (left === 0) crypto.getRandomValues(fresh), left = 64;
      words[at] = fresh[--left];
    }
  }
  return memory;
}

export async function opened(packed) {
  const memory = memoryOf(packed);
  const { instance } = await WebAssembly.instantiate(bytesOf(packed.code), { env: { memory } });
  return new Game(packed, memory, instance.exports);
}

export class Game {
  constructor(packed, memory, entries) {
    this.data = packed.game;
    this.entries = entries;
    const { state, registers, moves } = this.data.memory;
    this.slots = new Int32Array(memory.buffer, state[0], state[1]);
    this.registers = new BigInt64Array(memory.buffer, registers[0], registers[1]);
    this.register = registers[2];
    this.moves = new Int32Array(memory.buffer, moves, 1 << 20);
    // Addresses are numbers of 32 bits, integers, as texts, words of 64.
    const passed = given => given.map(value => typeof value === "string" ? BigInt(value) : value);
    this.passing = Object.fromEntries(Object.entries(packed.calls).map(([name, given]) => [name, passed(given)]));
  }

  call(name) {
    const found = this.entries[name](...this.passing[name]);
    const fault = this.registers[this.register.fault];
    if (fault !== 0n) {
      this.registers[this.register.fault] = 0n;
      throw new Error(fault === 1n ? "the rules stop the game here" : "the memory is full");
    }
    return found;
  }

  // States -------------------------------------------------------------------------------------

  save() {
    return { slots: this.slots.slice(), registers: this.registers.slice() };
  }

  load(state) {
    this.slots.set(state.slots);
    this.registers.set(state.registers);
  }

  get isOver() { return this.slots[0] < 0; }

  get choice() { return this.isOver ? null : this.data.choices[this.slots[0]]; }

  get player() { return this.isOver ? 0 : Number(this.call("chooser")); }

  // The columns of the state of variables: numbers, arrays of the values of cells, arrays of tiles.
  columns() {
    const found = [];
    for (const [, kind, count, first, start, size] of this.data.columns) {
      if (kind === "cells") { found.push(Array.from(this.slots.subarray(first, first + start))); continue; }
      for (let number = 0; number < count; number += 1) {
        if (kind === "value") { found.push(this.slots[first + number]); continue; }
        const from = start + number * size;
        const tiles = Array.from(this.slots.subarray(from, from + this.slots[first + number]));
        found.push(kind === "pile" ? tiles.reverse() : tiles);
      }
    }
    return found;
  }

  // Moves --------------------------------------------------------------------------------------

  legal() {
    if (this.isOver) return [];
    const end = Number(this.call("legal")), { width } = this.data, found = [];
    for (let at = 0; at < end; at += width) {
      const number = this.moves[at];
      const count = number < 0 ? 0 : this.data.actions[number].parameters.length;
      found.push(Array.from(this.moves.subarray(at, at + 1 + count)));
    }
    return found;
  }

  play(move) {
    this.moves.fill(0, 0, this.data.width);
    this.moves.set(move);
    this.registers[this.register.trail_length] = 0n;
    this.call("apply");
    this.registers[this.register.trail_length] = 0n;
  }

  // What depends on the state is asked by number, with arguments as a move has them.
  ask(number, given = []) {
    this.moves[0] = number;
    this.moves.set(given, 1);
    return Number(this.call("ask"));
  }

  // Words --------------------------------------------------------------------------------------

  turn() {
    const choice = this.choice;
    if (choice === null) {
      const { horizon } = this.data;
      if (!horizon || this.slots[1] < horizon[1]) return "the game is over";
      return `the question is over, after ${horizon[1]} ${horizon[0]}${horizon[1] > 1 ? "s" : ""}`;
    }
    return choice.by ? `${choice.name} of player ${this.player}` : choice.name;
  }

  format(move) {
    if (move[0] < 0) return "stop";
    const action = this.data.actions[move[0]], words = {};
    action.parameters.forEach((parameter, at) => {
      words[`{${parameter.name}}`] = this.argument(parameter, move.slice(1, at + 2));
    });
    return action.notation.map(word => words[word] ?? word).join(" ");
  }

  argument(parameter, given) {
    const value = given[given.length - 1];
    if (parameter.none !== undefined && value === parameter.none) return "none";
    if (parameter.toward !== undefined) {
      const [, space] = parameter.type, direction = this.ask(parameter.toward, given);
      if (direction >= 0 && value !== this.data.windows[space].nowhere) return this.data.windows[space].words[direction];
    }
    return this.value(parameter.type, value);
  }

  value(type, value) {
    const [kind, name, low] = type, data = this.data;
    switch (kind) {
      case "truth": return value ? "yes" : "no";
      case "enumeration": return data.enumerations[name][value];
      case "tile": return value ? data.tiles[value - 1] : "nothing";
      case "cell": return this.cell(name, value);
      case "direction": return value >= 0 ? data.windows[name].words[value] : "none";
      case "region": return `region ${value % type[4]} of ${this.cell(name, Math.floor(value / type[4]))}`;
      case "place": return data.places[name][value]?.[0] ?? "none";
      case "pair": {
        const [first, second] = type.slice(4), count = second[3] - second[2];
        return `${this.value(first, first[2] + Math.floor(value / count))} ${this.value(second, second[2] + value % count)}`;
      }
      default: return String(value);
    }
  }

  cell(space, cell) {
    const window = this.data.windows[space];
    if (cell === window.nowhere) return "nowhere";
    if (window.names) return window.names[cell];
    const count = window.coordinates.length / window.nowhere;
    return `(${window.coordinates.slice(cell * count, (cell + 1) * count).join(",")})`;
  }

  // Reasons ------------------------------------------------------------------------------------

  // Every reason why an attempt is not legal, as the engine's `why_not` gives them; empty if it is.
  whyNot(move) {
    const choice = this.choice;
    if (choice === null) return [{ name: "flow.over", message: "the game is over", module: "", cite: "" }];
    if (move[0] < 0) return choice.stop ? [] : [{ name: "flow.stop", message: "`stop` is not offered here", module: "", cite: "" }];
    const action = this.data.actions[move[0]], given = move.slice(1), found = [];
    if (!choice.actions.includes(move[0])) {
      found.push({ name: `flow.${action.name}`, message: `\`${action.name}\` is not offered here`, module: action.module, cite: "" });
    }
    action.parameters.forEach((parameter, at) => {
      const before = given.slice(0, at + 1);
      if (this.ask(parameter.inside, before)) return;
      const message = `\`${this.value(parameter.type, given[at])}\` is not a possible \`${parameter.name}\` here`;
      found.push({ name: `${action.name}.${parameter.name}`, message, module: action.module, cite: action.cite });
    });
    for (const one of action.requirements) {
      if (this.ask(one.holds, given)) continue;
      const parts = (one.parts || []).filter(part => !this.ask(part.holds, given)).map(part => part.message);
      found.push({ name: one.name, message: parts.join("; ") || one.message, module: one.module, cite: one.cite });
    }
    return found;
  }

  // Scores -------------------------------------------------------------------------------------

  get score() { return this.data.scores.reduce((sum, score) => sum + this.ask(score.value), 0); }

  // The score item by item, as the engine's `score_items` gives it: points, cell, tile, and the score that gives them.
  scoreItems() {
    const found = [];
    for (const { name, value, each, points } of this.data.scores) {
      if (points === undefined) {
        const all = this.ask(value);
        if (all) found.push({ points: all, cell: "", tile: "", rule: name });
        continue;
      }
      const [kind, space, low, high] = each;
      for (let element = low; element < high; element += 1) {
        const worth = this.ask(points, [element]);
        if (!worth) continue;
        const tile = kind === "tile" ? element : kind === "cell" ? this.tileOn(space, element) : 0;
        const cell = kind === "cell" ? this.cell(space, element) : "";
        found.push({ points: worth, cell, tile: tile ? this.data.tiles[tile - 1] : "", rule: name });
      }
    }
    return found;
  }

  tileOn(space, cell) {
    const column = this.data.columns.find(([name]) => name === space);
    return column ? this.slots[column[3] + cell] : 0;
  }
}
