"""What `check` warns of in a position, though it is as the rules allow."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.diagnostics import Diagnostic, Label
from rulewright.rules.static.nowhere_distances import asked_distances

from .forgotten_box import forgotten_box
from .position import Position


def warnings_of(position: Position) -> tuple[Diagnostic, ...]:
    """RW339 (a forgotten box) and RW271 (a question for a distance to nowhere)."""
    return (*forgotten_box(position), *_distances(position))


def _distances(position: Position) -> Iterator[Diagnostic]:
    question = position.question
    if question is None:
        return
    for span in asked_distances(position.asked, position.root, question.values):
        message = "the distance to nowhere is -1, which is the value asked for here"
        help = "ask for a definition that says how far it is where there is no way"
        yield Diagnostic("RW271", message, (Label(question.span), Label(span, "the distance")), help, warning=True)
