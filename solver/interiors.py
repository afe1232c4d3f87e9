"""How many cells of a grid can have all their neighbours covered, when so many cells are covered in all; and a bound from it.

The vertex-isoperimetric problem of the grids: a set of e cells and its neighbours are at least

- e + ⌈√(8e - 4)⌉ + 2 cells of a square grid with 4 neighbours (Wang and Wang, Discrete isoperimetric problems, 1977),
- e + 2⌈2√e⌉ + 4 cells of one with 8 (the discrete Brunn-Minkowski inequality for squares),
- e + ⌈√(12e - 3)⌉ + 3 cells of a hex grid (Harary and Harborth, Extremal animals, 1976).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt

from attrs import field

from ..grammar.classes import define, frozen
from ..grammar.modules import Shape
from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.engine import Engine, State
from ..rules.possible import HUGE, exactly
from ..rules.spaces.window import Window
from .alike import tells_cells_apart
from .candidates import Reading
from .relaxation import Bound


def with_neighbours(shape: Shape, neighbours: int) -> Callable[[int], int] | None:
    """The least number of cells that so many cells and all their neighbours are, by the kind of grid."""
    match shape, neighbours:
        case Shape.SQUARE, 4:
            return lambda inside: inside + _root(8 * inside - 4) + 2
        case Shape.SQUARE, 8:
            return lambda inside: inside + 2 * _root(4 * inside) + 4
        case Shape.HEX, 6:
            return lambda inside: inside + _root(12 * inside - 3) + 3
        case _:
            return None


def most_inside(shape: Shape, neighbours: int, covered: int) -> int:
    """The most cells that can be covered with all their neighbours; `covered` itself where nothing is known."""
    least = with_neighbours(shape, neighbours)
    if least is None:
        return covered
    inside = 0
    while inside < covered and least(inside + 1) <= covered:
        inside += 1
    return inside


def _root(number: int) -> int:
    """The square root, rounded up."""
    return isqrt(number - 1) + 1


@define
class Interior:
    """A bound on a sum over the cells of a board that grows, where a cell counts only with neighbours all round.

    Of all tiles that lie or may still be laid, the best are inside. `worths` are the most that each kind can be worth.
    """

    column: int
    supplies: tuple[int, ...]
    worths: tuple[int, ...]
    shape: Shape
    neighbours: int
    constant: int
    _inside: dict[int, int] = field(factory=dict)

    def bound(self, state: State) -> int:
        tiles: list[int] = [tile for tile in state[self.column] if tile]
        for at in self.supplies:
            tiles += state[at]
        inside = self._inside.get(len(tiles))
        if inside is None:
            inside = self._inside[len(tiles)] = most_inside(self.shape, self.neighbours, len(tiles))
        return self.constant + sum(sorted([self.worths[tile] for tile in tiles], reverse=True)[:inside])

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.bound(state) > goal


def interior_bound(engine: Engine, analysis: Analysis, values: Sequence[t.Term], root: State) -> Interior | None:
    """The bound, where one of the values is such a sum, the others are bounded, and the rules treat all cells alike."""
    reading = Reading(engine, analysis, root)
    sums = [(value, board) for value in values if (board := reading.board_of(value)) is not None]
    others = [reading.cautious().value(value, {}).high for value in values if reading.board_of(value) is None]
    if len(sums) != 1 or sum(others) >= HUGE // 2:
        return None
    value, board = sums[0]
    return _interior(reading, value, board, sum(others)) if isinstance(value, t.Sum) else None


def _interior(reading: Reading, value: t.Sum, board: str, constant: int) -> Interior | None:
    window, where = reading.engine.ground.windows[board], value.bound.where
    assert where is not None
    apart = any(tells_cells_apart(reading.engine, part) for part in (value.value, where))
    if apart or not window.unbounded:
        return None
    cell = window.cell((min(axis) + max(axis)) // 2 for axis in zip(*window.coordinates, strict=True))
    vacant = bytes(window.size + 1)
    counts = reading.cautious(board, vacant).value(where, {value.bound.name: exactly(cell)})
    needs = frozenset(near for space, near in counts.needs if space == board)
    if cell not in needs:
        return None
    worths = [0] * (len(reading.engine.game.tiles) + 1)
    for kind in {*reading.tiles(board), *reading.coming} - {0}:
        with_tile = vacant[:cell] + bytes((kind,)) + vacant[cell + 1 :]
        possible = reading.cautious(board, with_tile).value(value.value, {value.bound.name: exactly(cell)})
        worths[kind] = max(0, possible.high)
    neighbours = _neighbours(window, cell, needs)
    return Interior(
        reading.engine.layout.columns[board].start, reading.supplies, tuple(worths), window.shape, neighbours, constant
    )


def _neighbours(window: Window, cell: int, needs: frozenset[int]) -> int:
    """How many neighbours a cell needs: all across sides, those across corners too, or (0) not all."""
    sides = {window.steps[direction][cell] for direction in window.around}
    corners = {window.steps[direction][cell] for direction in window.diagonals}
    if not sides <= needs:
        return 0
    return len(sides | corners) if corners <= needs else len(sides)


@frozen
class Tighter:
    """The better of a bound and this one."""

    one: Bound
    other: Interior

    def bound(self, state: State) -> int:
        return min(self.one.bound(state), self.other.bound(state))

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.other.bound(state) > goal and self.one.may_exceed(state, goal)
