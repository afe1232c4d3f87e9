// Plays games that Python chose, and prints the digest of all that the engine of pages tells of each; or, asked for one game,
// what it tells. Input: { packed, games: [{ moves, attempts: [[state, move], …] }], only }.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Game } from "../../web/js/engine.js";
import { unpacked } from "../../web/js/memory.js";

const { packed, games, only } = JSON.parse(readFileSync(0, "utf-8"));
const game = await Game.of(await unpacked(packed));
const start = game.save();

function told(attempts) {
  const legal = game.legal(), columns = game.columns();
  if (!attempts) return JSON.stringify([columns, legal]);
  const found = [columns, legal, game.turn(), legal.map(move => game.format(move)), game.score, game.scoreItems()];
  return JSON.stringify([...found, attempts.map(move => game.whyNot(move).map(told => ({ ...told, things: told.things.sort() })))]);
}

for (const { moves, attempts } of games) {
  game.load(start);  // marks of closures in memory stay from the game before
  const hash = createHash("sha256"), lines = [];
  for (let at = 0; at <= moves.length; at += 1) {
    lines.push(told(attempts[at]));
    if (at < moves.length) game.play(moves[at]);
  }
  lines.forEach(line => hash.update(line + "\n"));
  if (only) lines.forEach(line => console.log(line));
  else console.log(hash.digest("hex"));
}
