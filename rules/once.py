"""`once per turn` written out: a state variable, a requirement, an effect, and a reset at the point."""

from __future__ import annotations

from attrs import evolve

from ..grammar import expressions as ex
from ..grammar import modules as tree
from ..grammar import statements as st
from ..grammar.diagnostics import Sink
from .edit_flow import edit_flow
from .edits import EditError
from .rulebook import Rulebook


def write_out_once(book: Rulebook, sink: Sink) -> None:
    """`once per turn` becomes a state variable, a requirement, an effect and a reset at the point. Reports RW105."""
    for name, action in list(book.actions.items()):
        if not action.once or book.flow is None:
            continue
        flag, span = f"{name}_done", action.span
        fresh, done = ex.Not(ex.Name(flag, span=span), span=span), ex.TruthLiteral(True, span=span)
        book.state[flag] = tree.StateLine(flag, "", tree.TruthType(span=span), span=span)
        message = f"`{name}` was done in this {action.once} already"
        book.actions[name] = evolve(
            action,
            requirements=(*action.requirements, tree.Requirement("once", fresh, message, span=span)),
            effects=(*action.effects, tree.Effect(_assign(flag, done), span=span)),
        )
        reset = f"reset_{flag}"
        cleared = _assign(flag, ex.TruthLiteral(False, span=span))
        book.procedures[reset] = tree.Procedure(reset, (cleared,), span=span)
        try:
            book.flow = edit_flow(book.flow, [tree.Insert(True, action.once, reset, span=span)])
        except EditError as error:
            sink.error("RW105", f"`{name}` is once per `{action.once}`: {error.message}", span, help=error.help)


def _assign(name: str, value: ex.Expression) -> st.Labelled:
    target = ex.Name(name, span=value.span)
    return st.Labelled("once", st.Assign(target, st.Assignment.SET, value, span=value.span), span=value.span)
