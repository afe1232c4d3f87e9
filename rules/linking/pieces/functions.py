"""Functions on pieces: which lie, where, their owners, and how they would lie elsewhere."""

from __future__ import annotations

from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions
from rulewright.rules.linking.functions import on_boards
from rulewright.rules.linking.functions.call import NUMBER, PLAYER, TILE, Call, Unresolved, once
from rulewright.rules.linking.functions.patterns import no_place
from rulewright.rules.linking.symbol_table import Locals, SymbolTable
from rulewright.rules.linking.unification import prune
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import KIND, layer_name, lies_of, owner_name
from rulewright.rules.spaces.from_tree import sample_window
from rulewright.rules.spaces.pattern import TURNS
from rulewright.rules.spaces.window import Function

from .sets import PLACE, TURNED, WAY

EQUAL, UNEQUAL = expressions.Comparison.EQUAL, expressions.Comparison.UNEQUAL
PLUS, TIMES = expressions.Operator.PLUS, expressions.Operator.TIMES


# Terms ----------------------------------------------------------------------------------------------------------------


def kind_of(pieces: str, place: terms.Term, span: Span) -> terms.Term:
    """The kind of the piece of a place; nothing for no place."""
    return terms.Lookup(terms.Column(lies_of(pieces), KIND), place, type=TILE, span=span)


def first_cell(symbols: SymbolTable, pieces: str, place: terms.Term, span: Span) -> terms.Term:
    """The cell under the first drawn cell."""
    cell = types.Cell(symbols.patterns[pieces].space)
    return terms.Lookup(terms.AspectOf(pieces, terms.Aspect.CELL), place, type=cell, span=span)


def cells_of(symbols: SymbolTable, pieces: str, place: terms.Term, span: Span) -> terms.Term:
    """The cells that a piece covers."""
    cells = types.SetOf(types.Cell(symbols.patterns[pieces].space))
    return terms.Row(terms.CellsOf(pieces), place, type=cells, span=span)


def kinds_among(symbols: SymbolTable, domain: terms.Term) -> str:
    """The set of pieces that tiles are kinds of; empty if they are not, or if that is not apparent."""
    match domain:
        case terms.Those(bound):
            return kinds_among(symbols, bound.domain)
        case terms.Read(zone) if zone in symbols.pieces:
            return zone
        case terms.SetLiteral(items):
            return next((name for name in symbols.pieces if items and all(is_kind(symbols, name, item) for item in items)), "")
        case _:
            return ""


def is_kind(symbols: SymbolTable, pieces: str, tile: terms.Term) -> bool:
    """Whether a tile is apparently a kind of a set of pieces."""
    match tile:
        case terms.Constant(number):
            return tile.type == TILE and number in symbols.tile_sets.get(pieces, ())
        case terms.Lookup(terms.Column(table, column)):
            return table == lies_of(pieces) and column == KIND
        case _:
            return False


def none_of(pieces: str, span: Span) -> terms.Term:
    """The value for no place."""
    return terms.Absent(type=types.Place(pieces), span=span)


def lying_on(pieces: str, cell: terms.Term, span: Span) -> terms.Term:
    """The piece of a set that lies on a cell."""
    return terms.Read(layer_name(pieces), (cell,), type=types.Place(pieces), span=span)


def lies(symbols: SymbolTable, pieces: str, place: terms.Term, span: Span) -> terms.Term:
    """Whether a piece lies at a place."""
    here = lying_on(pieces, first_cell(symbols, pieces, place, span), span)
    return terms.Compare(EQUAL, here, place, span=span)


# Calls ----------------------------------------------------------------------------------------------------------------


def all_lying(call: Call) -> terms.Term:
    """The laid pieces of a set, in the order of their first cells."""
    name, span, symbols = _set(call), call.span, call.resolver.symbols
    space = symbols.patterns[name].space
    here = terms.Local("cell of pieces", types.Cell(space), span=span)
    piece = lying_on(name, here, span)
    is_first = terms.Compare(EQUAL, first_cell(symbols, name, piece, span), here, span=span)
    cells = terms.AllCells(space, type=types.SetOf(here.type), span=span)
    bound = terms.Binder(here.name, cells, is_first, here.type, span=span)
    return terms.Image(piece, bound, type=types.SetOf(types.Place(name)), span=span)


def piece_at(call: Call) -> terms.Term:
    """`piece_at(c)`, or `piece_at(ships, c)` where pieces of several sets may lie. Reports RW157."""
    if len(call.arguments) > 1:
        name = _set(call)
        return lying_on(name, call.term(1, types.Cell(call.resolver.symbols.patterns[name].space)), call.span)
    space, cell = call.cell(0)
    names = _sets_on(call, space)
    if len(names) > 1:
        help = f"name the set, as in `piece_at({names[0]}, c)`"
        call.refuse("RW157", f"ambiguous set of pieces: `{space}` has {_listed(names)}", help)
    return lying_on(names[0], cell, call.span)


def covered(call: Call) -> terms.Term:
    """Whether a piece of any set lies on a cell."""
    space, cell = call.cell(0)
    span = call.span
    parts = tuple(
        terms.Compare(UNEQUAL, lying_on(name, cell, span), none_of(name, span), span=span) for name in _sets_on(call, space)
    )
    return parts[0] if len(parts) == 1 else terms.Or(parts, span=span)


def cells(call: Call) -> terms.Term:
    """The cells of a place of a piece or of any pattern."""
    place = call.term(0)
    known = prune(place.type)
    found = known if isinstance(known, types.Place) else _only_set(call, place)
    if found is None:
        no_place(call.resolver.symbols, place.span)
        raise Unresolved
    return cells_of(call.resolver.symbols, found.pattern, place, call.span)


def lies_there(call: Call) -> terms.Term:
    name, place = _piece(call)
    return lies(call.resolver.symbols, name, place, call.span)


def kind(call: Call) -> terms.Term:
    name, place = _piece(call)
    return kind_of(name, place, call.span)


def owner(call: Call) -> terms.Term:
    """The owner of a piece or a kind of tile. Reports RW158 if the pieces have no owners."""
    symbols = call.resolver.symbols
    if any(kind.player for kind in symbols.tiles) and not is_piece(call.arguments[0], symbols, call.locals):
        return on_boards.owner(call)
    if not symbols.pieces:
        call.fail("RW158", "the tiles of this game have no owners", "declare them as `tiles white of 1:`")
    name, place = _piece(call)
    if not symbols.pieces[name].owned:
        call.fail("RW158", f"the pieces of `{name}` have no owners", f"declare them as `pieces {name} of player in …`")
    return terms.Read(owner_name(name), (first_cell(symbols, name, place, call.span),), type=PLAYER, span=call.span)


def places_of_kind(call: Call) -> terms.Term:
    """`places(ships, boat)`: the places where a piece of a kind may lie."""
    key, name = call.term(1, TILE), _set(call)
    return terms.Row(terms.PlacesOfKind(name), key, type=types.SetOf(types.Place(name)), span=call.span)


def places_over(call: Call) -> terms.Term:
    """The places of a set of pieces that cover a cell."""
    name = _set(call)
    key = call.term(1, types.Cell(call.resolver.symbols.patterns[name].space))
    return terms.Row(terms.PlacesOver(name), key, type=types.SetOf(types.Place(name)), span=call.span)


# Pieces elsewhere -----------------------------------------------------------------------------------------------------


def shifted(call: Call, place: terms.Term) -> terms.Term:
    """`step(p, d)` and `step(p, d, n)` of a piece: its place that many steps on; none if it would leave the space."""
    found = _as_piece(call, place)
    space = call.resolver.symbols.patterns[found].space
    cell, way = types.Cell(space), call.term(1, types.Direction(space))
    times = call.term(2, NUMBER) if len(call.arguments) > 2 else None

    def there(here: terms.Term) -> terms.Term:
        start = first_cell(call.resolver.symbols, found, here, call.span)
        if times is None:
            return terms.Lookup(terms.Step(space), start, way, type=cell, span=call.span)
        return terms.Apply(Function.LEAP, space, (start, way, times), type=cell, span=call.span)

    return once("a piece", place, lambda here: _placed(call, found, _column(found, WAY, here, call.span), there(here)))


def turned(call: Call, place: terms.Term) -> terms.Term:
    """`turn(p, n)` of a piece: its place when rotated clockwise about its first cell."""
    found = _as_piece(call, place)
    symbols, span = call.resolver.symbols, call.span
    turns = TURNS[symbols.spaces[symbols.patterns[found].space].shape]
    times = call.computed(call.term(1, NUMBER), (expressions.Operator.MOD, turns))

    def lying(here: terms.Term) -> terms.Term:
        key = call.computed(call.computed(_column(found, WAY, here, span), (TIMES, turns)), (PLUS, times))
        way = _column(found, TURNED, key, span)
        return _placed(call, found, way, first_cell(symbols, found, here, span))

    return once("a piece", place, lying)


def _placed(call: Call, pieces: str, way: terms.Term, cell: terms.Term) -> terms.Term:
    """The place for an orientation at a cell."""
    symbols, span = call.resolver.symbols, call.span
    window = sample_window(symbols.spaces[symbols.patterns[pieces].space])
    key = call.computed(call.computed(way, (TIMES, window.size + 1)), (PLUS, cell))
    return terms.Lookup(terms.Column(lies_of(pieces), PLACE), key, type=types.Place(pieces), span=span)


def _column(pieces: str, column: str, key: terms.Term, span: Span) -> terms.Term:
    return terms.Lookup(terms.Column(lies_of(pieces), column), key, type=NUMBER, span=span)


# Which pieces ---------------------------------------------------------------------------------------------------------


def _set(call: Call) -> str:
    """The set of pieces that the first argument names. Reports RW159 if it names none."""
    help = "declare it, as in `pieces ships in sea: …`"
    return call.named(call.resolver.symbols.pieces, "RW159", "set of pieces", help)


def _sets_on(call: Call, space: str) -> list[str]:
    """The sets of pieces that lie on a space. Reports RW159 if there are none."""
    pieces = call.resolver.symbols.pieces
    found = [name for name, node in pieces.items() if node.space == space]
    if not found:
        where = f"on `{space}`" if space else "in this game"
        call.fail("RW159", f"no pieces are declared {where}", f"declare a set, as in `pieces ships in {space or 'sea'}: …`")
    return found


def is_piece(node: expressions.Expression, symbols: SymbolTable, locals: Locals) -> bool:
    """Whether an expression is apparently a piece before it is resolved; other arguments expect a type."""
    match node:
        case expressions.Name(text) if text in locals:
            return isinstance(prune(locals[text].type), types.Place)
        case expressions.Name(function) | expressions.Call(function) if function in symbols.signatures:
            return isinstance(prune(symbols.signatures[function].result), types.Place)
        case expressions.Call("step" | "turn", (first, *_)):
            return is_piece(first, symbols, locals)
        case expressions.Call("piece_at"):
            return True
        case expressions.ExtremeBy(_, expressions.Binder(_, expressions.Call(function))):
            return function in ("pieces", "places", "places_over")
        case expressions.If(_, then):
            return is_piece(then, symbols, locals)
        case _:
            return False


def _piece(call: Call) -> tuple[str, terms.Term]:
    """The set of the piece given as first argument, and the piece. Reports RW176 if it is not a piece."""
    place = call.term(0)
    return _as_piece(call, place), place


def _as_piece(call: Call, place: terms.Term) -> str:
    known = prune(place.type)
    found = known if isinstance(known, types.Place) else _only_set(call, place)
    if found is not None and found.pattern in call.resolver.symbols.pieces:
        return found.pattern
    no_place(call.resolver.symbols, place.span)
    raise Unresolved


def _only_set(call: Call, place: terms.Term) -> types.Place | None:
    """The only set of pieces, if nothing else determines it."""
    pieces = list(call.resolver.symbols.pieces)
    if len(pieces) == 1 and call.resolver.unify_by_default(place.type, only := types.Place(pieces[0])):
        return only
    return None


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)
