"""The point of the flow at which a position starts, as text: `turn of 1`; the engine names choices."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.diagnostics import Sink, did_you_mean
from rulewright.grammar.tree import puzzles
from rulewright.rules.model import types
from rulewright.rules.model.state import OVER
from rulewright.rules.model.terms import Read
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.flow_graph import ChoicePoint


def turn_variable(engine: Engine, choice: ChoicePoint | None) -> str | None:
    """The variable that holds the player to move at a choice (or once the game is over); None if it is not a single
    variable."""
    if choice is None:
        return next((v.name for v in engine.game.variables.values() if v.is_loop and v.type == types.Player()), None)
    match choice.by:
        case Read(variable, ()):
            return variable
        case _:
            return None


def read_start(engine: Engine, start: puzzles.Start, sink: Sink) -> int | None:
    """The number of the choice; None if an error was reported (RW325)."""
    names = engine.choice_numbers
    if start.point in names:
        return names[start.point]
    points = [point for choice in engine.choices for point in choice.points]
    help = did_you_mean(start.point, list(names)) or (f"points of the flow: {', '.join(points)}" if points else "")
    sink.error("RW325", f"the flow has no point `{start.point}` with a choice", start.span, help=help)
    return None


def write_start(engine: Engine, point: int, values: Mapping[tuple[str, int | None], object]) -> puzzles.Start:
    """The start that denotes that choice and player."""
    variable = turn_variable(engine, None if point == OVER else engine.choices[point])
    player = values[variable, None] if variable is not None else 1
    return puzzles.Start(engine.choice_name(point), player if isinstance(player, int) else 1)
