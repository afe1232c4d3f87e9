"""Desugars `once per turn` into a state variable, a requirement, an effect, and a reset at the point."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import Sink
from rulewright.grammar.tree import expressions, modules, statements

from .flow_edits import edit_flow
from .item_edits import EditError
from .rulebook import Rulebook


def write_out_once(book: Rulebook, sink: Sink) -> None:
    """Turn `once per turn` into a state variable, a requirement, an effect and a reset at the point. Reports RW105."""
    for name, action in list(book.actions.items()):
        if not action.once or action.base or book.flow is None:
            continue
        flag, span = f"{name}_done", action.span
        fresh, done = expressions.Not(expressions.Name(flag, span=span), span=span), expressions.TruthLiteral(True, span=span)
        book.state[flag] = modules.StateLine(flag, "", modules.TruthType(span=span), span=span)
        message = f"`{name}` has already been done in this {action.once}"
        book.actions[name] = evolve(
            action,
            requirements=(*action.requirements, modules.Requirement("once", fresh, message, span=span)),
            effects=(*action.effects, modules.Effect(_assign(flag, done), span=span)),
        )
        reset = f"reset_{flag}"
        cleared = _assign(flag, expressions.TruthLiteral(False, span=span))
        book.procedures[reset] = modules.Procedure(reset, (cleared,), span=span)
        try:
            book.flow = edit_flow(book.flow, [modules.Insert(True, action.once, reset, span=span)])
        except EditError as error:
            sink.error("RW105", f"invalid `once per {action.once}` in `{name}`: {error.message}", span, help=error.help)


def _assign(name: str, value: expressions.Expression) -> statements.Labelled:
    target = expressions.Name(name, span=value.span)
    return statements.Labelled(
        "once", statements.Assign(target, statements.Assignment.SET, value, span=value.span), span=value.span
    )
