"""Where a position stands in the flow: `turn of 1`, and back.

A choice is named by the innermost point that it is in: `turn` is the first choice in that point, `turn_2` the second.
A choice in no point is `choice_1`, `choice_2`, … in the order of the flow; a game that is over is at `over`. A point
of the game that has such a name itself goes first.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..grammar import scenarios as p
from ..grammar.diagnostics import Sink, nearest
from ..rules import types
from ..rules.engine import Engine
from ..rules.flowgraph import Choice
from ..rules.layout import OVER
from ..rules.terms import Read

OVER_WORD = "over"
ANYWHERE = "choice"


def starting_points(engine: Engine) -> dict[str, int]:
    """The number of the choice (`OVER` for none) that each name of a start means."""
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


def chooser(engine: Engine, choice: Choice | None) -> str | None:
    """The variable that says whose turn it is at a choice (or in a game that is over), when it is one."""
    if choice is None:
        return next((v.name for v in engine.game.variables.values() if v.is_loop and v.type == types.Player()), None)
    match choice.by:
        case Read(variable, ()):
            return variable
        case _:
            return None


def read_start(engine: Engine, start: p.Start, sink: Sink) -> int | None:
    """The number of the choice; None when an error was reported (RW325)."""
    names = starting_points(engine)
    if start.point in names:
        return names[start.point]
    points = [point for choice in engine.choices for point in choice.points]
    help = nearest(start.point, list(names)) or (f"points of the flow: {', '.join(points)}" if points else "")
    sink.error("RW325", f"the flow has no point `{start.point}` with a choice in it", start.span, help=help)
    return None


def write_start(engine: Engine, point: int, values: Mapping[tuple[str, int | None], object]) -> p.Start:
    """The start that reads as that choice and player."""
    choice = None if point == OVER else engine.choices[point]
    names = starting_points(engine)
    inner = choice.points[-1:] if choice is not None else ()
    preferred = [name for name in (*inner, *names) if names[name] == point]
    best = min(preferred, key=lambda name: _rank(name, inner))
    variable = chooser(engine, choice)
    player = values[variable, None] if variable is not None else 1
    return p.Start(best, player if isinstance(player, int) else 1)


def _rank(name: str, inner: tuple[str, ...]) -> tuple[bool, bool]:
    """The innermost point goes before its numbered form, that before any other name."""
    return name not in inner, not any(name.startswith(f"{point}_") for point in inner)
