// Arrow keys that play moves.

export const WORDS = { ArrowUp: "north", ArrowRight: "east", ArrowDown: "south", ArrowLeft: "west" };

// Which of some moves an arrow key plays: where each but `stop` ends in a direction, and no two in the same; -1 if none.
export function steered(key, texts) {
  const words = texts.map((text) => text.split(" ").pop());
  const ways = words.filter((word) => word !== "stop");
  const isSteered = new Set(ways).size === ways.length && ways.every((word) => Object.values(WORDS).includes(word));
  return isSteered ? words.indexOf(WORDS[key]) : -1;
}
