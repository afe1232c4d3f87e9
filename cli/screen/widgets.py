"""The boards on the screen: legal moves highlighted, and a cursor that moves between cells.

Modal screens: a choice of several actions, and a curtain between two players.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.geometry import Region
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from rulewright.base.styled_text import Line, escape

from .board_map import DOWN, LEFT, RIGHT, UP, BoardMap, Cell, Step

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


# Dialogs --------------------------------------------------------------------------------------------------------------


class Choice(ModalScreen[int | None]):
    """A choice of one of several texts, by number from 0; None if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave")]

    def __init__(self, about: str, texts: Sequence[str]) -> None:
        super().__init__()
        self.about = about
        self.texts = texts

    def compose(self) -> ComposeResult:
        options = OptionList(*(Option(Text(text, no_wrap=True)) for text in self.texts))
        options.border_title = self.about
        yield options

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_index)

    def action_leave(self) -> None:
        self.dismiss(None)


class Curtain(Screen[None]):
    """Hides one player's view until the next player is there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "raise", "go on")]

    def __init__(self, player: int) -> None:
        super().__init__()
        self.player = player

    def compose(self) -> ComposeResult:
        yield Static(f"It is the turn of player {self.player}.\n\nPress Enter when player {self.player} is at the screen.")

    def action_raise(self) -> None:
        self.dismiss(None)


def rich_line(parts: Line) -> Text:
    """A line; none of it is interpreted as markup."""
    safe = (evolve(part, text=escape(part.text)).coloured() for part in parts)
    return Text.from_ansi("".join(safe), no_wrap=True, end="")


def rich_lines(lines: Iterable[Line], wraps: bool = False) -> Text:
    """Lines joined by line breaks; with `wraps`, long ones continue below."""
    text = Text("\n").join(map(rich_line, lines))
    text.no_wrap = not wraps
    return text
