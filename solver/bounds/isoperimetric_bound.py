"""An upper bound from the vertex-isoperimetric problem of a grid: so many tiles have only so many interior cells.

A set of e cells and its neighbours, its closed neighbourhood, is at least

- e + ⌈√(8e - 4)⌉ + 2 cells of a square grid with 4 neighbours (Wang and Wang, Discrete isoperimetric problems, 1977),
- e + 2⌈2√e⌉ + 4 cells of one with 8 (the discrete Brunn-Minkowski inequality for squares),
- e + ⌈√(12e - 3)⌉ + 3 cells of a hex grid (Harary and Harborth, Extremal animals, 1976).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt

from attrs import field

from rulewright.base.records import define
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import terms
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.spaces.window import Window
from rulewright.rules.static.abstract_algebra import HUGE, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis

from .reachable_states import ReachableStates
from .translation_symmetry import depends_on_position


def least_closed_neighbourhood(shape: Shape, neighbours: int) -> Callable[[int], int] | None:
    """The least size of the closed neighbourhood of so many cells; None where no inequality is known for the grid."""
    match shape, neighbours:
        case Shape.SQUARE, 4:
            return lambda inside: inside + _ceil_sqrt(8 * inside - 4) + 2
        case Shape.SQUARE, 8:
            return lambda inside: inside + 2 * _ceil_sqrt(4 * inside) + 4
        case Shape.HEX, 6:
            return lambda inside: inside + _ceil_sqrt(12 * inside - 3) + 3
        case _:
            return None


def max_interior(shape: Shape, neighbours: int, covered: int) -> int:
    """The most cells that can be covered together with all their neighbours by `covered` tiles.

    It is `covered` itself where no inequality is known.
    """
    least = least_closed_neighbourhood(shape, neighbours)
    if least is None:
        return covered
    inside = 0
    while inside < covered and least(inside + 1) <= covered:
        inside += 1
    return inside


def _ceil_sqrt(number: int) -> int:
    return isqrt(number - 1) + 1


@define
class IsoperimetricBound:
    """A bound on a sum over the cells of an append-only board where a cell counts only if its neighbours are covered.

    Of all tiles that lie or may still be laid, those of most worth are interior. `worths` are the most that each kind can be
    worth, `constant` bounds what else is asked for.
    """

    column: int
    supplies: tuple[int, ...]
    worths: tuple[int, ...]
    shape: Shape
    neighbours: int
    constant: int
    _interior: dict[int, int] = field(factory=dict)

    def bound(self, state: State) -> int:
        tiles: list[int] = [tile for tile in state[self.column] if tile]
        for at in self.supplies:
            tiles += state[at]
        interior = self._interior.get(len(tiles))
        if interior is None:
            interior = self._interior[len(tiles)] = max_interior(self.shape, self.neighbours, len(tiles))
        return self.constant + sum(sorted([self.worths[tile] for tile in tiles], reverse=True)[:interior])

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.bound(state) > goal


def isoperimetric_bound(
    engine: Engine, analysis: DataflowAnalysis, values: Sequence[terms.Term], root: State
) -> IsoperimetricBound | None:
    """The bound on a sum of values, where one is such a sum over all cells alike and the others are bounded by a constant."""
    states = ReachableStates(engine, analysis, root)
    sums = [(value, board) for value in values if (board := states.summed_board(value)) is not None]
    others = [states.evaluator().value(value, {}).high for value in values if states.summed_board(value) is None]
    if len(sums) != 1 or sum(others) >= HUGE // 2:
        return None
    value, board = sums[0]
    return _bound_of(states, value, board, sum(others)) if isinstance(value, terms.Sum) else None


def _bound_of(states: ReachableStates, value: terms.Sum, board: str, constant: int) -> IsoperimetricBound | None:
    engine, where = states.engine, value.binder.where
    window = engine.instance.windows[board]
    assert where is not None
    if not window.unbounded or any(depends_on_position(engine, part) for part in (value.value, where)):
        return None
    cell = window.cell((min(axis) + max(axis)) // 2 for axis in zip(*window.coordinates, strict=True))
    vacant = bytes(window.size + 1)
    counts = states.evaluator(board, vacant).value(where, {value.binder.name: exactly(cell)})
    needs = frozenset(near for space, near in counts.needs if space == board)
    if cell not in needs:
        return None
    worths = [0] * (len(engine.game.tiles) + 1)
    for kind in {*states.tiles(board), *states.kinds_to_come} - {0}:
        with_tile = vacant[:cell] + bytes((kind,)) + vacant[cell + 1 :]
        possible = states.evaluator(board, with_tile).value(value.value, {value.binder.name: exactly(cell)})
        worths[kind] = max(0, possible.high)
    neighbours = _neighbours_needed(window, cell, needs)
    column = engine.layout.columns[board].start
    return IsoperimetricBound(column, states.supplies, tuple(worths), window.shape, neighbours, constant)


def _neighbours_needed(window: Window, cell: int, needs: frozenset[int]) -> int:
    """How many neighbours must be covered: all across edges, also all across corners, or 0 if not all across edges."""
    edges = {window.steps[direction][cell] for direction in window.around}
    corners = {window.steps[direction][cell] for direction in window.diagonals}
    if not edges <= needs:
        return 0
    return len(edges | corners) if corners <= needs else len(edges)
