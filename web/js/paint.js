// Draws a position into the page.

export function paint(stage, game, before, [board, beside]) {
  board.textContent = JSON.stringify(game.columns()).slice(0, 500);
}
