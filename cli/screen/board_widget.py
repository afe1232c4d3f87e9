"""The boards on the screen: legal moves highlighted, and a cursor that moves between cells."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from .board_map import DOWN, LEFT, RIGHT, UP, BoardMap, Cell, Step
from .rich_lines import rich_line

LIT, MARKED, CURSOR = "on #1d4d3a", "on #6b4e12", "black on #e6d9a8"
"""The styles of cells with legal moves, of the cells of the move selected in the list, and of the cell under the cursor."""

DOT = "◦"
"""Marks a corner of each highlighted cell, for screens without colours."""


class BoardWidget(Static, can_focus=True):
    """Shows a `BoardMap`. Enter plays a legal move of the cell, `?` asks why there is none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go('left')", "left", show=False),
        Binding("right", "go('right')", "right", show=False),
        Binding("up", "go('up')", "up", show=False),
        Binding("down", "go('down')", "down", show=False),
        Binding("enter", "play", "play here"),
        Binding("question_mark", "why", "why not"),
    ]

    STEPS: ClassVar[dict[str, Step]] = {"left": LEFT, "right": RIGHT, "up": UP, "down": DOWN}

    class Chosen(Message):
        """A cell was chosen, to play there or to ask why not."""

        def __init__(self, cell: Cell, asks: bool) -> None:
            super().__init__()
            self.cell = cell
            self.asks = asks

    def __init__(self, boards: BoardMap) -> None:
        super().__init__(id="board")
        self.boards = boards
        self.cursor: Cell | None = boards.first()
        self.marked: frozenset[Cell] = frozenset()

    def on_mount(self) -> None:
        self.redraw()

    @property
    def width_of_lines(self) -> int:
        """The width of the boards, in columns."""
        return max((rich_line(parts).cell_len for parts in self.boards.lines), default=0)

    def show_boards(self, boards: BoardMap) -> None:
        """Show another position; the cursor stays on its cell if that still exists."""
        self.boards = boards
        self.marked = frozenset()
        if self.cursor not in boards.spots:
            self.cursor = boards.first()
        self.redraw()

    def mark(self, cells: frozenset[Cell]) -> None:
        """Mark the cells of a move."""
        if cells != self.marked:
            self.marked = cells
            self.redraw()

    def redraw(self) -> None:
        """Draw the lines, then the highlights on them."""
        rows = [rich_line(parts) for parts in self.boards.lines]
        width = max((len(row) for row in rows), default=0)
        for row in rows:
            row.pad_right(width - len(row))
        for cell, spot in self.boards.spots.items():
            style = MARKED if cell in self.marked else LIT if cell in self.boards.moves else ""
            style = CURSOR if cell == self.cursor else style
            if not style:
                continue
            for row in rows[spot.top : spot.top + spot.height]:
                row.stylize(style, spot.left, spot.left + spot.width)
            if cell in self.boards.moves:
                _dot(rows[spot.top + spot.height - 1], spot.left + spot.width - 1)
        self.update(Text("\n").join(rows))
        if self.cursor is not None and isinstance(self.parent, ScrollableContainer):
            spot = self.boards.spots[self.cursor]
            whole = Region(spot.left - 1, spot.top - 1, spot.width + 2, spot.height + 2)
            self.call_after_refresh(self.parent.scroll_to_region, whole, animate=False)

    def action_go(self, way: str) -> None:
        if self.cursor is not None:
            self.cursor = self.boards.beside(self.cursor, self.STEPS[way])
            self.redraw()

    def action_play(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Chosen(self.cursor, asks=False))

    def action_why(self) -> None:
        if self.cursor is not None:
            self.post_message(self.Chosen(self.cursor, asks=True))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor and acts as Enter."""
        cell = self.boards.at(event.x, event.y)
        if cell is not None:
            self.cursor = cell
            self.redraw()
            self.action_play()


def _dot(row: Text, column: int) -> None:
    """Draw a dot if the place is blank."""
    if row.plain[column] in " ·":
        row.plain = row.plain[:column] + DOT + row.plain[column + 1 :]
