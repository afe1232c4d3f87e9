// What scene.js asks of a state: of the game where it stands, or of an earlier state that the game kept.

const HEADER = 3; // the columns before those of the variables: the choice, the seed, the count of the horizon

export class Reader {
  // `state` is what `Game.save` gave; without one, the game as it stands.
  constructor(game, state = null) {
    this.game = game;
    this.state = state;
    this.columns = this.there(() => game.columns());
  }

  there(read) {
    if (this.state === null) return read();
    const now = this.game.save();
    this.game.load(this.state);
    const found = read();
    this.game.load(now);
    return found;
  }

  column(number) { return number < HEADER ? this.game.slots[number === 0 ? 0 : 1] : this.columns[number - HEADER]; }

  holds(definition, cell) { return this.there(() => this.game.ask(this.game.data.drawn[definition], [cell])) !== 0; }

  player() { return this.there(() => this.game.player); }

  over() { return this.there(() => this.game.isOver); }

  turn() { return this.there(() => this.game.turn()); }

  score() { return this.there(() => `score ${this.game.score}${dotted(this.game.rank())}`); }

  standing(player) { return this.there(() => this.game.standing(player)); }
}

const dotted = text => text ? ` · ${text}` : "";
