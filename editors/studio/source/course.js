// The play on the board as a tree: every line that was ever tried, and where we are in it.

export class Course {
  constructor(start, kept) {
    this.start = start;
    this.root = { action: "", parent: null, children: [], score: null };
    this.here = this.root;
    if (kept) this.restore(kept);
  }

  get actions() {
    const found = [];
    for (let node = this.here; node.parent; node = node.parent) found.unshift(node.action);
    return found;
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

  undo() {
    if (this.here.parent) this.go(this.here.parent);
  }

  redo() {
    const next = this.here.last ?? this.here.children[0];
    if (next) this.go(next);
  }

  // The scores on the way here, as the server found them.
  learn(plies) {
    let node = this.here;
    const way = [];
    for (; node.parent; node = node.parent) way.unshift(node);
    way.forEach((one, at) => {
      one.score = plies[at] ? plies[at].score : null;
      one.refused = !plies[at];
    });
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
