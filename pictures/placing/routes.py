"""The moves of a plan on a board: an arrow along the cells of each, with its number."""

from __future__ import annotations

import math
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

ABOVE: Point = (0.3, -0.3)
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
        """Arrows, and on them the numbers; those at one place share it."""
        labels: dict[Point, list[str]] = {}
        for route in routes:
            spots = [*self._spots(route)]
            if len(spots) > 1:
                lines = [self._beside(*pair) for pair in pairwise(spots)]
                yield from (self._shaft(*line) for line in lines)
                (x, y), tip = lines[-1]
                yield Placement(tip, self.pen.head, turn=math.degrees(math.atan2(tip[1] - y, tip[0] - x)))
                spots = [lines[0][0]]
            if spots:
                labels.setdefault(spots[0], []).append(route.label)
        for spot, numbers in labels.items():
            said, size = ",".join(numbers), self.board.size
            height = min(0.2 * size, 0.45 * size / len(said))
            yield Placement(spot, parts=[Placement(sprite=self.pen.disc), Placement((0, 0), self.pen.ink, said, (1.0, height))])

    def _spots(self, route: Route) -> Iterator[Point]:
        size = self.board.size
        if route.space == self.board.space:
            for cell in (cell for cell in route.cells if cell in self.middles):
                x, y = self.middles[cell]
                right, down = ABOVE if len(route.cells) == 1 and cell in self.used else (0.0, 0.0)
                yield (x + right) * size, (y + down) * size
        for beside in (one for one in self.board.beside if one.space == route.space and one.cells):
            for edge in (edge for edge in route.cells if beside.cells[edge] in self.middles):
                (x, y), (right, down) = self.middles[beside.cells[edge]], beside.spots[beside.ways[edge]]
                yield (x + right) * size, (y + down) * size

    def _beside(self, start: Point, end: Point) -> tuple[Point, Point]:
        """The ends of the arrow from a place to another."""
        across, down = end[0] - start[0], end[1] - start[1]
        length = math.hypot(across, down) or 1.0
        (right, up), size = (across / length, down / length), self.board.size
        aside, short = (-ASIDE * size * up, ASIDE * size * right), SHORT * size
        return (
            (start[0] + aside[0] + short * right, start[1] + aside[1] + short * up),
            (end[0] + aside[0] - short * right, end[1] + aside[1] - short * up),
        )

    def _shaft(self, start: Point, end: Point) -> Placement:
        across, down = end[0] - start[0], end[1] - start[1]
        return Placement(
            start, self.pen.shaft, scale=(math.hypot(across, down), 1.0), turn=math.degrees(math.atan2(down, across))
        )
