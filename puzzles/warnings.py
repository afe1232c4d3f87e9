"""What `check` warns of in a position, though it is as the rules allow."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.diagnostics import Diagnostic, Label
from rulewright.rules.model.game import BOX
from rulewright.rules.static.dataflow import DataflowAnalysis, tile_moves
from rulewright.rules.static.nowhere_distances import asked_distances

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


def forgotten_box(position: Position) -> tuple[Diagnostic, ...]:
    """A warning RW339: the puzzle draws a board, so that zones it does not name are empty, and the box is one of them."""
    puzzle, column = position.puzzle, position.engine.layout.columns.get(BOX)
    is_named = any(setting.name == BOX for setting in puzzle.settings)
    if not puzzle.drawings or is_named or column is None or position.state[column.start]:
        return ()
    clauses = DataflowAnalysis(position.asked, (), position.root).clauses
    if all(source != BOX for source, _ in tile_moves(clauses)):
        return ()
    help = "write `box: rest` for what the position does not use, or `box: none`"
    label = Label(puzzle.drawings[0].span, "every zone that a puzzle with a drawing does not name is empty")
    return (Diagnostic("RW339", "play takes tiles from the box, and the box is empty", (label,), help, warning=True),)
