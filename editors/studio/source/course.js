// The play on the board as a tree: every line that was ever tried, and where we are in it.

export class Course {
  constructor(start, kept) {
    this.start = start;
    this.root = { action: "", parent: null, children: [], score: null };
    this.here = this.root;
    if (kept) this.restore(kept);
  }

  // The nodes from the start to here, without the start.
  get way() {
    const found = [];
    for (let node = this.here; node.parent; node = node.parent) found.unshift(node);
    return found;
  }

  get actions() {
    return this.way.map((node) => node.action);
  }

  play(action) {
    const known = this.here.children.find((child) => child.action === action);
    const node = known ?? { action, parent: this.here, children: [], score: null };
    if (!known) this.here.children.push(node);
    this.here.last = node;
    this.here = node;
  }

  go(node) {
    for (let at = node; at.parent; at = at.parent) at.parent.last = at;
    this.here = node;
  }

  get before() {
    return this.here.parent ?? this.here;
  }

  // Where play went on from here the last time.
  get next() {
    return this.here.last ?? this.here.children[0] ?? this.here;
  }

  // The scores on the way here, as the server found them.
  learn(scores) {
    this.way.forEach((one, at) => Object.assign(one, { score: scores[at] ?? null, refused: at >= scores.length }));
  }

  get data() {
    const told = (node) => ({ action: node.action, children: node.children.map(told), here: node === this.here });
    return told(this.root);
  }

  restore(data) {
    const read = (told, parent) => {
      const node = { action: told.action, parent, children: [], score: null };
      node.children = told.children.map((child) => read(child, node));
      if (told.here) this.here = node;
      return node;
    };
    this.root = read(data, null);
    if (this.here.parent === null) this.here = this.root;
  }
}
