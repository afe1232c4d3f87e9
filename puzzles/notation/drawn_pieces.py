"""Pieces in the drawing of their space: `raft/1@2` on the first cell of a piece, `+` on its other cells.

A drawing becomes a list in the notation of `lying_pieces.py`: `raft (1,2) east@2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import frozen
from rulewright.grammar.tree import puzzles
from rulewright.rules.model.game import Game, Pattern
from rulewright.rules.play.coordinates import Coordinate
from rulewright.rules.spaces.window import Window

from .lying_pieces import LyingPiece, piece_sets
from .read_drawings import Placed

COVERED = "+"
"""Marks a cell that a piece covers other than its first one."""


@frozen
class DrawnPieces:
    """The drawn pieces of one set, as they would be listed."""

    pieces: Pattern
    setting: puzzles.Setting


def kinds_on(game: Game, space: str) -> frozenset[str]:
    """The words that denote pieces in the drawing of a space."""
    sets = (pieces for pieces in piece_sets(game) if pieces.space == space)
    return frozenset((COVERED, *(game.tiles[kind - 1].name for pieces in sets for kind in pieces.kinds)))


def drawn_sets(game: Game, cells: Iterable[puzzles.DrawnCell], space: str) -> list[Pattern]:
    """The sets of pieces of a space that have a piece among some cells."""
    names = {cell.tile for cell in cells}
    return [
        pieces
        for pieces in piece_sets(game)
        if pieces.space == space and any(game.tiles[kind - 1].name in names for kind in pieces.kinds)
    ]


def drawn_pieces(game: Game, window: Window, sets: Sequence[Pattern], placed: Sequence[Placed]) -> Iterator[DrawnPieces]:
    """The pieces of each set in a drawing."""
    for pieces in sets:
        kinds = {game.tiles[kind - 1].name for kind in pieces.kinds}
        found = [_listed(game, pieces, window, at, cell) for at, cell in placed if cell.tile in kinds]
        span = found[0].span.to(found[-1].span)
        yield DrawnPieces(pieces, puzzles.Setting(pieces.name, (), tuple(found), span=span))


def _listed(game: Game, pieces: Pattern, window: Window, at: Coordinate, cell: puzzles.DrawnCell) -> puzzles.LyingPiece:
    way = ""
    if pieces.differs(game.tile_number(cell.tile)) or cell.turn or cell.mirrored:
        way = f"{'mirrored_' * cell.mirrored}{window.words[cell.turn] if cell.turn < len(window.words) else cell.turn}"
    owner = cell.players[0] if cell.players else 0
    return puzzles.LyingPiece(cell.tile, puzzles.Coordinate(at, span=cell.span), way, owner, span=cell.span)


def check_covered(
    window: Window, lying: Sequence[tuple[Pattern, LyingPiece, puzzles.Value]], placed: Sequence[Placed], sink: Sink
) -> None:
    """Report RW188 where `+` stands on a cell that no piece covers, or `.` on one that a piece covers."""
    covering = {
        cell: node
        for pieces, piece, node in lying
        for role in pieces.places[piece.place].cells
        for cell in role
        if cell != pieces.places[piece.place].cell
    }
    for at, drawn in placed:
        node = covering.get(window.cell(at))
        if drawn.tile == COVERED and node is None:
            help = "write `.`, or turn a piece so that it covers this cell: `/1` turns it clockwise"
            sink.error("RW188", "no drawn piece covers this cell", drawn.span, help=help)
        elif not drawn.tile and node is not None:
            label = Label(node.span, "this piece covers it")
            sink.error(
                "RW188",
                "this cell is covered by another piece",
                drawn.span,
                label,
                help=f"write `{COVERED}`, or correct the turn of the piece",
            )
