"""The moves of a plan on a board: an arrow along the cells of each, with its number."""

from __future__ import annotations

import math
from cmath import phase
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise

from rulewright.base.records import frozen
from rulewright.pictures.boards.cell_shapes import Point
from rulewright.rules.model import types
from rulewright.rules.play.move_notation import Attempt

from ..stage.vocabulary import Board, Pen, Piece, Values
from .placement import Placement, Reader, sees

ASIDE, SHORT = 0.08, 0.12
"""How far to its right an arrow lies, so that one back does not cover it, and how far from the middles of cells it ends."""

ABOVE = 0.3 - 0.3j
"""Where the number of a move to a cell in use stands."""


@frozen
class Route:
    """The cells of a space along which a move leads, and its number. Of a single cell or edge only the number is drawn."""

    space: str
    cells: tuple[int, ...]
    label: str


def routes_of(boards: Sequence[Board], before: Reader, after: Reader, attempt: Attempt | None, label: str) -> list[Route]:
    """The routes of a move: of each thing seen to go from cell to cell, those first whose start its arguments name; else along
    the cells that these name."""
    named: dict[str, list[int]] = {}
    for parameter, value in [] if attempt is None else zip(attempt.action.parameters, attempt.arguments, strict=True):
        if isinstance(parameter.type, types.Cell):
            named.setdefault(parameter.type.space, []).append(value)
    found = []
    for board in boards:
        then, now = (set(_things(board, reader)) for reader in (before, after))
        for thing in {thing for _, thing in then - now}:
            gone, come = ({cell for cell, what in places if what == thing} for places in (then - now, now - then))
            own = named.get(board.space, [])
            starts = [*(cell for cell in own if (cell, thing) in then), *(gone if len(gone) == 1 else ())]
            ends = [*(cell for cell in own if cell in come), *(come if len(come) == 1 else ())]
            if starts and ends:
                found.append(Route(board.space, (starts[0], ends[0]), label))
    meant = [route for route in found if route.cells[0] in named.get(route.space, ())]
    return meant or found or [Route(space, tuple(cells), label) for space, cells in named.items()]


def _things(board: Board, reader: Reader) -> Iterator[tuple[int, tuple[int, int]]]:
    """The cells of a board that show what can move, and what: a piece, a kind of tile, or a value that is no number."""
    if board.tiles is not None and board.tiles.column >= 0:
        column = board.tiles.column
        yield from ((cell, (column, tile)) for cell, tile in enumerate(reader.column(column)[: board.grid.size]) if tile)
    for rule in board.rules:
        match rule:
            case Piece() if sees(rule.owner, reader) and reader.column(rule.column) < board.grid.size:
                yield reader.column(rule.column), (rule.column, 0)
            case Values() if rule.words is None:
                values = enumerate(reader.column(rule.column)[: board.grid.size])
                yield from ((cell, (rule.column, value)) for cell, value in values if value not in rule.silent)


@frozen
class Drafting:
    """Draws routes on a board whose cells have these middles, in widths of a cell. Pieces stay in sight."""

    board: Board
    pen: Pen
    middles: Mapping[int, Point]
    used: Set[int]

    def placements(self, routes: Sequence[Route]) -> Iterator[Placement]:
        """Arrows, and at their starts the numbers; those at one place share it."""
        labels: dict[complex, list[str]] = {}
        for route in routes:
            spots = [*self._spots(route)]
            for start, end in ((one, other) for one, other in pairwise(spots) if one != other):
                ahead = (end - start) / abs(end - start)
                here, there = start + (SHORT + ASIDE * 1j) * ahead, end - (SHORT - ASIDE * 1j) * ahead
                turn, length = math.degrees(phase(ahead)), abs(there - here) * self.board.size
                yield Placement(self._at(here), self.pen.shaft, scale=(length, 1.0), turn=turn)
                yield Placement(self._at(there), self.pen.head, turn=turn)
                spots[0] = here if start == spots[0] else spots[0]
            if spots:
                labels.setdefault(spots[0], []).append(route.label)
        for spot, numbers in labels.items():
            said = ",".join(numbers)
            size = min(0.2, 0.45 / len(said)) * self.board.size
            number = Placement((0.0, 0.0), self.pen.ink, said, (1.0, size))
            yield Placement(self._at(spot), parts=[Placement(sprite=self.pen.disc), number])

    def _spots(self, route: Route) -> Iterator[complex]:
        """The middles of cells and edges of a route, in widths of a cell; beside that of a single cell in use."""
        if route.space == self.board.space:
            above = ABOVE if len(route.cells) == 1 and route.cells[0] in self.used else 0
            yield from (complex(*self.middles[cell]) + above for cell in route.cells if cell in self.middles)
        for beside in (one for one in self.board.beside if one.space == route.space and one.cells):
            for edge in (edge for edge in route.cells if beside.cells[edge] in self.middles):
                yield complex(*self.middles[beside.cells[edge]]) + complex(*beside.spots[beside.ways[edge]])

    def _at(self, spot: complex) -> Point:
        return spot.real * self.board.size, spot.imag * self.board.size
