// Answers the question of a puzzle with the kernels, slice by slice: `search_module.py` has laid them out at the root.
// `answer` asks for the position after a line of play from there.
//
// `tell({ best, bound, states })` hears how far the search is; the answer is { status, value, bound, plan, states }, with
// values as the question counts them. The status is optimal, impossible, feasible or unknown.

import { Module } from "./memory.js";

const SLICE = 1 << 13, BOUND_ROUNDS = 1000, ENDLESS = 2 ** 40;
const VOID = 2.5e8; // no value is so large: lines of play that break a given plan (given_plans.py) are worth less than its negative

export class Search {
  static async of(packed) {
    const module = await Module.of(packed);
    return new { best: BestSearch, shortest: ShortestSearch, versus: BestPlay }[packed.search.kind](packed, module);
  }

  constructor(packed, module) {
    this.module = module;
    this.data = packed.search;
    this.ends = packed.ends;
    this.wordsOfMoves = packed.words_of_moves;
    this.width = packed.memory.width;
    this.words = module.words(this.data.words);
    this.root = module.save();
  }

  // The answer for the position after a line of play.
  async answer(tell, path = []) {
    const found = await this.sought(tell, this.own(path));
    if (Math.abs(found.value) > VOID) throw new Error("the given plans cannot be followed to the end");
    return { ...found, plan: found.plan.map(move => this.played(move)) };
  }

  // A line of play as moves of the searched game: where plans are given, their players have copies of their actions there.
  own(path) {
    if (!Object.keys(this.data.copies).length) return path;
    const found = [];
    for (const move of path) {
      this.begin(found);
      const own = this.legal().find(one => String(this.played(one)) === String(move));
      if (!own) throw new Error("this line of play has left a given plan");
      found.push(own);
    }
    return found;
  }

  played([number, ...given]) { return [this.data.copies[number] ?? number, ...given]; }

  legal() {
    const end = this.module.call("legal"), found = [];
    for (let at = 0; at < end; at += this.width) found.push(this.moveIn(this.module.moves, at));
    return found;
  }

  moveIn(array, at) { return Array.from(array.subarray(at, at + (this.wordsOfMoves[array[at]] ?? 1))); }

  // Go to the state after a line of play from the root.
  begin(path) {
    this.module.load(this.root);
    for (const move of path) {
      this.module.moves.fill(0, 0, this.width);
      this.module.moves.set(move);
      this.module.call("apply");
    }
  }

  // What a kernel returns at its end; in between `heard` is called. Raises `Error` where there is no answer.
  async run(entry, limit, heard) {
    for (;;) {
      limit(SLICE);
      const end = this.module.call(entry);
      if (end === this.ends.done || end === this.ends.full) return end;
      if (end === this.ends.repeated) throw new Error("positions can repeat, so best play may have no last position");
      if (end === this.ends.too_deep) throw new Error("some lines of play are too long");
      if (end !== this.ends.paused) throw new Error("the rules stop the game on some line of play");
      if (heard() === false) return end;
      await null;
    }
  }
}

// The best value: a bound at the root, a beam for a good plan, then branch and bound.
class BestSearch extends Search {
  async sought(tell, path) {
    const { words, data } = this, sign = value => value === null ? null : data.sign * value;
    let bound = data.most;
    this.begin(path);
    if (this.module.slots[0] < 0) return { status: "optimal", value: null, bound: null, plan: [], states: 1 };
    const report = () => tell({ best: words.has_plan ? sign(words.plan_value) : null, bound: sign(bound), states: words.nodes });
    if (this.module.given.bound_by_dual_costs && bound !== null) {
      for (let round = 0; round < BOUND_ROUNDS; round += 1) {
        const [sweeps] = this.module.given.bound_by_dual_costs.slice(-1);
        const found = this.module.call("bound_by_dual_costs", BigInt(bound - 1), sweeps);
        if (found >= bound) break;
        bound = found;
      }
      if (data.reach === null) words.target = bound;
    }
    report();
    this.begin(path);
    if (!path.length) this.module.call("beam_search");
    report();
    let end = this.ends.done;
    if (!words.stop) {
      this.begin(path);
      end = await this.run("depth_first_search", states => { words.node_limit = words.nodes + states; }, () => {
        report();
        return !words.stop;
      });
    }
    const value = words.has_plan ? words.plan_value : null;
    const settled = end === this.ends.done || words.stop !== 0;
    const status = settled ? value === null ? "impossible" : "optimal" : value === null ? "unknown" : "feasible";
    const plan = [], moves = this.module.array(data.plan);
    for (let at = 0; at < words.plan_length; at += 1) plan.push(this.moveIn(moves, at * this.width));
    return { status, value: sign(value), bound: settled ? sign(value) : sign(bound), plan: value === null ? [] : plan, states: words.nodes };
  }
}

// The least cost, in order of estimated cost.
class ShortestSearch extends Search {
  async sought(tell, path) {
    const { words } = this;
    this.begin(path);
    this.module.call("enter_root");
    this.module.call("estimate_again");
    const best = () => words.has_goal ? words.goal_cost : null;
    const report = () => tell({ best: best(), bound: words.cost + words.slack, states: words.expanded });
    const end = await this.run("best_first_search", states => { words.expansion_limit = words.expanded + states; }, report);
    const done = end === this.ends.done, value = best();
    const status = done ? value === null ? "impossible" : "optimal" : value === null ? "unknown" : "feasible";
    const bound = done ? value : words.cost + words.slack;
    return { status, value, bound, plan: value === null ? [] : this.plan(path), states: words.expanded };
  }

  // The moves from the state after a path to the goal: by the numbers of the states in between.
  plan(path) {
    const { data, module } = this, origins = module.array(data.origins), numbers = [], found = [];
    for (let number = this.words.goal_parent; number !== 0; number = Number(origins[number] & BigInt(data.number))) numbers.unshift(number);
    for (const number of numbers) {
      this.begin([...path, ...found]);
      found.push(this.moveIn(module.moves, module.call("move_to", BigInt(number))));
    }
    return [...found, this.moveIn(module.array(data.goal), 0)];
  }
}

// The value of best play by null windows, as in solver/versus/best_play.py; and the best reply in a position.
class BestPlay extends Search {
  // A bound on the value after some moves: a lower one if it reaches the goal, else an upper one. Signed for the asker.
  async judge(path, goal, heard = () => true, most = null) {
    const { words, module } = this;
    [words.left, words.turn] = this.clock(path);
    if (most !== null) words.left = most;
    this.begin(path);
    module.game.trail_length = 0;
    [words.goal, words.depth, words.has_result] = [goal, 0, 0];
    await this.run("minimax_search", states => { words.node_limit = words.nodes + states; }, heard);
    return words.result;
  }

  // The own turns (or moves) left after a path, and the number of the last turn begun.
  clock(path) {
    const { module, data } = this;
    let left = data.within?.most ?? 0, turn = -1;
    if (!data.within) return [left, turn];
    for (const [at] of path.entries()) {
      this.begin(path.slice(0, at));
      if (module.call("chooser") !== data.player || (data.within.turns && module.slots[1] === turn)) continue;
      left -= 1;
      turn = module.slots[1];
    }
    return [left, turn];
  }

  async value(path, heard) {
    const { threshold, extremes: [least, most] } = this.data;
    let lower = -ENDLESS, upper = ENDLESS, goal = threshold;
    if (goal === null) {
      this.begin(path);
      goal = this.data.sign * this.module.call("value");
    }
    while (threshold === null ? Math.max(lower, least) !== Math.min(upper, most) : lower < threshold && upper >= threshold) {
      const bound = await this.judge(path, goal, () => heard(lower, upper));
      if (bound >= goal) lower = bound;
      else upper = bound;
      if (lower === -ENDLESS) goal = upper;
      else if (upper === ENDLESS || upper - lower <= 4) goal = lower + 1;
      else goal = Math.ceil((lower + upper) / 2);
    }
    return threshold === null ? [Math.max(lower, least), Math.min(upper, most)] : [lower, upper];
  }

  async sought(tell, path) {
    const { words, data } = this, sign = value => Math.abs(value) === ENDLESS ? null : data.sign * value;
    const heard = (lower, upper) => tell({ best: sign(lower), bound: sign(upper), states: words.nodes });
    const [lower] = await this.value(path, heard), goal = data.threshold ?? lower;
    if (data.threshold !== null && lower < goal) return { status: "impossible", value: null, bound: goal - 1, plan: [], states: words.nodes };
    const plan = [];
    for (let move = await this.reply(path, goal); move; move = await this.reply([...path, ...plan], goal)) plan.push(move);
    return { status: "optimal", value: sign(lower), bound: sign(lower), plan, states: words.nodes };
  }

  // The first move after a path with which its player keeps the value; null at the end.
  async reply(path, goal) {
    this.begin(path);
    const { module } = this;
    if (module.slots[0] < 0) return null;
    const own = this.data.together || module.call("chooser") === this.data.player, moves = this.legal();
    const [least, most] = this.data.extremes, isSure = own ? goal === least : goal === most || this.data.threshold !== null;
    if (!isSure) for (const move of moves) {
      const bound = await this.judge([...path, move], own ? goal : goal + 1);
      if (own ? bound >= goal : bound <= goal) return move;
    }
    return moves[0] ?? null;
  }

  // A best move after a path: it keeps the value that play is worth there.
  async best(path) {
    const [lower] = await this.value(path, () => true);
    return this.reply(path, this.data.threshold ?? lower);
  }

  // The solution of a problem after a line of play, none if it cannot be solved from there. As in solver/versus/solution.py.
  async solution(tell, path) {
    const { threshold } = this.data;
    return await this.judge(path, threshold) < threshold ? [] : this.lines(tell, path, 0);
  }

  // Each move that solves it, or each defence, with what follows in the fewest turns; where all play together, every line.
  async lines(tell, path, depth) {
    this.begin(path);
    if (this.module.slots[0] < 0) return [];
    const own = this.data.together || this.module.call("chooser") === this.data.player, moves = this.legal(), found = [];
    for (const move of own ? await this.continuations(tell, path, moves, depth) : moves) {
      found.push({ move, own, replies: await this.lines(tell, [...path, move], depth + 1) });
    }
    return found;
  }

  async continuations(tell, path, moves, depth) {
    const heard = () => tell({ best: null, bound: null, states: this.words.nodes });
    const [left] = this.clock(path.concat(moves.slice(0, 1))), fewest = depth && !this.data.together ? Array(Math.max(0, left + 1)).keys() : [];
    for (const most of [...fewest, null]) {
      const found = [];
      for (const move of moves) if (await this.judge([...path, move], this.data.threshold, heard, most) >= this.data.threshold) found.push(move);
      if (found.length) return found;
    }
    return [];
  }
}

