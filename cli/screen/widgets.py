"""The boards on the screen: legal moves highlighted, and a cursor that moves between cells.

Modal screens: a choice of several actions, and a curtain between two players.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.geometry import Region
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.cli.views.board_view import BoardPicture, Spot
from rulewright.cli.views.tile_view import Symbols
from rulewright.rules.model import types
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.cell_contents import contents
from rulewright.rules.play.engine import Engine, State, describe_cell
from rulewright.rules.play.move_notation import format_move, parse_attempt
from rulewright.rules.play.visibility import Viewer
from rulewright.rules.play.why_illegal import Prospect, Prospects

# The boards of a position as one drawing ------------------------------------------------------------------------------
# The places of all cells in it, and the legal moves that involve each cell.


Cell = tuple[str, int]
"""A space and the number of one of its cells."""


@frozen
class Step:
    """One step of a cursor: columns to the right and rows down."""

    right: int
    down: int


STEPS = {"left": Step(-1, 0), "right": Step(1, 0), "up": Step(0, -1), "down": Step(0, 1)}

KEYS = {"west": "left", "east": "right", "north": "up", "south": "down"}
"""The arrow key of a direction."""

WORDS = {key: word for word, key in KEYS.items()}


@define(eq=False)
class BoardMap:
    """The boards of one state as a viewer sees them."""

    engine: Engine
    state: State
    viewer: Viewer
    lines: list[Line] = field(factory=list, init=False)
    spots: dict[Cell, Spot] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        picture = BoardPicture(self.engine, self.state, self.viewer, self.symbols, frozenset(self._around()))
        for space in self.engine.game.spaces:
            drawing = picture.drawing(space)
            if not drawing.lines:
                continue
            if len(self.engine.game.spaces) > 1:
                self.lines.append(line(Styled(space, Style.STRONG)))
            below = len(self.lines)
            self.spots |= {(space, cell): evolve(spot, top=spot.top + below) for cell, spot in drawing.spots.items()}
            self.lines += [*drawing.lines, line()]

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

    @cached_property
    def steered(self) -> Mapping[str, Move]:
        """The move that each arrow key names: where every move ends in one of these directions, and no two in the same."""
        found: dict[str, Move] = {}
        for move in self.engine.legal(self.state):
            key = KEYS.get(format_move(self.engine, self.state, move).rpartition(" ")[2])
            if move != STOP:
                if key is None or key in found:
                    return {}
                found[key] = move
        return found

    def refused(self, cell: Cell) -> tuple[Prospect, ...]:
        """The actions that are not legal with a cell, each with its nearest illegal attempt."""
        found = self.prospects.of(types.Cell(cell[0]), cell[1])
        return tuple(prospect for prospect in found if not prospect.legal)

    def blocked(self, text: str) -> tuple[Prospect, ...]:
        """Each action on offer with the last argument of one that is not legal, and the nearest attempt at it."""
        tried = parse_attempt(self.engine, self.state, text)
        assert tried is not None
        found = self.prospects.of(tried.action.parameters[-1].type, tried.arguments[-1])
        return tuple(prospect for prospect in found if not prospect.legal)

    def name(self, cell: Cell) -> str:
        return describe_cell(self.engine.instance.windows[cell[0]], cell[1])

    @cached_property
    def symbols(self) -> Symbols:
        """The symbols of the drawing, for its legend."""
        return Symbols.of(self.engine.game)

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
        (column, row), spot = self._middle(cell), self.spots[cell]
        reach, most = (spot.height / 2, spot.height) if step.right else (spot.width / 2, math.inf)
        found: dict[Cell, tuple[bool, float]] = {}
        for other in self.spots:
            across, down = self._middle(other)
            ahead = (across - column) * step.right + (down - row) * step.down
            aside = abs((across - column) * step.down) + abs((down - row) * step.right)
            if ahead > 0 and aside <= most:
                found[other] = aside > reach, ahead + 2 * aside
        return min(found, key=found.__getitem__, default=cell)

    def _middle(self, cell: Cell) -> tuple[float, float]:
        spot = self.spots[cell]
        return spot.left + spot.width / 2, spot.top + spot.height / 2

    def _reading(self, cell: Cell) -> tuple[int, int]:
        return self.spots[cell].top, self.spots[cell].left


# The boards on the screen ---------------------------------------------------------------------------------------------


LIT, MARKED, CURSOR = "on #1d4d3a", "on #6b4e12", "black on #e6d9a8"
"""The styles of cells with legal moves, of the cells of the move selected in the list, and of the cell under the cursor."""

DOT = "◦"
"""Marks a corner of each highlighted cell, for screens without colours."""


class BoardWidget(Static, can_focus=True):
    """Shows a `BoardMap`. Enter plays a legal move of the cell, `?` asks why there is none; arrow keys move the cursor, or the
    one thing that every move moves in a direction."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(way, f"go('{way}')", way, show=False) for way in STEPS),
        Binding("enter", "play", "play here"),
        Binding("question_mark", "why", "why not"),
    ]

    def __init__(
        self,
        boards: BoardMap,
        choose: Callable[[Cell, bool], None],
        steer: Callable[[Move], None],
        explain: Callable[[str], None],
    ) -> None:
        """`choose` plays on a cell or, if true, says why not; `explain` says why an action, as text, is not legal."""
        super().__init__(id="board")
        self.boards, self.choose, self.steer, self.explain = boards, choose, steer, explain
        self.cursor: Cell | None = boards.first()
        self.marked: frozenset[Cell] = frozenset()

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
        boards = self.boards
        if way in boards.steered:
            self.steer(boards.steered[way])
        elif boards.steered:
            another = format_move(boards.engine, boards.state, next(iter(boards.steered.values())))
            self.explain(f"{another.rpartition(' ')[0]} {WORDS[way]}")
        elif self.cursor is not None:
            self.cursor = self.boards.beside(self.cursor, STEPS[way])
            self.redraw()

    def action_play(self) -> None:
        if self.cursor is not None:
            self.choose(self.cursor, False)

    def action_why(self) -> None:
        if self.cursor is not None:
            self.choose(self.cursor, True)

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

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "leave")]

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


class Curtain(Screen[None]):
    """Hides one player's view until the next player is there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss", "go on")]

    def __init__(self, player: int) -> None:
        super().__init__()
        self.player = player

    def compose(self) -> ComposeResult:
        yield Static(f"It is the turn of player {self.player}.\n\nPress Enter when player {self.player} is at the screen.")


def rich_line(parts: Line) -> Text:
    """A line; none of it is interpreted as markup."""
    safe = (evolve(part, text=escape(part.text)).coloured() for part in parts)
    return Text.from_ansi("".join(safe), no_wrap=True, end="")


def rich_lines(lines: Iterable[Line], wraps: bool = False) -> Text:
    """Lines joined by line breaks; with `wraps`, long ones continue below."""
    text = Text("\n").join(map(rich_line, lines))
    text.no_wrap = not wraps
    return text
