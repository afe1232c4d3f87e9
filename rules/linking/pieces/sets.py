"""Translates a set of pieces into existing concepts: kinds of tile, places of a pattern, variables, tables.

Each piece is a kind of tile with a drawing. Its place identifies a laid piece, and the layer stores the place on every cell
that the piece covers; so identical pieces are not distinguished. The zone of laid pieces keeps the tiles: none is lost or
created.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import evolve
from rulewright.grammar.tree import modules
from rulewright.rules.linking.functions.patterns import MOST_CELLS, drawing_of, pattern_of, places_in
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import game, types
from rulewright.rules.model.game import KIND, Storage, Table, TileKind, Variable, laid_name, layer_name, lies_of, owner_name
from rulewright.rules.spaces.from_tree import sample_window
from rulewright.rules.spaces.pattern import TURNS, Place, all_places_of

NUMBER, TILE, PLAYER = types.Number(), types.Tile(), types.Player()

WAY, PLACE, TURNED = "way", "place", "turned"
"""Columns: the orientation of a place; the place of an orientation at a cell; an orientation after rotation."""


def variables_of(pieces: modules.Pieces, sink: Sink, taken: dict[str, Variable]) -> Iterator[Variable]:
    """The variables of a set of pieces. Reports RW129 if one of their names is taken."""
    name, cells, span = pieces.name, types.Cell(pieces.space), pieces.span
    found = [
        Variable(layer_name(name), cells, types.Place(name), pieces=name, span=span),
        Variable(laid_name(name), None, TILE, Storage.SET, pieces=name, span=span),
    ]
    if pieces.owned:
        found.append(Variable(owner_name(name), cells, PLAYER, low=1, pieces=name, span=span))
        found.append(Variable(name, PLAYER, TILE, Storage.SET, pieces=name, span=span))
    for variable in found:
        if variable.name in taken:
            message = f"`{variable.name}` is already a property of the pieces of `{name}`"
            here = Label(span, "declared here")
            sink.error("RW129", message, taken[variable.name].span, here, help="choose another name")
        yield variable


def piece_sets(book: Rulebook, kinds: tuple[TileKind, ...], sink: Sink) -> dict[str, game.Pattern]:
    """The places of every set of pieces, by name, kind by kind. Reports RW156, and what patterns report."""
    return {name: _set(pieces, book, kinds, sink) for name, pieces in book.pieces.items()}


def _set(pieces: modules.Pieces, book: Rulebook, kinds: tuple[TileKind, ...], sink: Sink) -> game.Pattern:
    found = game.Pattern(pieces.name, pieces.space, (), (), pieces.turned, pieces.mirrored, span=pieces.span)
    if not pieces.lines:
        message = f"the set of pieces `{pieces.name}` is empty"
        sink.error("RW156", message, pieces.span, help="add a line for each kind, as in `boat x2 hull bow`")
        return found
    before, cells = len(sink.errors), 0
    for line in pieces.lines:
        pattern = pattern_of(as_pattern(pieces, line), book, sink)
        cells += len(pattern.places) * sum(map(len, pattern.places[0].cells)) if pattern.places else 0
        if cells > MOST_CELLS:
            message = f"the places of `{pieces.name}` have more than {MOST_CELLS} cells in total"
            sink.error("RW175", message, pieces.span, help="make the space or the pieces smaller")
            break
    if len(sink.errors) > before:
        return found
    numbers = {kind.name: number for number, kind in enumerate(kinds, 1) if kind.group == pieces.name}
    roles, places, of = _places(pieces, book.spaces[pieces.space], tuple(numbers[line.name] for line in pieces.lines))
    return evolve(found, roles=roles, places=places, kinds=of)


Places = tuple[tuple[str, ...], tuple[Place, ...], tuple[int, ...]]


@lru_cache(maxsize=64)
def _places(pieces: modules.Pieces, space: modules.Space, numbers: tuple[int, ...]) -> Places:
    """The roles, the places and the kind of each, once for all rules with these pieces; `numbers` are the kinds by line."""
    drawings = [drawing_of(as_pattern(pieces, line).rows) for line in pieces.lines]
    roles = tuple(dict.fromkeys(role for drawing in drawings for role in drawing))
    places = [
        (evolve(place, cells=_by_role(drawing, place.cells, roles)), number)
        for drawing, number in zip(drawings, numbers, strict=True)
        for place in places_in(space, tuple(map(tuple, drawing.values())), pieces.turned, pieces.mirrored)
    ]
    return roles, tuple(place for place, _ in places), tuple(number for _, number in places)


def as_pattern(pieces: modules.Pieces, line: modules.PieceLine) -> modules.Pattern:
    """A piece as a pattern; without a drawing it has one cell."""
    rows = line.rows or (modules.PatternRow((line.name,), span=line.span),)
    return modules.Pattern(line.name, pieces.space, pieces.turned, pieces.mirrored, rows, span=line.span)


def _by_role(own: Iterable[str], cells: tuple[tuple[int, ...], ...], roles: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    known = dict(zip(own, cells, strict=True))
    return tuple(known.get(role, ()) for role in roles)


# Tables ---------------------------------------------------------------------------------------------------------------


def tables_of(book: Rulebook, sets: dict[str, game.Pattern]) -> dict[str, Table]:
    """For each set of pieces, a table of its places, its orientations, and how these are related."""
    return {
        lies_of(name): _table(book.pieces[name], book.spaces[pattern.space], tuple(dict.fromkeys(pattern.kinds)))
        for name, pattern in sets.items()
    }


@lru_cache(maxsize=64)
def _table(pieces: modules.Pieces, space: modules.Space, numbers: tuple[int, ...]) -> Table:
    columns = _columns(pieces, space, numbers)
    keys = sorted({key for column in columns.values() for key in column} | {0})
    otherwise = {KIND: 0, WAY: 0, PLACE: len(columns[KIND]), TURNED: 0}
    filled = tuple((column, tuple(values.get(k, otherwise[column]) for k in keys)) for column, values in columns.items())
    kept, name = (TILE, NUMBER, types.Place(pieces.name), NUMBER), lies_of(pieces.name)
    return Table(name, NUMBER, tuple(keys), filled, kept)


def _columns(pieces: modules.Pieces, space: modules.Space, numbers: tuple[int, ...]) -> dict[str, dict[int, int]]:
    window, (roles, places, kinds) = sample_window(space), _places(pieces, space, numbers)
    turns, width = TURNS[window.shape], window.size + 1
    ways: dict[tuple[int, bool, int], int] = {}
    for kind in sorted(numbers):
        for mirrored in (False, True)[: 1 + pieces.mirrored]:
            for turn in range(turns if pieces.turned else 1):
                ways[kind, mirrored, turn] = len(ways)
    number = {(kind, place.covered): at for at, (place, kind) in enumerate(zip(places, kinds, strict=True))}
    place_at: dict[int, int] = {}
    for line, kind in zip(pieces.lines, numbers, strict=True):
        drawing = drawing_of(as_pattern(pieces, line).rows)
        for place in all_places_of(window, tuple(drawing.values()), pieces.turned, pieces.mirrored):
            way = ways[kind, place.mirrored, place.turn]
            covered = evolve(place, cells=_by_role(drawing, place.cells, roles)).covered
            place_at[way * width + place.cell] = number[kind, covered]
    turned = {
        way * turns + by: ways.get((kind, mirrored, (turn + by) % turns), way)
        for (kind, mirrored, turn), way in ways.items()
        for by in range(turns)
    }
    way_of = [ways[kind, place.mirrored, place.turn] for place, kind in zip(places, kinds, strict=True)]
    return {KIND: dict(enumerate(kinds)), WAY: dict(enumerate(way_of)), PLACE: place_at, TURNED: turned}
