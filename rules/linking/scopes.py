"""Scopes of state: at the end of its scope, a point of the flow, a variable gets back the value with which it begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulewright.base.diagnostics import Sink, suggest
from rulewright.grammar.tree import statements
from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.merging.flow_edits import statements_of
from rulewright.rules.model import effects, game, terms, types
from rulewright.rules.model.traversal import variables_in

from .forms.sets import everything
from .functions.call import TRUTH


def check_scopes(body: tuple[statements.FlowStatement, ...], variables: Iterable[game.Variable], sink: Sink) -> None:
    """Report RW119 for a scope that is no point of the flow, and for a zone with a scope."""
    points = {node.name for node in statements_of(body) if isinstance(node, statements.Point)}
    for variable in variables:
        if variable.scope and variable.scope not in points:
            help = suggest(variable.scope, points, "name a point of the flow, or a phase")
            sink.error("RW119", f"the flow has no `{variable.scope}`", variable.span, help=help)
        if variable.scope and variable.storage is not game.Storage.VALUE:
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
        place = (terms.Paired(own[0], own[1], index, span=span),)
    first = _beginning(variable)
    effect: effects.Effect = effects.Assign(effects.Location(variable.name, place, span=span), Assignment.SET, first, span=span)
    for local in reversed(own):
        where = None
        if local is own[-1] and isinstance(local.type, types.Cell):  # most cells have the initial value already
            here = terms.Read(variable.name, place, variable.type, span=span)
            is_plain = variable.type == TRUTH and first == terms.Constant(0, TRUTH)
            where = here if is_plain else terms.Compare(Comparison.UNEQUAL, here, first, TRUTH, span=span)
        body = (effects.EffectClause(name, effect, variable.module, span=span),)
        binder = terms.Binder(local.name, everything(local.type, span), where, local.type, span=span)
        effect = effects.ForEach(binder, body, span=span)
    return effects.EffectClause(name, effect, variable.module, span=span)


def _beginning(variable: game.Variable) -> terms.Term:
    """The value with which a variable begins."""
    if variable.initial is not None:
        return variable.initial
    if isinstance(variable.type, types.Cell):
        return terms.Absent(variable.type, span=variable.span)
    return terms.Constant(variable.low, variable.type, span=variable.span)
