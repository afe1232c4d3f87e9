"""The classics played by hand-written Python that knows nothing of Rulewright: the second opinion on modules and puzzles.

A position is a value that hashes; `moves(position)` are the positions after one move, one for each move, none at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations
from typing import TypeVar

from attrs import frozen

Cell = tuple[int, int]
Node = TypeVar("Node", bound=Hashable)

FOUR = ((0, -1), (1, 0), (0, 1), (-1, 0))


def layers(start: Node, moves: Callable[[Node], Iterable[Node]]) -> Iterator[set[Node]]:
    """The positions first reached after 0, 1, 2, … moves, until there are no new ones."""
    seen, front = {start}, {start}
    while front:
        yield front
        front = {after for position in front for after in moves(position)} - seen
        seen |= front


def best(start: Node, moves: Callable[[Node], Iterable[Node]], value: Callable[[Node], int]) -> int:
    """The greatest value among the positions where the game is over."""
    return max(value(p) for layer in layers(start, moves) for p in layer if not any(True for _ in moves(p)))


# Peg solitaire --------------------------------------------------------------------------------------


@frozen
class Pegs:
    """Holes, and the lines of three along which a man can jump."""

    holes: frozenset[Cell]
    lines: tuple[tuple[Cell, Cell, Cell], ...]

    def moves(self, men: frozenset[Cell]) -> Iterator[frozenset[Cell]]:
        for a, over, b in self.lines:
            if a in men and over in men and b not in men:
                yield men - {a, over} | {b}

    def games(self, men: frozenset[Cell], known: dict[frozenset[Cell], tuple[int, int]]) -> tuple[int, int]:
        """How many ways there are to play to the end, and how many of them leave one man."""
        if men not in known:
            after = [self.games(m, known) for m in self.moves(men)]
            known[men] = (sum(g for g, _ in after), sum(s for _, s in after)) if after else (1, int(len(men) == 1))
        return known[men]


def _pegs(holes: Iterable[Cell], steps: Callable[[Cell], Iterable[tuple[Cell, Cell]]]) -> Pegs:
    found = frozenset(holes)
    lines = tuple((a, over, b) for a in sorted(found) for over, b in steps(a) if {over, b} <= found)
    return Pegs(found, lines)


def _straight(cell: Cell) -> list[tuple[Cell, Cell]]:
    x, y = cell
    return [((x + dx, y + dy), (x + 2 * dx, y + 2 * dy)) for dx, dy in FOUR]


ENGLISH = _pegs([(x, y) for x in range(7) for y in range(7) if 2 <= x <= 4 or 2 <= y <= 4], _straight)
EUROPEAN = _pegs([(x, y) for x in range(7) for y in range(7) if abs(x - 3) + abs(y - 3) <= 4], _straight)


def drawn_hole(row: int, place: int) -> Cell:
    """The cell of a hex grid on which hole `place` of row `row` of the triangle is drawn: odd rows stand half a cell right."""
    return (4 - row) // 2 + place, row


def _triangle() -> Pegs:
    holes = [(row, place) for row in range(5) for place in range(row + 1)]
    ways = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))
    plain = _pegs(holes, lambda c: [((c[0] + a, c[1] + b), (c[0] + 2 * a, c[1] + 2 * b)) for a, b in ways])
    lines = tuple((drawn_hole(*a), drawn_hole(*over), drawn_hole(*b)) for a, over, b in plain.lines)
    return Pegs(frozenset(drawn_hole(*h) for h in plain.holes), lines)


TRIANGLE = _triangle()


# Sokoban --------------------------------------------------------------------------------------------

Level = tuple[Cell, frozenset[Cell]]
"""The pusher and the crates."""


def sokoban(walls: frozenset[Cell], goals: frozenset[Cell], width: int, height: int) -> Callable[[Level], list[Level]]:
    """The moves of a level."""

    def free(cell: Cell, crates: frozenset[Cell]) -> bool:
        return 0 <= cell[0] < width and 0 <= cell[1] < height and cell not in walls and cell not in crates

    def moves(level: Level) -> list[Level]:
        (x, y), crates = level
        if crates <= goals:
            return []
        found: list[Level] = []
        for dx, dy in FOUR:
            to, behind = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if free(to, crates):
                found.append((to, crates))
            elif to in crates and free(behind, crates):
                found.append((to, crates - {to} | {behind}))
        return found

    return moves


# Sliding tiles --------------------------------------------------------------------------------------


def sliding(width: int) -> Callable[[tuple[int, ...]], list[tuple[int, ...]]]:
    """The slides in a square frame; 0 is the gap. A solved frame is as good as any other."""
    cells = range(width * width)
    beside = [[b for b in cells if abs(a % width - b % width) + abs(a // width - b // width) == 1] for a in cells]

    def moves(frame: tuple[int, ...]) -> list[tuple[int, ...]]:
        gap = frame.index(0)
        found = []
        for c in beside[gap]:
            after = list(frame)
            after[gap], after[c] = frame[c], 0
            found.append(tuple(after))
        return found

    return moves


def distance(start: Node, moves: Callable[[Node], Iterable[Node]], done: Callable[[Node], bool]) -> int:
    """The fewest moves to a position that is done; -1 when there is no way."""
    return next((depth for depth, layer in enumerate(layers(start, moves)) if any(done(p) for p in layer)), -1)


# Lights out -----------------------------------------------------------------------------------------


def press(lit: frozenset[Cell], button: Cell, side: int = 5) -> frozenset[Cell]:
    """The lights after a press."""
    x, y = button
    cross = {(x, y), *((x + dx, y + dy) for dx, dy in FOUR)}
    return lit ^ {(a, b) for a, b in cross if 0 <= a < side and 0 <= b < side}


def after_presses(lit: frozenset[Cell], number: int, side: int = 5) -> set[frozenset[Cell]]:
    """What the lights can be after exactly so many presses of different buttons: order means nothing, twice is never."""
    buttons = [(x, y) for x in range(side) for y in range(side)]
    changed = {button: press(frozenset(), button, side) for button in buttons}
    found = set()
    for chosen in combinations(buttons, number):
        result = lit
        for button in chosen:
            result ^= changed[button]
        found.add(result)
    return found
