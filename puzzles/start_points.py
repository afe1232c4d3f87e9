"""The point of the flow at which a position starts, as text: `turn of 1`.

A choice is named by the innermost point around it: `turn` is the first choice in that point, `turn_2` the second. A choice in
no point is `choice_1`, `choice_2`, … in the order of the flow; `over` is the end of the game. A point of the game with such a
name takes precedence.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.diagnostics import Sink, did_you_mean
from rulewright.grammar.tree import puzzles
from rulewright.rules.model import types
from rulewright.rules.model.state import OVER
from rulewright.rules.model.terms import Read
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.flow_graph import ChoicePoint

OVER_WORD = "over"
ANYWHERE = "choice"
"""The name of choices outside any point."""


def starting_points(engine: Engine) -> dict[str, int]:
    """The number of the choice denoted by each name of a starting point (`OVER`: the game is over)."""
    numbered: dict[str, int] = {OVER_WORD: OVER}
    counts: dict[str, int] = {}
    firsts: dict[str, int] = {}
    for choice in engine.choices:
        for point in (ANYWHERE, *choice.points):
            counts[point] = counts.get(point, 0) + 1
            numbered[f"{point}_{counts[point]}"] = choice.number
        for point in choice.points:
            firsts.setdefault(point, choice.number)
    return numbered | firsts


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
    names = starting_points(engine)
    if start.point in names:
        return names[start.point]
    points = [point for choice in engine.choices for point in choice.points]
    help = did_you_mean(start.point, list(names)) or (f"points of the flow: {', '.join(points)}" if points else "")
    sink.error("RW325", f"the flow has no point `{start.point}` with a choice in it", start.span, help=help)
    return None


def write_start(engine: Engine, point: int, values: Mapping[tuple[str, int | None], object]) -> puzzles.Start:
    """The start that denotes that choice and player."""
    choice = None if point == OVER else engine.choices[point]
    names = starting_points(engine)
    inner = choice.points[-1:] if choice is not None else ()
    preferred = [name for name in (*inner, *names) if names[name] == point]
    best = min(preferred, key=lambda name: _rank(name, inner))
    variable = turn_variable(engine, choice)
    player = values[variable, None] if variable is not None else 1
    return puzzles.Start(best, player if isinstance(player, int) else 1)


def _rank(name: str, inner: tuple[str, ...]) -> tuple[bool, bool]:
    """Prefer the innermost point, then its numbered form, then any other name."""
    return name not in inner, not any(name.startswith(f"{point}_") for point in inner)
