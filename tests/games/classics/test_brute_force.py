"""Known numbers of the classics, found again by short programs that know nothing of Rulewright."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product
from pathlib import Path
from typing import TypeVar

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from tests.paths import ROOT
from tests.perft import perft

KNOWN = ROOT / "puzzles" / "library" / "classics" / "known"

Cell = tuple[int, int]
Node = TypeVar("Node")
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]


def test_queens() -> None:
    """`queens_eight`"""
    boards = [
        columns
        for columns in permutations(range(8))
        if len({row + column for row, column in enumerate(columns)}) == 8
        and len({row - column for row, column in enumerate(columns)}) == 8
    ]
    assert len(boards) == 92


def test_tours_of_the_knight() -> None:
    """`knights_five`"""
    board = [(x, y) for x in range(5) for y in range(5)]
    to = {(x, y): [(x + dx, y + dy) for dx, dy in LEAPS if (x + dx, y + dy) in board] for x, y in board}

    def tours(here: tuple[int, int], seen: set[tuple[int, int]]) -> int:
        if len(seen) == 25:
            return 1
        return sum(tours(there, seen | {there}) for there in to[here] if there not in seen)

    assert tours((0, 0), {(0, 0)}) == 304


def fewest(start: Node, moves: Callable[[Node], Iterable[Node]], is_end: Callable[[Node], bool]) -> int:
    """The fewest moves, breadth first."""
    layer, seen, number = {start}, {start}, 0
    while not any(map(is_end, layer)):
        layer = {after for position in layer for after in moves(position)} - seen
        seen |= layer
        number += 1
        assert layer
    return number


def drawn(name: str) -> dict[Cell, str]:
    """The tiles of a puzzle by column and row."""
    path = Path(KNOWN / f"{name}.puzzle")
    (drawing,) = parse_puzzle(path.read_text(encoding="utf-8"), path.name).drawings
    return {(x, y): cell.tile for y, row in enumerate(drawing.rows) for x, cell in enumerate(row) if cell.tile}


def answer(name: str) -> object:
    path = Path(KNOWN / f"{name}.puzzle")
    return parse_puzzle(path.read_text(encoding="utf-8"), path.name).answer


def test_missionaries() -> None:
    """`missionaries_three`"""

    def crossings(position: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
        here, eaters, boat = position
        for row, eat in ((1, 0), (2, 0), (0, 1), (0, 2), (1, 1)):
            m, c = here - boat * row, eaters - boat * eat
            if 0 <= m <= 3 and 0 <= c <= 3 and (m in (0, 3) or m == c):
                yield m, c, -boat

    assert fewest((3, 3, 1), crossings, lambda position: position[:2] == (0, 0)) == answer("missionaries_three") == 11


Cars = frozenset[tuple[str, frozenset[Cell]]]


def drives(cars: Cars) -> Iterator[Cars]:
    taken = {cell for _, cells in cars for cell in cells}
    for name, cells in cars:
        across = len({y for _, y in cells}) == 1
        for dx, dy in STEPS:
            moved = cells
            while (dx != 0) == across:
                moved = frozenset((x + dx, y + dy) for x, y in moved)
                if not all(0 <= x < 6 and 0 <= y < 6 for x, y in moved) or (moved - cells) & taken:
                    break
                yield cars - {(name, cells)} | {(name, moved)}


def test_rush_hour() -> None:
    """`rush_hour_first`, `rush_hour_hardest`"""
    for name, moves in (("rush_hour_first", 8), ("rush_hour_hardest", 51)):
        tiles = drawn(name)
        cars = frozenset((car, frozenset(cell for cell, tile in tiles.items() if tile == car)) for car in tiles.values())
        assert fewest(cars, drives, lambda cars: any(car == "red" and (5, 2) in cells for car, cells in cars)) == moves
        assert answer(name) == moves


SIZES = {"nw": (2, 2), "top": (1, 2), "left": (2, 1), "man": (1, 1)}
Blocks = frozenset[tuple[int, int, int, int]]
"""Column, row, width and height of each block: blocks of one size are alike."""


def pushes(blocks: Blocks) -> Iterator[Blocks]:
    taken = {(x + i, y + j): (x, y) for x, y, width, height in blocks for i in range(width) for j in range(height)}
    for x, y, width, height in blocks:
        for dx, dy in STEPS:
            cells = [(x + dx + i, y + dy + j) for i in range(width) for j in range(height)]
            if all(0 <= c < 4 and 0 <= r < 5 and taken.get((c, r), (x, y)) == (x, y) for c, r in cells):
                yield blocks - {(x, y, width, height)} | {(x + dx, y + dy, width, height)}


def test_red_donkey() -> None:
    blocks = frozenset((*cell, *SIZES[tile]) for cell, tile in drawn("red_donkey").items() if tile in SIZES)
    assert fewest(blocks, pushes, lambda blocks: (1, 3, 2, 2) in blocks) == answer("red_donkey") == 116


def test_bishops() -> None:
    """`bishops_eight`: the rising diagonals one by one, remembering which falling ones are taken."""
    best = {frozenset[int](): 0}
    for rising in range(15):
        after = dict(best)
        for taken, number in best.items():
            for column in range(max(0, rising - 7), min(rising, 7) + 1):
                if (falling := 2 * column - rising) not in taken:
                    key = taken | {falling}
                    after[key] = max(after.get(key, 0), number + 1)
        best = after
    assert max(best.values()) == answer("bishops_eight") == 14


PENTOMINOES = (
    "10 20 01 11 12", "00 10 20 30 40", "00 01 02 03 13", "00 01 11 12 13", "00 10 01 11 02", "00 10 20 11 12",
    "00 20 01 11 21", "00 01 02 12 22", "00 01 11 12 22", "10 01 11 21 12", "00 01 02 03 11", "00 10 11 12 22",
)  # fmt: skip


def looks(text: str) -> set[frozenset[Cell]]:
    """A piece turned and turned over, its first cell in the order of columns at the origin."""
    found = set()
    cells = [(int(square[0]), int(square[1])) for square in text.split()]
    for sign in (1, -1):
        turned = [(sign * x, y) for x, y in cells]
        for _ in range(4):
            turned = [(-y, x) for x, y in turned]
            left, top = min(turned)
            found.add(frozenset((x - left, y - top) for x, y in turned))
    return found


def test_pentominoes() -> None:
    """`pentominoes_strip`: two packings, each in four ways."""
    pieces = [looks(text) for text in PENTOMINOES]

    def packings(free: frozenset[Cell], left: frozenset[int]) -> int:
        if not free:
            return 1
        column, row = min(free)
        return sum(
            packings(free - cells, left - {piece})
            for piece in left
            for look in pieces[piece]
            if (cells := frozenset((column + x, row + y) for x, y in look)) <= free
        )

    strip = frozenset((x, y) for x in range(20) for y in range(3))
    assert packings(strip, frozenset(range(12))) == answer("pentominoes_strip") == 8


def test_pentominoes_in_a_box() -> None:
    """`pentomino_box`: lines of play level by level, and the most that is covered when nothing fits any more."""
    pieces, (wide, deep, high) = [looks(text) for text in PENTOMINOES], (5, 3, 3)
    counts: Counter[int] = Counter()
    covered = 0

    def lay(free: frozenset[tuple[int, int, int]], left: frozenset[int], laid: int) -> None:
        nonlocal covered
        counts[laid] += 1
        covered = max(covered, wide * deep * high - len(free))
        level, column, row = min(free)
        for piece in left:
            for look in pieces[piece]:
                cells = frozenset((level, column + x, row + y) for x, y in look)
                if cells <= free:
                    lay(free - cells, left - {piece}, laid + 1)

    lay(frozenset(product(range(high), range(wide), range(deep))), frozenset(range(12)), 0)
    position = Catalogue(Project(ROOT)).position("pentomino_box")
    assert [perft(position.engine, position.state, depth) for depth in range(10)] == [counts[depth] for depth in range(10)]
    assert covered == answer("pentomino_box") == 40
