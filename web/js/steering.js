// Arrow keys that play moves.

export const WORDS = { ArrowUp: "north", ArrowRight: "east", ArrowDown: "south", ArrowLeft: "west" };

// Which of some moves an arrow key plays: where each but `stop` ends in a direction, and no two in the same; -1 if none.
export function steered(key, texts) {
  const words = texts.map((text) => text.split(" ").pop());
  const ways = words.filter((word) => word !== "stop");
  const isSteered = new Set(ways).size === ways.length && ways.every((word) => Object.values(WORDS).includes(word));
  return isSteered ? words.indexOf(WORDS[key]) : -1;
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The element next to one in the direction of a key, not far and not far aside; itself where there is none.
export function nearest(all, from, key) {
  const middle = one => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from), [right, down] = WAYS[key];
  let best = from, least = Infinity;
  for (const one of all) {
    const [across, along] = middle(one), ahead = (across - x) * right + (along - y) * down;
    const far = ahead + 2.5 * (Math.abs((across - x) * down) + Math.abs((along - y) * right));
    if (ahead > 2 && far < least) [best, least] = [one, far];
  }
  return best;
}
