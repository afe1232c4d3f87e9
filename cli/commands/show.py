"""`rulewright show`: the board as coloured text, and everything beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.api.named import PUZZLE
from rulewright.api.start import Start
from rulewright.api.state_data import state_as_json
from rulewright.base.diagnostics import usage_error
from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.positions import Position, Show, ShowFolder
from rulewright.cli.names import all_named, is_folder, named
from rulewright.cli.views.board_view import BoardPicture, tiles_side_by_side
from rulewright.cli.views.output import Output
from rulewright.cli.views.state_view import state_lines, turn_line
from rulewright.cli.views.terminal_picture import picture_of
from rulewright.cli.views.tile_view import Symbols
from rulewright.puzzles.notation.drawings import player_piece
from rulewright.rules.model import types
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import Viewer
from rulewright.rules.spaces.drawing import draw_rows
from rulewright.web.questions import in_plain_words

if TYPE_CHECKING:
    from rulewright.cli.picture_files import PictureFiles


@frozen
class Shown:
    """What to show: the number of players and the seed, and the viewer: a player, or None for the player to move.

    With `everything`, uninformative values too.
    """

    name: str
    variant: str = ""
    players: int | None = None
    seed: int = 0
    viewer: int | None = None
    everything: bool = False

    def start(self) -> Start:
        """The start position. Raises `RulesError`."""
        found = named(self.name, self.variant).start(self.players, self.seed)
        playing = found.engine.instance.players
        if self.viewer is not None and self.viewer > playing:
            raise usage_error(f"there is no player {self.viewer}", f"{playing} play")
        return evolve(found, viewer=evolve(found.viewer, player=self.viewer, whole=self.everything))


def draw_position(shown: Shown, files: PictureFiles, output: Output) -> None:
    """Draw the position of a puzzle, or a game after its set-up, to files."""
    from rulewright.cli.picture_files import write_position

    if is_folder(shown.name):
        raise usage_error("a picture shows a single position, not a folder", "name a puzzle or a module")
    start = shown.start()
    _tell(shown, start, output)
    write_position(start, files, output)


def show_position(shown: Shown, output: Output) -> None:
    """Print the position of a puzzle, or a game after its set-up; for a folder, every puzzle in it."""
    if is_folder(shown.name):
        starts = [evolve(shown, name=one.name).start() for one in all_named(shown.name, (PUZZLE,), shown.variant)]
        output.document(ShowFolder, positions=map(_position, starts))
        for number, start in enumerate(starts):
            output.lines([line(), line()] if number else [])
            _show(start, shown.everything, output)
    else:
        start = shown.start()
        _tell(shown, start, output)
        _show(start, shown.everything, output)


def _tell(shown: Shown, start: Start, output: Output) -> None:
    """Print the JSON document of a position, with its shareable line."""
    if output.as_json:
        from .exchange import line_of

        line = line_of(named(shown.name, shown.variant), start, start.state)
        output.document(Show, **_position(start), line=line)


def _show(start: Start, everything: bool, output: Output) -> None:
    output.line(Styled(start.title, Style.STRONG))
    if start.text:
        output.line(escape(start.text))
    output.line()
    print_position(start.engine, start.state, start.viewer, output, everything)
    asked = "" if start.position is None else in_plain_words(start.position.puzzle, start.engine.game)
    if asked:
        output.line()
        output.line(Styled(escape(asked), Style.STRONG))


def print_position(engine: Engine, state: State, viewer: Viewer, output: Output, everything: bool = True) -> None:
    """Print a position: as a picture where the terminal shows one, else as text."""
    if drawn := "" if output.as_json else picture_of(engine, state, viewer):
        sys.stdout.write(drawn)
    else:
        output.lines(position_lines(engine, state, viewer, everything))


def position_lines(engine: Engine, state: State, viewer: Viewer, everything: bool = True) -> Iterator[Line]:
    """Boards as pictures and by name, the player to move, hands and the rest, and the legend."""
    symbols = Symbols.of(engine.game)
    yield from board_lines(engine, state, viewer, symbols)
    yield turn_line(engine, state, viewer)
    yield from state_lines(engine, state, viewer, everything)
    yield from hand_pictures(engine, state, viewer, symbols)
    if legend := symbols.legend():
        yield line()
        yield from legend


def board_lines(engine: Engine, state: State, viewer: Viewer, symbols: Symbols) -> Iterator[Line]:
    """Boards as pictures, and by name if the pictures do not distinguish tiles."""
    for space in engine.game.spaces:
        picture = BoardPicture(engine, state, viewer, symbols).lines(space)
        if not picture:
            continue
        if len(engine.game.spaces) > 1:
            yield line(Styled(space, Style.STRONG))
        yield from picture
        yield line()
        names = named_board(engine, state, space, viewer)
        if names and symbols.tell_tiles_apart:
            yield from names
            yield line()


def named_board(engine: Engine, state: State, space: str, viewer: Viewer) -> list[Line]:
    """A board of tiles as a puzzle draws it: each tile by its name, pieces as `@1`."""
    column = engine.layout.columns.get(space)
    if column is None or not column.variable.is_board:
        return []
    window = engine.instance.windows[space]
    texts = {c: engine.game.tiles[t - 1].name for c, t in enumerate(state[column.start][: window.size]) if t}
    name = player_piece(engine.game, space)
    if name is not None:
        piece = engine.layout.columns[name]
        for number in range(piece.count):
            cell = state[piece.start + number]
            if cell != window.nowhere and viewer.sees(engine, state, piece.variable, number + piece.offset):
                texts[cell] = f"{texts.get(cell, '.')}@{number + piece.offset}"
    return [line(row) for row in draw_rows(window, texts)]


def hand_pictures(engine: Engine, state: State, viewer: Viewer, symbols: Symbols) -> Iterator[Line]:
    """The tiles held by the player to move, as pictures."""
    player = engine.player(state)
    shape = next((space.shape for space in engine.game.spaces.values() if space.of_tiles), None)
    if shape is None or player == 0:
        return
    for column in engine.layout.columns.values():
        variable = column.variable
        if not variable.is_zone or variable.index != types.Player() or not viewer.sees(engine, state, variable, player):
            continue
        tiles = tuple(dict.fromkeys(state[column.start + player - column.offset]))
        pictures = tiles_side_by_side(engine, tiles, shape, symbols)
        if pictures:
            yield line()
            yield line(Styled(f"{variable.name} of player {player}", Style.STRONG))
            yield from pictures


def _position(start: Start) -> Position:
    """The boards cell by cell and every visible variable, for scripts."""
    state = state_as_json(start.engine, start.state, start.viewer)
    return document_of(Position, name=start.title, rules=start.engine.game.roots, **state)
