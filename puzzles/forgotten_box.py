"""Tells of a box that a puzzle leaves empty without saying so, though play takes tiles from it."""

from __future__ import annotations

from rulewright.base.diagnostics import Diagnostic, Label
from rulewright.rules.model.game import BOX
from rulewright.rules.static.dataflow import DataflowAnalysis, tile_moves

from .position import Position


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
