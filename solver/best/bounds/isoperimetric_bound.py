"""An upper bound from the vertex-isoperimetric problem of a grid: k tiles have only so many interior cells.

The closed neighbourhood (a set of e cells and all their neighbours) has at least

- e + ⌈√(8e - 4)⌉ + 2 cells of a square grid with 4 neighbours (Wang and Wang, Discrete isoperimetric problems, 1977),
- e + 2⌈2√e⌉ + 4 cells of one with 8 (the discrete Brunn-Minkowski inequality for squares),
- e + ⌈√(12e - 3)⌉ + 3 cells of a hex grid (Harary and Harborth, Extremal animals, 1976).
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.analysis.reachable_states import BoardSums, ReachableStates
from rulewright.rules.analysis.translation import depends_on_position
from rulewright.rules.model.state import State
from rulewright.rules.spaces.window import Window
from rulewright.rules.static.abstract_values import exactly


def least_closed_neighbourhood(shape: Shape, neighbours: int) -> Callable[[int], int] | None:
    """The least closed neighbourhood of n cells, as a function of n; None if no inequality is known for the grid."""
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
    """The most cells that `covered` tiles can cover together with all their neighbours.

    `covered` itself if no inequality is known.
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


@frozen
class IsoperimetricBound:
    """A bound on a sum over the cells of an append-only board where a cell counts only if its neighbours are covered.

    Of all tiles laid or still to come, the most valuable are assumed interior. `worths` are the most that each kind can be
    worth; `constant` bounds the other addends.
    """

    column: int
    supplies: tuple[int, ...]
    worths: tuple[int, ...]
    shape: Shape
    neighbours: int
    constant: int

    def bound(self, state: State) -> int:
        tiles: list[int] = [tile for tile in state[self.column] if tile]
        for at in self.supplies:
            tiles += state[at]
        interior = max_interior(self.shape, self.neighbours, len(tiles))
        return self.constant + sum(sorted([self.worths[tile] for tile in tiles], reverse=True)[:interior])


def isoperimetric_bound(states: ReachableStates, objective: BoardSums) -> IsoperimetricBound | None:
    """The bound for a single sum in which all cells count alike; None for other objectives."""
    engine, board = states.engine, objective.board
    window = engine.instance.windows[board]
    if len(objective.sums) != 1 or not window.unbounded:
        return None
    value, where = objective.sums[0].body, objective.sums[0].binder.where
    assert where is not None
    if depends_on_position(engine, value) or depends_on_position(engine, where):
        return None
    name = objective.sums[0].binder.name
    cell = window.cell((min(axis) + max(axis)) // 2 for axis in zip(*window.coordinates, strict=True))
    vacant = bytes(window.size + 1)
    counts = states.evaluator(board, vacant).value(where, {name: exactly(cell)})
    needs = frozenset(near for space, near in counts.needs if space == board)
    if cell not in needs:
        return None
    worths = [0] * (len(engine.game.tiles) + 1)
    for kind in {*states.tiles(board), *states.kinds_to_come} - {0}:
        with_tile = vacant[:cell] + bytes((kind,)) + vacant[cell + 1 :]
        possible = states.evaluator(board, with_tile).value(value, {name: exactly(cell)})
        worths[kind] = max(0, possible.high)
    neighbours = _neighbours_needed(window, cell, needs)
    column = engine.layout.columns[board].start
    return IsoperimetricBound(column, states.supplies, tuple(worths), window.shape, neighbours, objective.constant)


def _neighbours_needed(window: Window, cell: int, needs: frozenset[int]) -> int:
    """How many neighbours must be covered: those across edges, also those across corners, or 0 if not all across edges."""
    edges = {window.steps[direction][cell] for direction in window.around}
    corners = {window.steps[direction][cell] for direction in window.diagonals}
    if not edges <= needs:
        return 0
    return len(edges | corners) if corners <= needs else len(edges)
