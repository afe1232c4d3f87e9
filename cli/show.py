"""`rulewright show`: the board as coloured text, and all that is beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..puzzles.to_drawings import piece_of
from ..rules import types
from ..rules.engine import Engine, State
from ..rules.game import Storage
from ..rules.spaces.draw import draw_rows
from .board_picture import BoardPicture, tiles_side_by_side
from .opening import Opening, describe_ask
from .output import Exit, Output
from .session import Session
from .state_lines import Viewer, state_lines, turn_line
from .symbols import Symbols
from .text import Line, Style, Styled, escape, line


def show_position(name: str, variant: str, players: int | None, seed: int, output: Output) -> int:
    """Print the position of a puzzle, or a game after its set-up."""
    opening = Session(name, variant).opening(players, seed)
    output.document(_as_json(opening))
    output.line(Styled(opening.title, Style.STRONG))
    if opening.text:
        output.line(escape(opening.text))
    output.line()
    output.lines(position_lines(opening.engine, opening.state, opening.viewer))
    if opening.position is not None and opening.position.puzzle.ask is not None:
        output.line()
        output.line(Styled("asked: ", Style.STRONG), escape(describe_ask(opening.position.puzzle.ask)))
    return Exit.YES


def position_lines(engine: Engine, state: State, viewer: Viewer) -> Iterator[Line]:
    """Boards as pictures and by name, whose turn it is, hands and the rest, and what the letters mean."""
    symbols = Symbols.of(engine.game)
    yield from board_lines(engine, state, viewer, symbols)
    yield turn_line(engine, state)
    yield from state_lines(engine, state, viewer)
    yield from _hand_pictures(engine, state, viewer, symbols)
    legend = symbols.legend()
    if legend:
        yield line()
        yield from legend


def board_lines(engine: Engine, state: State, viewer: Viewer, symbols: Symbols) -> Iterator[Line]:
    """Boards as pictures, and by name where the pictures do not tell tiles apart."""
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
    window = engine.ground.windows[space]
    texts = {c: engine.game.tiles[t - 1].name for c, t in enumerate(state[column.start][: window.size]) if t}
    name = piece_of(engine.game, space)
    if name is not None:
        piece = engine.layout.columns[name]
        for number in range(piece.count):
            cell = state[piece.start + number]
            if not viewer.sees(engine, state, piece.variable, number + piece.offset):
                continue
            if cell != window.nowhere:
                texts[cell] = f"{texts.get(cell, '.')}@{number + piece.offset}"
    return [line(row) for row in draw_rows(window, texts)]


def _hand_pictures(engine: Engine, state: State, viewer: Viewer, symbols: Symbols) -> Iterator[Line]:
    """The tiles that the player whose turn it is holds, as pictures."""
    player = engine.player(state)
    shape = next((space.shape for space in engine.game.spaces.values() if space.of_tiles), None)
    if shape is None or player == 0:
        return
    for column in engine.layout.columns.values():
        variable = column.variable
        if variable.storage is Storage.VALUE or variable.index != types.Player():
            continue
        if not viewer.sees(engine, state, variable, player):
            continue
        tiles = tuple(dict.fromkeys(state[column.start + player - column.offset]))
        pictures = tiles_side_by_side(engine, tiles, shape, symbols)
        if pictures:
            yield line()
            yield line(Styled(f"{variable.name} of player {player}", Style.STRONG))
            yield from pictures


def _as_json(opening: Opening) -> dict[str, Any]:
    """The boards cell by cell and every variable that may be seen."""
    from .state_json import state_as_json

    return {
        "name": opening.title,
        "rules": list(opening.engine.game.roots),
        **state_as_json(opening.engine, opening.state, opening.viewer),
    }
