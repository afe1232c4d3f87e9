"""The notation of pieces on the board: `ships: boat (1,2) east@1, raft (0,0)@2`, read and written.

A listed piece is taken from its stock: that of its owner, or the box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.base.diagnostics import Label, Sink, did_you_mean
from rulewright.base.records import frozen
from rulewright.grammar.printing.print_puzzles import value_text
from rulewright.grammar.tree import puzzles
from rulewright.rules.model.game import BOX, Game, Pattern, laid_name, layer_name, owner_name
from rulewright.rules.play.coordinates import Coordinate, CoordinateState, Key
from rulewright.rules.play.engine import Engine, describe_way
from rulewright.rules.spaces.window import Window

from .value_notation import ValueNotation


@frozen
class LyingPiece:
    """A piece at a place; `owner` is 0 if it has none."""

    place: int
    owner: int = 0


def piece_sets(game: Game) -> Iterator[Pattern]:
    """The sets of pieces of a game."""
    return (pattern for pattern in game.patterns.values() if pattern.kinds)


def lying_pieces(engine: Engine, coordinates: CoordinateState, pieces: Pattern) -> list[LyingPiece]:
    """The pieces of a set on the board, ordered by their first cells."""
    cells, window = coordinates.fields[layer_name(pieces.name)], engine.instance.windows[pieces.space]
    owners = coordinates.fields.get(owner_name(pieces.name))
    found = []
    for coordinate in sorted(cells, key=window.cell):
        place = cells[coordinate]
        if isinstance(place, int) and pieces.places[place].cell == window.cell(coordinate):
            owner = 0 if owners is None else owners.get(coordinate, 1)
            found.append(LyingPiece(place, owner if isinstance(owner, int) else 0))
    return found


def lay_out(engine: Engine, coordinates: CoordinateState, pieces: Pattern, lying: list[LyingPiece]) -> None:
    """Put exactly these pieces of a set on the board; those that were there return to their stock. Variables of each piece
    get their initial values."""
    for piece in lying_pieces(engine, coordinates, pieces):
        stock = _stock(coordinates, pieces, piece)
        coordinates.zones[stock] = tuple(sorted((*coordinates.zones[stock], pieces.kinds[piece.place])))
    for variable in engine.game.variables.values():
        if variable.pieces == pieces.name and variable.name in coordinates.fields:
            coordinates.fields[variable.name] = {}
    window, layer = engine.instance.windows[pieces.space], coordinates.fields[layer_name(pieces.name)]
    for piece in lying:
        place, stock = pieces.places[piece.place], _stock(coordinates, pieces, piece)
        layer |= {window.coordinates[cell]: piece.place for role in place.cells for cell in role}
        if piece.owner > 1:
            coordinates.fields[owner_name(pieces.name)][window.coordinates[place.cell]] = piece.owner
        left = list(coordinates.zones[stock])
        if pieces.kinds[piece.place] in left:
            left.remove(pieces.kinds[piece.place])
        coordinates.zones[stock] = tuple(left)
    coordinates.zones[laid_name(pieces.name), None] = tuple(sorted(pieces.kinds[piece.place] for piece in lying))


def _stock(coordinates: CoordinateState, pieces: Pattern, piece: LyingPiece) -> Key:
    return (pieces.name, piece.owner) if (pieces.name, piece.owner) in coordinates.zones else (BOX, None)


# Text -----------------------------------------------------------------------------------------------------------------


def read_pieces(notation: ValueNotation, pieces: Pattern, setting: puzzles.Setting, sink: Sink) -> list[LyingPiece]:
    """The pieces that a setting lists. Reports RW305, RW306, RW312, and RW315 if two cover a cell."""
    known = _known(notation.engine, pieces)
    found: list[LyingPiece] = []
    covered: dict[int, puzzles.Value] = {}
    for node in setting.values:
        piece = _read(notation, pieces, known, node, sink)
        if piece is None:
            continue
        for cell in (cell for role in pieces.places[piece.place].cells for cell in role):
            if cell in covered:
                at = ",".join(map(str, notation.windows[pieces.space].coordinates[cell]))
                first = Label(covered[cell].span, "the other piece")
                sink.error("RW315", f"two pieces cover the cell ({at})", node.span, first, help="correct one of them")
            covered.setdefault(cell, node)
        found.append(piece)
    return found


def _read(
    notation: ValueNotation, pieces: Pattern, known: Mapping[str, int], node: puzzles.Value, sink: Sink
) -> LyingPiece | None:
    owned = pieces.name in notation.game.variables
    match node:
        case puzzles.LyingPiece(kind, cell, way, player):
            at = None if notation.tile(kind, node.span) is None else notation.cell(pieces.space, cell)
            if at is None:
                return None
            text = value_text(puzzles.LyingPiece(kind, _written_cell(notation.windows[pieces.space], at), way))
            if text not in known:
                alike = [other for other in known if other.startswith(f"{kind} ")]
                help = did_you_mean(text, alike) or (
                    f"write it as in `{alike[0]}`" if alike else f"`{kind}` is not a piece of `{pieces.name}`"
                )
                sink.error("RW312", f"`{text}` is not a place of `{pieces.name}`", node.span, help=help)
                return None
            if bool(player) is not owned:
                help = "add its owner, as in `@1`" if owned else "delete `@` and the number"
                message = f"the pieces of `{pieces.name}` {'belong to players' if owned else 'have no owners'}"
                sink.error("RW312", message, node.span, help=help)
                return None
            if player and notation.player(player, node.span) is None:
                return None
            return LyingPiece(known[text], player)
        case _:
            help = f"write a piece and where it lies, as in `{next(iter(known), 'boat (0,0)')}{'@1' * owned}`"
            sink.error("RW312", f"`{value_text(node)}` is not a piece with its place", node.span, help=help)
            return None


def _known(engine: Engine, pieces: Pattern) -> dict[str, int]:
    return {value_text(written(engine, pieces, LyingPiece(place))): place for place in range(len(pieces.places))}


def written(engine: Engine, pieces: Pattern, piece: LyingPiece) -> puzzles.LyingPiece:
    """The tree of a piece on the board."""
    place, window = pieces.places[piece.place], engine.instance.windows[pieces.space]
    kind = engine.game.tiles[pieces.kinds[piece.place] - 1].name
    way = describe_way(engine, pieces, place) if pieces.differs(pieces.kinds[piece.place]) else ""
    return puzzles.LyingPiece(kind, _written_cell(window, window.coordinates[place.cell]), way, piece.owner)


def _written_cell(window: Window, at: Coordinate) -> puzzles.Coordinate | puzzles.Word:
    return puzzles.Word(window.names[window.cell(at)]) if window.names else puzzles.Coordinate(at)
