"""Santorini: lines of play counted plainly, from the start and with towers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.play.engine import Engine
from tests.perft import perft
from tests.rules.playing import shipped

Cell = tuple[int, int]
Builders = Mapping[Cell, int]
"""Whose builder stands on a cell."""

SIDE, DOME = 5, 4
TOWERS = {(0, 0): 2, (1, 0): 3, (2, 1): 1, (3, 1): 4, (1, 2): 2, (2, 2): 1, (4, 4): 3}
STANDING = {(0, 1): 1, (2, 2): 1, (3, 2): 2, (4, 3): 2}


def around(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if (dx or dy) and 0 <= x + dx < SIDE and 0 <= y + dy < SIDE:
                yield x + dx, y + dy


def lines(builders: Builders, heights: Mapping[Cell, int], player: int, walker: Cell | None, depth: int) -> int:
    """The lines of play of so many walks and floors built; who walks onto the third floor, or cannot walk, ends it."""
    if depth == 0:
        return 1
    total = 0
    if walker is not None:
        for cell in around(walker):
            if cell not in builders and heights.get(cell, 0) < DOME:
                total += lines(builders, {**heights, cell: heights.get(cell, 0) + 1}, 3 - player, None, depth - 1)
        return total
    for start, owner in builders.items():
        for cell in around(start) if owner == player else ():
            height = heights.get(cell, 0)
            if cell in builders or height == DOME or height > heights.get(start, 0) + 1:
                continue
            left = {at: one for at, one in builders.items() if at != start} | {cell: player}
            total += int(depth == 1) if height == 3 else lines(left, heights, player, cell, depth - 1)
    return total


def test_lines_of_play_are_as_many_as_counted_plainly() -> None:
    game = shipped("classics.santorini")
    engine = Engine.of(game, 2)
    assert [perft(engine, engine.start(0), depth) for depth in (1, 2, 3)] == [25, 25 * 24, 25 * 24 * 23]
    listed = ", ".join(f"builder ({x},{y})@{owner}" for (x, y), owner in STANDING.items())
    floors = "".join(f"    height ({x},{y}): {height}\n" for (x, y), height in TOWERS.items())
    text = f"puzzle here:\n    rules classics.santorini\n    builders: {listed}\n{floors}    start: turn of 1\n"
    position = set_up_position(parse_puzzle(text, "here"), game)
    found = [perft(position.engine, position.state, depth) for depth in (1, 2, 3)]
    assert found == [lines(STANDING, TOWERS, 1, None, depth) for depth in (1, 2, 3)]
