"""Scopes of state: at the end of its scope, a point of the flow, a variable gets back the value with which it begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.tree import statements
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.grammar.tree.modules import Shape, Space
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.linking.forms.sets import everything, only
from rulewright.rules.linking.functions.call import TRUTH
from rulewright.rules.merging.flow_edits import statements_of
from rulewright.rules.model import effects, game, terms, types
from rulewright.rules.model.game import Variable, turned_name
from rulewright.rules.model.traversal import nodes_of, variables_in
from rulewright.rules.spaces.pattern import TURNS
from rulewright.rules.spaces.window import Function

from .symbol_table import SymbolTable

# Rotated tiles --------------------------------------------------------------------------------------------------------
# A variable over the cells of a board counts the clockwise rotations of each tile; 0 where there is none.
#
# `put`, `take` and `slide` maintain it. A side of a cell shows the side of the tile found by rotating back.


NUMBER = types.Number()

_SAME_BEFORE_AND_AFTER = (
    terms.Constant, terms.Local, terms.Lookup, terms.Apply, terms.Arithmetic, terms.Origin,
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
    return terms.Read(turned_name(board), (cell,), type=NUMBER, span=span)


def turned_back(space: Space, cell: terms.Term, direction: terms.Term, span: Span) -> terms.Term:
    """The side of a tile's kind that faces a direction when the tile lies on a cell."""
    if not space.turned:
        return direction
    steps = -2 if space.neighbours == 8 and space.shape is Shape.SQUARE else -1
    back = ((Operator.TIMES, terms.Constant(steps, type=NUMBER, span=span)),)
    times = terms.Arithmetic(turned(space.name, cell, span), back, span=span)
    return terms.Apply(Function.TURN, space.name, (direction, times), type=types.Direction(space.name), span=span)


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
    stays = terms.Compare(Comparison.EQUAL, start.index[0], end.index[0], span=span)
    left = terms.If(stays, turn, _zero(span), type=NUMBER, span=span)
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
    return terms.Constant(0, type=NUMBER, span=span)


def once(name: str, term: terms.Term) -> tuple[terms.Term, terms.Binder | None]:
    """A term evaluated once, before the effects: a term that they may change is bound to a name that no text can contain."""
    nodes = nodes_of({}, term)
    if all(isinstance(node, _SAME_BEFORE_AND_AFTER) for node in nodes if hasattr(node, "span")):
        return term, None
    around = only(f"{name} before", term, term.span)
    return terms.Local(around.name, term.type, span=term.span), around


def within(binder: terms.Binder | None, body: list[effects.Effect]) -> list[effects.Effect]:
    """Effects inside the loop that binds a term evaluated once."""
    if binder is None:
        return body
    clauses = tuple(effects.EffectClause("", effect, span=effect.span) for effect in body)
    return [effects.ForEach(binder, clauses, span=binder.span)]


# Scopes of state ------------------------------------------------------------------------------------------------------


def check_scopes(body: tuple[statements.FlowStatement, ...], variables: Iterable[game.Variable], sink: Sink) -> None:
    """Report RW119 for a scope that is no point of the flow, and for a zone with a scope."""
    points = {node.name for node in statements_of(body) if isinstance(node, statements.Point)}
    for variable in variables:
        if variable.scope and variable.scope not in points:
            help = suggest(variable.scope, points, "name a point of the flow, or a phase")
            sink.error("RW119", f"the flow has no `{variable.scope}`", variable.span, help=help)
        if variable.scope and variable.is_zone:
            message = f"`{variable.name}` holds tiles, which stay where they are"
            sink.error("RW119", message, variable.span, help="leave out `for this …`, and move the tiles in a procedure")


def check_beginnings(found: game.Game, sink: Sink) -> None:
    """Report RW119 for a variable with a scope whose initial value depends on the state."""
    for variable in found.variables.values():
        if variable.scope and variable.initial is not None and variables_in(found.definitions, variable.initial):
            help = "begin with a value that does not change, or set it in a procedure"
            message = f"the value with which `{variable.name}` begins depends on the state"
            sink.error("RW119", message, variable.initial.span, help=help)


def end_of(scope: str) -> str:
    """The name of the procedure that runs at the end of a point that is a scope; no text can contain it."""
    return f"end of {scope}"


def left_by_stop(body: Iterable[statements.FlowStatement]) -> dict[str, None]:
    """The points inside the body of a `repeat` that a choice leaves with it, before their ends."""
    found: dict[str, None] = {}
    for node in body:
        match node:
            case statements.Point(name, inner):
                found |= dict.fromkeys((name,) if _has_choice(inner) else ()) | left_by_stop(inner)
            case statements.Each(body=inner):
                found |= left_by_stop(inner)
            case statements.Branch(_, inner, otherwise):
                found |= left_by_stop((*inner, *otherwise))
            case statements.Repeat() | statements.Run() | statements.Choose():
                pass
            case _:
                assert_never(node)
    return found


def _has_choice(body: Iterable[statements.FlowStatement]) -> bool:
    """Whether a choice in a body leaves the `repeat` around it."""
    return any(
        isinstance(node, statements.Choose)
        or (isinstance(node, statements.Point | statements.Each) and _has_choice(node.body))
        or (isinstance(node, statements.Branch) and _has_choice((*node.body, *node.otherwise)))
        for node in body
    )


def resets(variables: Iterable[game.Variable]) -> dict[str, tuple[effects.EffectClause, ...]]:
    """The procedures that run at the ends of scopes, by name."""
    found: dict[str, tuple[effects.EffectClause, ...]] = {}
    for variable in variables:
        if variable.scope:
            name = end_of(variable.scope)
            found[name] = (*found.get(name, ()), _reset(variable, name))
    return found


def _reset(variable: game.Variable, name: str) -> effects.EffectClause:
    """The effect that gives every value of a variable its initial value."""
    span, index = variable.span, variable.index
    kinds = () if index is None else (index.first, index.second) if isinstance(index, types.Pair) else (index,)
    own = [terms.Local(f"{name} {number}", kind, span=span) for number, kind in enumerate(kinds)]
    place: tuple[terms.Term, ...] = tuple(own)
    if isinstance(index, types.Pair):
        place = (terms.Paired(own[0], own[1], type=index, span=span),)
    first = _beginning(variable)
    effect: effects.Effect = effects.Assign(effects.Location(variable.name, place, span=span), Assignment.SET, first, span=span)
    for local in reversed(own):
        where = None
        if local is own[-1] and isinstance(local.type, types.Cell):  # most cells have the initial value already
            here = terms.Read(variable.name, place, type=variable.type, span=span)
            is_plain = variable.type == TRUTH and first == terms.Constant(0, type=TRUTH)
            where = here if is_plain else terms.Compare(Comparison.UNEQUAL, here, first, span=span)
        body = (effects.EffectClause(name, effect, module=variable.module, span=span),)
        binder = terms.Binder(local.name, everything(local.type, span), where, local.type, span=span)
        effect = effects.ForEach(binder, body, span=span)
    return effects.EffectClause(name, effect, module=variable.module, span=span)


def _beginning(variable: game.Variable) -> terms.Term:
    """The value with which a variable begins."""
    if variable.initial is not None:
        return variable.initial
    if isinstance(variable.type, types.Cell):
        return terms.Absent(type=variable.type, span=variable.span)
    return terms.Constant(variable.low, type=variable.type, span=variable.span)
