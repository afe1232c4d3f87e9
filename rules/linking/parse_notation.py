"""Parses the notation of an action, the template of a move as text: `swap {mine} for {theirs} of {other}`."""

from __future__ import annotations

from rulewright.base.diagnostics import Sink, suggest
from rulewright.grammar.tree import modules


def parse_notation(action: modules.Action, sink: Sink) -> tuple[str, ...]:
    """The words of an action's notation, `{parameter}` for a hole; by default its name, then its parameters.

    Reports RW132 when a hole is no parameter or a parameter has no hole.
    """
    parameters = [p.name for p in action.parameters]
    if action.notation is None:
        return (action.name, *("{" + name + "}" for name in parameters))
    words = tuple(action.notation.text.split())
    holes = [word[1:-1] for word in words if word.startswith("{") and word.endswith("}")]
    for hole in holes:
        if hole not in parameters:
            message = f"`{action.name}` has no parameter `{hole}`"
            sink.error("RW132", message, action.notation.span, help=suggest(hole, parameters))
    for name in parameters:
        if name not in holes:
            message = f"the notation says nothing of `{name}`: two actions would be written alike"
            sink.error("RW132", message, action.notation.span, help=f"add `{{{name}}}`")
    return words
