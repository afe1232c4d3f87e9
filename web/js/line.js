// The line of play as a tree: a node for each position that was reached, with the move that led there.

export class Line {
  constructor(game) {
    this.game = game;
    this.root = { move: null, number: -1, text: "", parent: null, children: [], player: 0, state: game.save() };
    this.at = this.root;
    this.first = game.player;
  }

  // Raises `Fault` if the rules stop the game; the position stays.
  play(move) {
    const known = this.at.children.find(({ move: other }) => String(other) === String(move));
    if (known) return this.go(known);
    const { game } = this, text = game.format(move), player = game.player;
    const number = game.legal().findIndex(one => String(one) === String(move));
    try {
      game.play(move);
    } catch (error) {
      game.load(this.at.state);
      throw error;
    }
    const made = { move, number, text, parent: this.at, children: [], player, state: game.save() };
    this.at.children.push(made);
    return this.go(made);
  }

  go(node) {
    this.at = node;
    this.game.load(node.state);
    for (let below = node; below.parent; below = below.parent) below.parent.last = below;
    return node;
  }

  undo() { return this.at.parent && this.go(this.at.parent); }

  redo() { return this.at.last && this.go(this.at.last); }

  // From the root to a node, the root left out.
  path(node = this.at) {
    const found = [];
    for (let one = node; one.parent; one = one.parent) found.unshift(one);
    return found;
  }

  // The line through the position and on to where it was left last.
  get shown() {
    let end = this.at;
    while (end.last) end = end.last;
    return this.path(end);
  }
}
