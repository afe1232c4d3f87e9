"""Checks the numbers of players, tiles and cells against the limits before anything is built from them."""

from __future__ import annotations

from math import prod

from rulewright.base.diagnostics import Sink
from rulewright.base.limits import Limits
from rulewright.grammar.tree import modules
from rulewright.rules.merging.rulebook import Rulebook

from .declarations import sample_window


def check_sizes(book: Rulebook, sink: Sink, limits: Limits) -> None:
    """Report RW133 (players), RW134 (tiles), RW251 (an impossible space), RW055 (a space too large)."""
    _players(book, sink, limits.players)
    _tiles(book, sink, limits.tiles)
    for space in book.spaces.values():
        if not space.base:
            _space(space, sink, limits.cells)


def _players(book: Rulebook, sink: Sink, most: int) -> None:
    players = book.players
    if players is None:
        return
    if players.low > players.high:
        message = f"the range `{players.low}..{players.high}` is empty"
        sink.error("RW133", message, players.span, help=f"write `players {players.high}..{players.low}`")
    elif players.low < 1:
        sink.error("RW133", "a game needs at least one player", players.span, help="start the range at 1")
    elif players.high > most:
        message = f"a game can have at most {most} players"
        sink.error("RW133", message, players.span, help="lower the number of players")


def _tiles(book: Rulebook, sink: Sink, most: int) -> None:
    total = 0
    for tiles in book.tiles.values():
        for line in tiles.lines:
            total += line.count
            if total > most:
                message = f"the box has more than {most} tiles"
                sink.error("RW134", message, line.span, help="use a smaller number after `x`")
                return


def _space(space: modules.Space, sink: Sink, most: int) -> None:
    if _cells(space) > most:
        sink.error("RW055", f"the space has more than {most} cells", space.span, help="make it smaller")
        return
    try:
        sample_window(space)
    except ValueError as error:
        sink.error("RW251", str(error), space.span, help="correct the declaration of the space")


def _cells(space: modules.Space) -> int:
    """The number of cells of a space of given size; 0 without a size."""
    if space.shape is modules.Shape.HEX and len(space.size) == 1:
        radius = space.size[0]
        return 3 * radius * (radius + 1) + 1
    return prod(space.size) if space.size else 0
