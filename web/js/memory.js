// The memory of a packed module, its code, and its words: what Python laid out (web/game_module.py).

// Stands for a random word, drawn anew on each page: nobody who writes rules can foresee the hashes (memory_image.py).
const RANDOM_WORD = 0x52A7D06D17C39B21n;

const DRAWN = 1 << 12;

// A packed text as its header, the code, and the segments of memory with their bytes.
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)));
  const next = length => bytes.subarray(at, at += length);
  const code = next(header.code), segments = header.segments.map(([address, length]) => [address, next(length)]);
  return { ...header, code, segments };
}

// Raises `RangeError` if the device has not the memory.
function memoryOf({ pages, segments }) {
  const memory = new WebAssembly.Memory({ initial: pages });
  const drawn = new BigInt64Array(DRAWN);
  let left = 0;
  for (const [address, bytes] of segments) {
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const words = new BigInt64Array(memory.buffer, address, bytes.length >> 3);
    for (let at = words.indexOf(RANDOM_WORD); at >= 0; at = words.indexOf(RANDOM_WORD, at + 1)) {
      if (left === 0) {
        crypto.getRandomValues(drawn);
        left = DRAWN;
      }
      words[at] = drawn[left -= 1];
    }
  }
  return memory;
}

export class Module {
  static async of(packed) {
    const memory = memoryOf(packed);
    packed.compiled ??= await WebAssembly.compile(packed.code);
    const instance = await WebAssembly.instantiate(packed.compiled, { env: { memory } });
    return new Module(packed, memory, instance.exports);
  }

  constructor(packed, memory, entries) {
    this.buffer = memory.buffer;
    this.entries = entries;
    // Addresses are numbers of 32 bits, integers, as texts, words of 64.
    const passed = given => given.map(value => typeof value === "string" ? BigInt(value) : value);
    this.given = Object.fromEntries(Object.entries(packed.calls).map(([name, given]) => [name, passed(given)]));
    const { state, registers, moves, words } = packed.memory;
    this.slots = this.array(state);
    this.registers = this.array(registers);
    this.moves = this.array(moves);
    this.game = this.words(words);
    this.stateful = ["seed", "hash", "other_hash"].map(name => (words[name][0] - registers[0]) >> 3);
  }

  array([address, kind, length]) {
    return new (kind === "i" ? Int32Array : BigInt64Array)(this.buffer, address, length);
  }

  // Words by name, as numbers.
  words(places) {
    const found = {};
    for (const [name, [address, kind]] of Object.entries(places)) {
      const array = this.array([address, kind, 1]), wide = kind === "q";
      const get = () => Number(array[0]), set = value => { array[0] = wide ? BigInt(value) : value; };
      Object.defineProperty(found, name, { get, set });
    }
    return found;
  }

  // What an entry returns. Raises `Fault` if the rules stop the game, or memory is full.
  call(name, ...given) {
    const passed = this.given[name];
    const found = Number(this.entries[name](...(given.length ? [...passed.slice(0, -given.length), ...given] : passed)));
    if (this.game.fault !== 0) {
      const stopped = this.game.fault === 1;
      this.game.fault = 0;
      throw new Fault(stopped ? "the rules stop the game here" : "the memory is full");
    }
    return found;
  }

  // A state: its slots, and of the registers those that belong to it. The stamp of closures does not: marks stay in memory.
  save() {
    return { slots: this.slots.slice(), registers: this.stateful.map(at => this.registers[at]) };
  }

  load({ slots, registers }) {
    this.slots.set(slots);
    this.stateful.forEach((at, number) => { this.registers[at] = registers[number]; });
    this.game.trail_length = 0;
  }
}

export class Fault extends Error {}
