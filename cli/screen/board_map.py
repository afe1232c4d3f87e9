"""The boards of a position as one drawing, the places of all cells in it, and the legal moves that involve each cell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import evolve

from rulewright.base.records import define, frozen
from rulewright.base.styled_text import Line, Style, Styled, line
from rulewright.cli.views.board_view import BoardPicture, Spot
from rulewright.cli.views.symbols import Symbols
from rulewright.rules.model import types
from rulewright.rules.model.state import Move
from rulewright.rules.play.cell_contents import contents
from rulewright.rules.play.engine import Engine, State, describe_cell
from rulewright.rules.play.prospects import Prospect, Prospects
from rulewright.rules.play.visibility import Viewer

Cell = tuple[str, int]
"""A space and the number of one of its cells."""


@frozen
class Step:
    """One step of a cursor: columns to the right and rows down."""

    right: int
    down: int


LEFT, RIGHT, UP, DOWN = Step(-1, 0), Step(1, 0), Step(0, -1), Step(0, 1)


@define(eq=False)
class BoardMap:
    """The boards of one state as a viewer sees them."""

    engine: Engine
    state: State
    viewer: Viewer

    @cached_property
    def prospects(self) -> Prospects:
        return Prospects(self.engine, self.state)

    @cached_property
    def moves(self) -> Mapping[Cell, tuple[Move, ...]]:
        """The legal moves that involve each cell, in list order."""
        found: dict[Cell, set[Move]] = {}
        for (_, (type, value)), moves in self.prospects.legal.items():
            if isinstance(type, types.Cell):
                found.setdefault((type.space, value), set()).update(moves)
        order = {move: number for number, move in enumerate(self.engine.legal(self.state))}
        return {cell: tuple(sorted(moves, key=order.__getitem__)) for cell, moves in found.items()}

    def refused(self, cell: Cell) -> tuple[Prospect, ...]:
        """The actions that are not legal with a cell, each with its nearest illegal attempt."""
        found = self.prospects.of(types.Cell(cell[0]), cell[1])
        return tuple(prospect for prospect in found if not prospect.legal)

    def name(self, cell: Cell) -> str:
        return describe_cell(self.engine.instance.windows[cell[0]], cell[1])

    @cached_property
    def symbols(self) -> Symbols:
        """The symbols of the drawing, for its legend."""
        return Symbols.of(self.engine.game)

    @cached_property
    def _drawn(self) -> tuple[tuple[Line, ...], Mapping[Cell, Spot]]:
        lines: list[Line] = []
        spots: dict[Cell, Spot] = {}
        picture = BoardPicture(self.engine, self.state, self.viewer, self.symbols, frozenset(self._around()))
        for space in self.engine.game.spaces:
            drawing = picture.drawing(space)
            if not drawing.lines:
                continue
            if len(self.engine.game.spaces) > 1:
                lines.append(line(Styled(space, Style.STRONG)))
            spots |= {(space, cell): evolve(spot, top=spot.top + len(lines)) for cell, spot in drawing.spots.items()}
            lines += [*drawing.lines, line()]
        return tuple(lines), spots

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._drawn[0]

    @property
    def spots(self) -> Mapping[Cell, Spot]:
        return self._drawn[1]

    def _around(self) -> set[Cell]:
        """The cells of legal moves and, in unbounded spaces, those around occupied cells."""
        found = {cell for cell in self.moves if cell[1] != self.engine.instance.windows[cell[0]].nowhere}
        for space, window in self.engine.instance.windows.items():
            if window.unbounded and self.engine.game.spaces[space].of_tiles:
                near = {window.steps[way][cell] for cell in self._used(space) for way in window.around}
                found |= {(space, cell) for cell in near - {window.nowhere}}
        return found

    def _used(self, space: str) -> set[int]:
        """The cells of a space with something on them."""
        column, size = self.engine.layout.columns.get(space), self.engine.instance.windows[space].size
        board = self.state[column.start][:size] if column is not None and column.variable.is_board else ()
        pieces = {cell for cell, _ in contents(self.engine, self.state, self.viewer, space)}
        return pieces | {cell for cell, tile in enumerate(board) if tile}

    def first(self) -> Cell | None:
        """The initial cell of the cursor: the first cell of a legal move, else the first with something on it, else the
        first of all."""
        used = {(space, cell) for space in self.engine.game.spaces for cell in self._used(space)}
        found = self.moves.keys() & self.spots.keys() or used & self.spots.keys() or self.spots
        return min(found, key=self._reading, default=None)

    def at(self, column: int, row: int) -> Cell | None:
        """The cell drawn there."""
        inside = (
            cell
            for cell, spot in self.spots.items()
            if spot.left <= column < spot.left + spot.width and spot.top <= row < spot.top + spot.height
        )
        return next(inside, None)

    def beside(self, cell: Cell, step: Step) -> Cell:
        """The nearest cell in a direction, preferring cells straight ahead; the cell itself if there is none."""
        column, row = self._middle(cell)

        def apart(other: Cell) -> tuple[bool, float]:
            across, down = self._middle(other)
            ahead = (across - column) * step.right + (down - row) * step.down
            aside = abs((across - column) * step.down) + abs((down - row) * step.right)
            spot = self.spots[cell]
            reach = spot.height / 2 if step.right else spot.width / 2
            return aside > reach, ahead + 2 * aside

        ahead = [other for other in self.spots if self._is_ahead(cell, other, step)]
        return min(ahead, key=apart, default=cell)

    def _is_ahead(self, cell: Cell, other: Cell, step: Step) -> bool:
        (column, row), (across, down) = self._middle(cell), self._middle(other)
        if step.right:
            return (across - column) * step.right > 0 and abs(down - row) <= self.spots[cell].height
        return (down - row) * step.down > 0

    def _middle(self, cell: Cell) -> tuple[float, float]:
        spot = self.spots[cell]
        return spot.left + spot.width / 2, spot.top + spot.height / 2

    def _reading(self, cell: Cell) -> tuple[int, int]:
        return self.spots[cell].top, self.spots[cell].left
