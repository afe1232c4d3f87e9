// A game that plays: its module of WebAssembly, the memory that it began with, and the names of what it does.
//
// A state is a snapshot of two parts of the memory, slots and registers; positions are compared and shown as columns, as
// the engine's `State` has them. Moves are arrays: the number of an action (-1: stop), then its arguments.

import { Module } from "./memory.js";

// Most attempts with a thing that are examined.
const MOST_ATTEMPTS = 12;

export class Game {
  static async of(packed) {
    return new Game(packed.game, await Module.of(packed));
  }

  constructor(data, module) {
    this.data = data;
    this.module = module;
    this.slots = module.slots;
  }

  // States -------------------------------------------------------------------------------------

  save() { return this.module.save(); }

  load(state) { this.module.load(state); }

  get isOver() { return this.slots[0] < 0; }

  get choice() { return this.isOver ? null : this.data.choices[this.slots[0]]; }

  get player() { return this.isOver ? 0 : this.module.call("chooser"); }

  // The columns of the state of variables: numbers, arrays of the values of cells, arrays of tiles.
  columns() {
    const found = [], part = (first, count) => Array.from(this.slots.subarray(first, first + count));
    for (const [, kind, count, first, start, size] of this.data.columns) {
      for (let number = 0; number < count; number += 1) {
        if (kind === "value") found.push(this.slots[first + number]);
        else if (kind === "cells") found.push(part(first, start));
        else {
          const tiles = part(start + number * size, this.slots[first + number]);
          found.push(kind === "pile" ? tiles.reverse() : tiles);
        }
      }
    }
    return found;
  }

  // Moves --------------------------------------------------------------------------------------

  legal() {
    if (this.isOver) return [];
    const { moves } = this.module, { width } = this.data, end = this.module.call("legal"), found = [];
    for (let at = 0; at < end; at += width) {
      const count = moves[at] < 0 ? 0 : this.data.actions[moves[at]].parameters.length;
      found.push(Array.from(moves.subarray(at, at + 1 + count)));
    }
    return found;
  }

  play(move) {
    this.module.moves.fill(0, 0, this.data.width);
    this.module.moves.set(move);
    this.module.game.trail_length = 0;
    this.module.call("apply");
  }

  // What depends on the state is asked by number, with arguments as a move has them.
  ask(number, given = []) {
    this.module.moves[0] = number;
    this.module.moves.set(given, 1);
    return this.module.call("ask");
  }

  // Words --------------------------------------------------------------------------------------

  // Whether the turns that the question allows are over.
  get isAtHorizon() { return Boolean(this.data.horizon) && this.slots[1] >= this.data.horizon[1]; }

  turn() {
    const choice = this.choice;
    if (choice === null) {
      const { horizon } = this.data;
      if (!this.isAtHorizon) return "the game is over";
      return `the question is over, after ${horizon[1]} ${horizon[0]}${horizon[1] > 1 ? "s" : ""}`;
    }
    const who = choice.by ? `player ${this.player}` : "";
    if (!choice.name) return `${who} to move`.trim();
    return who ? `${choice.name} of ${who}` : choice.name;
  }

  format(move) {
    if (move[0] < 0) return "stop";
    const action = this.data.actions[move[0]], words = {};
    action.parameters.forEach((parameter, at) => {
      words[`{${parameter.name}}`] = this.argument(parameter, move.slice(1, at + 2));
    });
    const parts = action.other && this.ask(action.other.when, move.slice(1)) ? action.other.parts : action.notation;
    return parts.map(part => words[part] ?? part).join("");
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
    if (choice === null) return [{ name: "flow.over", message: "the game is over", module: "", cite: "", things: [] }];
    if (move[0] < 0) return choice.stop ? [] : [{ name: "flow.stop", message: "`stop` is not offered here", module: "", cite: "", things: [] }];
    const action = this.data.actions[move[0]], given = move.slice(1), found = [];
    if (!choice.actions.includes(move[0])) {
      found.push({ name: `flow.${action.name}`, message: `\`${action.name}\` is not offered here`, module: action.module, cite: "", things: [] });
    }
    action.parameters.forEach((parameter, at) => {
      const before = given.slice(0, at + 1);
      if (this.ask(parameter.inside, before)) return;
      const message = `\`${this.value(parameter.type, given[at])}\` is not a possible \`${parameter.name}\` here`;
      found.push({ name: `${action.name}.${parameter.name}`, message, module: action.module, cite: action.cite, things: this.thingsOf(parameter.type, given[at]) });
    });
    found.push(...this.broken(action.requirements, given));
    return found.length ? found : this.broken(action.afterwards, given);
  }

  broken(requirements, given) {
    return requirements.filter(one => !this.ask(one.holds, given)).map(one => {
      const parts = (one.parts || []).filter(part => !this.ask(part.holds, given)).map(part => part.message);
      return { name: one.name, message: parts.join("; ") || one.message, module: one.module, cite: one.cite, things: [...new Set(this.about(one.about, given))] };
    });
  }

  // The cells and tiles for which a requirement fails: see web/questions.py.
  *about(node, given) {
    if (node?.at) for (const [word, place] of node.at) yield `${word} ${given[place]}`;
    else if (node?.all) {
      for (const [holds, part] of node.all) if (!this.ask(holds, given)) yield* this.about(part, given);
    } else if (node?.each) {
      for (let value = node.each[0]; value < node.each[1]; value += 1) {
        const inner = [...given, value];
        if (!this.ask(node.inside, inner) || this.ask(node.holds, inner)) continue;
        if (node.word) yield `${node.word} ${value}`;
        yield* this.about(node.of, inner);
      }
    } else if (node) {
      yield* this.about(node.of, [...given, ...node.call.map(number => this.ask(number, given))]);
    }
  }

  // What may be done with a thing, as rules/play/why_illegal.py says: for each action on offer that takes it the legal moves or,
  // without any, why the attempt nearest to a legal one is refused. A thing is a name: `sea 12`, `tile 3`.
  prospects(thing) {
    const legal = this.legal(), found = [];
    for (const number of this.choice?.actions ?? []) {
      const { parameters } = this.data.actions[number];
      if (!parameters.some(parameter => this.takes(parameter.type, thing))) continue;
      const moves = legal.filter(move => move[0] === number && this.thingsIn(move).includes(thing));
      const refused = moves.length ? null : this.nearest(number, thing);
      if (moves.length || refused) found.push({ action: number, moves, ...refused });
    }
    return found;
  }

  takes([kind, name, , , space], thing) {
    const word = thing.slice(0, thing.lastIndexOf(" "));
    return kind === "tile" ? word === "tile" : (kind === "cell" ? name : kind === "place" ? space : null) === word;
  }

  // The things that a move names: its arguments, and every cell of a place.
  thingsIn([number, ...given]) {
    if (number < 0) return [];
    const found = new Set();
    this.data.actions[number].parameters.forEach(({ type }, at) => {
      for (const thing of this.thingsOf(type, given[at])) found.add(thing);
      if (type[0] === "place") for (const cell of this.data.places[type[1]][given[at]]?.slice(1) ?? []) found.add(`${type[4]} ${cell}`);
    });
    return [...found];
  }

  nameOf(thing) {
    const at = thing.lastIndexOf(" "), word = thing.slice(0, at), value = Number(thing.slice(at + 1));
    return word === "tile" ? this.data.tiles[value - 1] : this.cell(word, value);
  }

  // The name of a cell or tile in the picture; of other values none.
  thingsOf([kind, space], value) { return kind === "cell" ? [`${space} ${value}`] : kind === "tile" ? [`tile ${value}`] : []; }

  // The attempt with the fewest failures, arguments in their domains before others; null if there is none.
  nearest(number, thing) {
    const { parameters } = this.data.actions[number], value = Number(thing.slice(thing.lastIndexOf(" ") + 1));
    const places = parameters.flatMap(({ type }, at) => type[0] !== "place" && this.takes(type, thing) ? [at] : []);
    const inside = (at, given, only) => {
      const { type: [, , low, high] } = parameters[at], found = [];
      if (at === only) return this.ask(parameters[at].inside, [...given, value]) ? [value] : [];
      for (let one = low; one < high; one += 1) if (this.ask(parameters[at].inside, [...given, one])) found.push(one);
      return found;
    };
    const near = [];
    const extend = (given, only) => {
      if (near.length >= MOST_ATTEMPTS) return;
      if (given.length === parameters.length) near.push(given);
      else for (const one of inside(given.length, given, only)) extend([...given, one], only);
    };
    for (const place of places) extend([], place);
    if (!near.length && places.length) {
      const given = [];
      for (let at = 0; at < parameters.length; at += 1) {
        const found = at === places[0] ? value : inside(at, given, -1)[0];
        if (found === undefined) return null;
        given.push(found);
      }
      near.push(given);
    }
    let best = null;
    for (const given of near) {
      const move = [number, ...given], reasons = this.whyNot(move);
      if (!best || reasons.length < best.reasons.length) best = { attempt: move, reasons };
    }
    return best;
  }

  // Scores -------------------------------------------------------------------------------------

  get score() { return this.data.scores.reduce((sum, score) => sum + this.ask(score.value), 0); }

  // The name of the range that the score is in, or that of a player.
  rank(player = null) {
    const { rank } = this.data;
    if (!rank || rank.of_players !== (player !== null)) return "";
    const value = this.ask(rank.value, player === null ? [] : [player]);
    return rank.lines.find(([, low, high]) => (low === null || low <= value) && (high === null || value <= high))?.[0] ?? "";
  }

  // The scores of a player, and how the player stands, each after a dot; "" without any.
  standing(player) {
    const { has_flags, players, tells_leader, outcomes, scores } = this.data, own = scores.filter(score => score.of_player !== undefined);
    if (!outcomes.length && !own.length) return "";
    const told = has_flags ? [] : own.map(({ name, of_player: value }) => `${name} ${this.ask(value, [player])}`);
    if (this.rank(player)) told.push(this.rank(player));
    const outcome = outcomes.length ? this.ask(outcomes[player - 1]) : -1; // 1: best, 0: with another one
    const isOver = this.isOver && (!this.isAtHorizon || (has_flags && outcome === 1)); // a question may be over before the game
    if (outcome >= 0 && players > 1 && (isOver || tells_leader)) told.push(isOver ? (outcome ? "wins" : "a draw") : outcome ? "leads" : "level");
    return told.map(one => ` · ${one}`).join("");
  }

  // The score item by item, as the engine's `score_items` gives it: points, cell, tile, and the score that gives them.
  scoreItems() {
    const found = [];
    for (const { name, value, each, points, cases, case: which } of this.data.scores) {
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
        const rule = cases?.[this.ask(which, [element])] ?? name;
        found.push({ points: worth, cell, tile: tile ? this.data.tiles[tile - 1] : "", rule });
      }
    }
    return found;
  }

  // Whether and how the question is answered here: { met, value, end }, as it counts; null without a question.
  asked() {
    const { asked } = this.data;
    if (!asked) return null;
    if (asked.until === undefined) return { met: this.isOver, value: this.ask(asked.value), end: this.isOver };
    const met = Boolean(this.ask(asked.until));
    const value = asked.value !== undefined ? this.ask(asked.value) : asked.turns ? this.slots[1] : null;
    return { met, value, end: met || this.isOver };
  }

  tileOn(space, cell) {
    const column = this.data.columns.find(([name]) => name === space);
    return column ? this.slots[column[3] + cell] : 0;
  }
}
