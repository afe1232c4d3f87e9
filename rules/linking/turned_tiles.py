"""Rotated tiles: a variable over the cells of a board counts the clockwise rotations of each tile; 0 where there is none.

`put`, `take` and `slide` maintain it. A side of a cell shows the side of the tile found by rotating back.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.grammar.tree.modules import Shape, Space
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.game import Variable, turned_name
from rulewright.rules.model.traversal import nodes_of

from .symbol_table import SymbolTable

NUMBER = types.Number()
TURNS = {Shape.SQUARE: 4, Shape.CUBE: 4, Shape.HEX: 6}
"""Rotations of a full turn."""

_SAME_BEFORE_AND_AFTER = (
    terms.Constant, terms.Local, terms.Step, terms.Toward, terms.Opposite, terms.Turn, terms.Arithmetic, terms.Origin,
)  # fmt: skip
"""Terms whose value effects on a board do not change, if that holds for their parts."""


def turns_of(space: Space, sink: Sink) -> Variable:
    """The variable for a board of turned tiles. Reports RW128."""
    turns = TURNS.get(space.shape, 1)
    if turns == 1:
        message = f"tiles on a {space.shape.value} have no sides and cannot be turned"
        sink.error("RW128", message, space.span, help="write `of tiles`, or choose a square, hex or cube grid")
    return Variable(turned_name(space.name), types.Cell(space.name), NUMBER, high=turns - 1, is_turn=True, span=space.span)


def turned(board: str, cell: terms.Term, span: Span) -> terms.Term:
    """The rotation count of the tile on a cell."""
    return terms.Read(turned_name(board), (cell,), NUMBER, span=span)


def turned_back(space: Space, cell: terms.Term, direction: terms.Term, span: Span) -> terms.Term:
    """The side of a tile's kind that faces a direction when the tile lies on a cell."""
    if not space.turned:
        return direction
    steps = -2 if space.neighbours == 8 and space.shape is Shape.SQUARE else -1
    back = ((Operator.TIMES, terms.Constant(steps, NUMBER, span=span)),)
    times = terms.Arithmetic(turned(space.name, cell, span), back, NUMBER, span=span)
    return terms.Turn(space.name, direction, times, types.Direction(space.name), span=span)


def report_unturned(symbols: SymbolTable, board: str, span: Span) -> None:
    """Report RW240 for a board whose tiles are not rotated."""
    space = symbols.spaces.get(board)
    if space is not None and space.of_tiles and not space.turned:
        message, help = f"the tiles on `{board}` are not turned", f"declare it as `space {board}: … of turned tiles`"
        symbols.sink.error("RW240", message, span, Label(space.span, "declared here"), help=help)


# Effects --------------------------------------------------------------------------------------------------------------


def laid(put: effects.Transfer, turn: terms.Term | None) -> list[effects.Effect]:
    """Put a tile and set its rotation."""
    board, around = _once("cell", put.target)
    turn, inner = once("turn", turn or _zero(put.span))
    body: list[effects.Effect] = [evolve(put, target=board), _assigned(board, turn)]
    return within(around, within(inner, body))


def lifted(take: effects.Transfer) -> list[effects.Effect]:
    """Take a tile and reset the rotation."""
    board, around = _once("cell", take.source)
    return within(around, [evolve(take, source=board), _assigned(board, _zero(take.span))])


def slid(slide: effects.Transfer) -> list[effects.Effect]:
    """Slide a tile together with its rotation; start and target may be the same cell."""
    start, around = _once("cell", slide.source)
    end, inner = _once("target", slide.target)
    span, turn = slide.span, turned(start.variable, start.index[0], slide.span)
    stays = terms.Compare(Comparison.EQUAL, start.index[0], end.index[0], types.Truth(), span=span)
    left = terms.If(stays, turn, _zero(span), NUMBER, span=span)
    moved = evolve(slide, source=start, target=end)
    return within(around, within(inner, [moved, _assigned(end, turn), _assigned(start, left)]))


def _once(name: str, place: effects.Location) -> tuple[effects.Location, terms.Binder | None]:
    """A cell that is evaluated once, before the effects."""
    cell, around = once(name, place.index[0])
    return evolve(place, index=(cell,)), around


def _assigned(place: effects.Location, turn: terms.Term) -> effects.Assign:
    target = effects.Location(turned_name(place.variable), place.index, span=place.index[0].span)
    return effects.Assign(target, Assignment.SET, turn, span=turn.span)


def _zero(span: Span) -> terms.Term:
    return terms.Constant(0, NUMBER, span=span)


def once(name: str, term: terms.Term) -> tuple[terms.Term, terms.Binder | None]:
    """A term evaluated once, before the effects: a term that they may change is bound to a name that no text can contain."""
    nodes = nodes_of({}, term)
    if all(isinstance(node, _SAME_BEFORE_AND_AFTER) for node in nodes if hasattr(node, "span")):
        return term, None
    only = terms.SetLiteral((term,), types.SetOf(term.type), span=term.span)
    bound = f"{name} before"
    return terms.Local(bound, term.type, span=term.span), terms.Binder(bound, only, None, term.type, span=term.span)


def within(binder: terms.Binder | None, body: list[effects.Effect]) -> list[effects.Effect]:
    """Effects inside the loop that binds a term evaluated once."""
    if binder is None:
        return body
    clauses = tuple(effects.EffectClause("", effect, span=effect.span) for effect in body)
    return [effects.ForEach(binder, clauses, span=binder.span)]
