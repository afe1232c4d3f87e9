"""The turns of a game, for searches that look for plans turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.rules.model.moves import Horizon, Move
from rulewright.rules.model.state import COUNTED, OVER, POINT
from rulewright.rules.play.engine import Engine, State

from .problem import Problem

FEW_COMING, MANY_COMING = 14, 34
"""With so few tiles to come an exact search ends as a rule; with so many no bound comes down in minutes."""

MANY_TURNS = 20
"""A question about fewer turns is not a long one, however many tiles are to come."""

FOREVER = 10**9


def plans_share(problem: Problem) -> float:
    """The share of the time to spend on better plans before an exact search: the more, the more tiles are to come.

    With 1.0 no exact search is worth while.
    """
    horizon = problem.engine.horizon
    if (horizon is not None and horizon.times <= MANY_TURNS) or problem.board_sums is None:
        return 0.0
    coming = tiles_coming(problem, problem.root)
    return min(max(0.0, (coming - FEW_COMING) / (MANY_COMING - FEW_COMING)), 1.0) ** 2


def tiles_coming(problem: Problem, state: State) -> int:
    """How many tiles are still to be laid in a state, or thrown away."""
    return sum(len(state[at]) for at in problem.reachable.supplies)


def turns_of(problem: Problem, plan: Sequence[Move]) -> list[tuple[int, State]]:
    """Where each turn of a plan begins, and the state there."""
    state = problem.root
    found = [(0, state)]
    for place, move in enumerate(plan, 1):
        turn = state[COUNTED]
        state = problem.engine.apply(state, move)
        if state[POINT] != OVER and state[COUNTED] != turn:
            found.append((place, state))
    return found


def counting_turns(engine: Engine, state: State) -> Engine:
    """The same game with its turns counted in the state: those of the horizon, else of the innermost point."""
    choice = engine.choice(state)
    if engine.horizon is not None or choice is None or not choice.points:
        return engine
    return engine.with_horizon(Horizon(choice.points[-1], FOREVER))
