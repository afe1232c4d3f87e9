"""Translates a set of pieces into existing concepts: kinds of tile, places of a pattern, variables, tables.

Each piece is a kind of tile with a drawing. Its place identifies a laid piece, and the layer stores the place on every cell
that the piece covers; so identical pieces are not distinguished. The zone of laid pieces keeps the tiles: none is lost or
created.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.base.diagnostics import Label, Sink
from rulewright.grammar.tree import modules
from rulewright.rules.linking.functions.patterns import MOST_CELLS, drawing_of, pattern_of
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import game, types
from rulewright.rules.model.game import KIND, Storage, Table, TileKind, Variable, laid_name, layer_name, lies_of, owner_name
from rulewright.rules.spaces.from_tree import sample_window
from rulewright.rules.spaces.pattern import TURNS, all_places_of
from rulewright.rules.spaces.window import Window

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
    each: dict[str, game.Pattern] = {}
    for line in pieces.lines:
        each[line.name] = pattern = pattern_of(as_pattern(pieces, line), book, sink)
        cells += len(pattern.places) * sum(map(len, pattern.places[0].cells)) if pattern.places else 0
        if cells > MOST_CELLS:
            message = f"the places of `{pieces.name}` have more than {MOST_CELLS} cells in total"
            sink.error("RW175", message, pieces.span, help="make the space or the pieces smaller")
            break
    if len(sink.errors) > before:
        return found
    roles = tuple(dict.fromkeys(role for pattern in each.values() for role in pattern.roles))
    numbers = {kind.name: number for number, kind in enumerate(kinds, 1) if kind.group == pieces.name}
    places = [
        (evolve(place, cells=_by_role(pattern, place.cells, roles)), numbers[name])
        for name, pattern in each.items()
        for place in pattern.places
    ]
    return evolve(found, roles=roles, places=tuple(place for place, _ in places), kinds=tuple(kind for _, kind in places))


def as_pattern(pieces: modules.Pieces, line: modules.PieceLine) -> modules.Pattern:
    """A piece as a pattern; without a drawing it has one cell."""
    rows = line.rows or (modules.PatternRow((line.name,), span=line.span),)
    return modules.Pattern(line.name, pieces.space, pieces.turned, pieces.mirrored, rows, span=line.span)


def _by_role(pattern: game.Pattern, cells: tuple[tuple[int, ...], ...], roles: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    known = dict(zip(pattern.roles, cells, strict=True))
    return tuple(known.get(role, ()) for role in roles)


# Tables ---------------------------------------------------------------------------------------------------------------


def tables_of(book: Rulebook, sets: dict[str, game.Pattern]) -> dict[str, Table]:
    """For each set of pieces, a table of its places, its orientations, and how these are related."""
    found = {}
    for name, pattern in sets.items():
        columns = _columns(book.pieces[name], pattern, sample_window(book.spaces[pattern.space]))
        none = len(pattern.places)
        keys = sorted({key for column in columns.values() for key in column} | {0})
        otherwise = {KIND: 0, WAY: 0, PLACE: none, TURNED: 0}
        filled = tuple((column, tuple(values.get(k, otherwise[column]) for k in keys)) for column, values in columns.items())
        kept = (TILE, NUMBER, types.Place(name), NUMBER)
        found[lies_of(name)] = Table(lies_of(name), NUMBER, tuple(keys), filled, kept)
    return found


def _columns(pieces: modules.Pieces, pattern: game.Pattern, window: Window) -> dict[str, dict[int, int]]:
    turns, width = TURNS[window.shape], window.size + 1
    ways: dict[tuple[int, bool, int], int] = {}
    for kind in sorted(set(pattern.kinds)):
        for mirrored in (False, True)[: 1 + pattern.mirrored]:
            for turn in range(turns if pattern.turned else 1):
                ways[kind, mirrored, turn] = len(ways)
    number = {(kind, place.covered): at for at, (place, kind) in enumerate(zip(pattern.places, pattern.kinds, strict=True))}
    place_at: dict[int, int] = {}
    for line, kind in zip(pieces.lines, dict.fromkeys(pattern.kinds), strict=True):
        drawing = drawing_of(as_pattern(pieces, line).rows)
        here = game.Pattern(line.name, pattern.space, tuple(drawing), ())
        for place in all_places_of(window, tuple(drawing.values()), pattern.turned, pattern.mirrored):
            way = ways[kind, place.mirrored, place.turn]
            covered = evolve(place, cells=_by_role(here, place.cells, pattern.roles)).covered
            place_at[way * width + place.cell] = number[kind, covered]
    turned = {
        way * turns + by: ways.get((kind, mirrored, (turn + by) % turns), way)
        for (kind, mirrored, turn), way in ways.items()
        for by in range(turns)
    }
    way_of = [ways[kind, place.mirrored, place.turn] for place, kind in zip(pattern.places, pattern.kinds, strict=True)]
    return {KIND: dict(enumerate(pattern.kinds)), WAY: dict(enumerate(way_of)), PLACE: place_at, TURNED: turned}
