"""The effects of `put`, `take` and `slide` on pieces: assignments to the layer, and a move of the kind between zones.

Impossible effects are faults, as with tiles on a board: a covered cell is assigned an invalid place, and a piece that does not
lie has no kind to move.
"""

from __future__ import annotations

from rulewright.base.diagnostics import Label
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.linking.forms.sets import only
from rulewright.rules.linking.functions.call import PLAYER, TILE, TRUTH
from rulewright.rules.linking.scopes import once, within
from rulewright.rules.linking.symbol_table import SymbolTable
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.game import Variable, laid_name, layer_name, owner_name

from .functions import cells_of, first_cell, kind_of, lies, lying_on, none_of

EQUAL = Comparison.EQUAL


def put(
    symbols: SymbolTable, pieces: str, piece: terms.Term, place: terms.Term, source: effects.Location, span: Span
) -> list[effects.Effect]:
    """Lay a piece. Its owner is that of the zone it leaves. Reports RW160 if that does not determine the owner."""
    here, around = once("place", place)
    kind = kind_of(pieces, here, span)
    if piece != kind_of(pieces, place, piece.span):
        kind = terms.If(_same(piece, kind, span), kind, _nothing(span), type=TILE, span=span)
    body: list[effects.Effect] = [
        effects.Transfer(kind, source, effects.Location(laid_name(pieces), span=span), span=span),
        _laid(symbols, pieces, here, terms.Constant(1, type=TRUTH, span=span), span),
    ]
    if symbols.pieces[pieces].owned:
        owner = _owner_of(symbols, source, pieces, span)
        body.append(_assigned(owner_name(pieces), first_cell(symbols, pieces, here, span), owner, span))
    return within(around, body)


def take(symbols: SymbolTable, pieces: str, place: terms.Term, target: effects.Location, span: Span) -> list[effects.Effect]:
    """Lift a piece, and reset the variables kept of it."""
    here, around = once("place", place)
    lying = lies(symbols, pieces, here, span)
    kind = terms.If(lying, kind_of(pieces, here, span), _nothing(span), type=TILE, span=span)
    start = first_cell(symbols, pieces, here, span)
    kept = [_forgotten(variable, start, span) for variable in _kept_of(symbols, pieces)]
    moved = effects.Transfer(kind, effects.Location(laid_name(pieces), span=span), target, span=span)
    return within(around, [moved, *kept, _lifted(symbols, pieces, here, none_of(pieces, span), span)])


def slide(symbols: SymbolTable, pieces: str, place: terms.Term, target: terms.Term, span: Span) -> list[effects.Effect]:
    """Move a piece to another place, together with the variables kept of it."""
    here, around = once("place", place)
    there, inner = once("target", target)
    same = _same(kind_of(pieces, here, span), kind_of(pieces, there, span), span)
    whole = terms.And((lies(symbols, pieces, here, span), same), span=span)
    start, end = first_cell(symbols, pieces, here, span), first_cell(symbols, pieces, there, span)
    kept = _kept_of(symbols, pieces)
    bound = [only(f"kept {v.name}", _value(v, start, span), span) for v in kept]
    none = none_of(pieces, span)
    body: list[effects.Effect] = [
        *(_forgotten(variable, start, span) for variable in kept),
        _lifted(symbols, pieces, here, terms.If(whole, none, _past(symbols, pieces, span), type=none.type, span=span), span),
        _laid(symbols, pieces, there, terms.Compare(Comparison.UNEQUAL, here, none, span=span), span),
        *(_assigned(v.name, end, terms.Local(b.name, v.type, span=span), span) for v, b in zip(kept, bound, strict=True)),
    ]
    for binder in bound:
        body = within(binder, body)
    return within(around, within(inner, body))


# Parts ----------------------------------------------------------------------------------------------------------------


def _laid(symbols: SymbolTable, pieces: str, place: terms.Term, allowed: terms.Term, span: Span) -> effects.Effect:
    """Cover the cells of a place, none of which may be covered."""
    cell = terms.Local("cell of piece", types.Cell(symbols.patterns[pieces].space), span=span)
    is_free = _same(lying_on(pieces, cell, span), none_of(pieces, span), span)
    free = terms.And((allowed, is_free), span=span)
    value = terms.If(free, place, _past(symbols, pieces, span), type=types.Place(pieces), span=span)
    return _over_cells(symbols, pieces, place, cell, value, span)


def _lifted(symbols: SymbolTable, pieces: str, place: terms.Term, value: terms.Term, span: Span) -> effects.Effect:
    """Uncover the cells of a place."""
    cell = terms.Local("cell of piece", types.Cell(symbols.patterns[pieces].space), span=span)
    if isinstance(value, terms.Absent):
        return _over_cells(symbols, pieces, place, cell, value, span)
    kept = terms.Local("value of cells", value.type, span=span)
    loop = _over_cells(symbols, pieces, place, cell, kept, span)
    return within(only(kept.name, value, span), [loop])[0]


def _over_cells(
    symbols: SymbolTable, pieces: str, place: terms.Term, cell: terms.Local, value: terms.Term, span: Span
) -> effects.Effect:
    body = (effects.EffectClause("", _assigned(layer_name(pieces), cell, value, span), span=span),)
    binder = terms.Binder(cell.name, cells_of(symbols, pieces, place, span), None, cell.type, span=span)
    return effects.ForEach(binder, body, span=span)


def _kept_of(symbols: SymbolTable, pieces: str) -> list[Variable]:
    """The variables kept of each laid piece, including its owner."""
    apart = (layer_name(pieces), laid_name(pieces), pieces)
    return [v for v in symbols.variables.values() if v.pieces == pieces and v.name not in apart]


def _forgotten(variable: Variable, cell: terms.Term, span: Span) -> effects.Effect:
    """Reset a variable to its initial value, which is its value at nowhere."""
    return _assigned(variable.name, cell, _value(variable, terms.Absent(type=cell.type, span=span), span), span)


def _value(variable: Variable, cell: terms.Term, span: Span) -> terms.Term:
    return terms.Read(variable.name, (cell,), type=variable.type, span=span)


def _past(symbols: SymbolTable, pieces: str, span: Span) -> terms.Term:
    """A value beyond all places and none: assigning it is a fault."""
    return terms.Constant(len(symbols.patterns[pieces].places) + 1, type=types.Place(pieces), span=span)


def _owner_of(symbols: SymbolTable, source: effects.Location, pieces: str, span: Span) -> terms.Term:
    zone = symbols.variables[source.variable]
    if zone.index == PLAYER and source.index:
        return source.index[0]
    help = f"put it from a player's zone, as in `from {pieces} of player`"
    message = f"the owner of the piece is unknown: `{zone.name}` does not belong to a player"
    symbols.sink.error(
        "RW160", message, span, Label(symbols.pieces[pieces].span, "each of these pieces belongs to a player"), help=help
    )
    return terms.Constant(1, type=PLAYER, span=span)


def _same(one: terms.Term, other: terms.Term, span: Span) -> terms.Term:
    return terms.Compare(EQUAL, one, other, span=span)


def _nothing(span: Span) -> terms.Term:
    return terms.Constant(0, type=TILE, span=span)


def _assigned(variable: str, cell: terms.Term, value: terms.Term, span: Span) -> effects.Effect:
    target = effects.Location(variable, (cell,), span=span)
    return effects.Assign(target, Assignment.SET, value, span=span)
