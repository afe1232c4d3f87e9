"""Boards without a game: filled at random with tiles that match, and put into states of an engine."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rulewright.rules.play.engine import Engine, State
from tests.games.beacon_patrol.oracle.base_game import SIDE_FACING_BACK, SIDE_TOWARDS, step
from tests.games.beacon_patrol.oracle.faces import BASE_TILES, HQ
from tests.games.beacon_patrol.oracle.shores import MODULE_TILES, Board, land_of


def kinds_of(*sets: str) -> list[str]:
    """Every tile of the base set and of some sets of the modules, each as often as there are copies."""
    return [*BASE_TILES, *(kind for kind, tile in MODULE_TILES.items() if tile.of in sets for _ in range(tile.copies))]


def fits(board: Board, kind: str, cell: tuple[int, int]) -> bool:
    return all(
        (SIDE_TOWARDS[direction] in land_of(kind)) == (SIDE_FACING_BACK[direction] in land_of(board[near]))
        for direction in SIDE_TOWARDS
        if (near := step(cell, direction)) in board
    )


def random_board(rng: random.Random, kinds: Sequence[str], width: int, height: int) -> Board:
    """Cells in random order, each with a tile that matches if one is left; the modules' tiles go first."""
    board = {(width // 2, height // 2): HQ}
    cells = [(column, row) for row in range(height) for column in range(width) if (column, row) not in board]
    rng.shuffle(cells)
    pile = sorted(kinds, key=lambda kind: (kind not in MODULE_TILES, rng.random()))
    for cell in cells:
        kind = next((kind for kind in pile if fits(board, kind, cell)), None)
        if kind is not None:
            board[cell] = kind
            pile.remove(kind)
    return board


def state_with(engine: Engine, board: Board) -> State:
    """A state of which only the board matters."""
    columns, window = list(engine.unset), engine.instance.windows["sea"]
    cells = bytearray(window.size + 1)
    for cell, kind in board.items():
        cells[window.cell(cell)] = engine.game.tile_number(kind)
    columns[engine.layout.position("sea", None)] = bytes(cells)
    return tuple(columns)


def drawn(rows: str) -> Board:
    """A board from a drawing, as in a puzzle; `.` is vacant."""
    lines = [line.split() for line in rows.strip().splitlines()]
    return {(x, y): kind for y, line in enumerate(lines) for x, kind in enumerate(line) if kind != "."}
