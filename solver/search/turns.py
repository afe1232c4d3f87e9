"""The turns of a game, for turn-by-turn searches."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.rules.model.moves import FOREVER, Horizon, Move
from rulewright.rules.model.state import COUNTED, OVER, POINT
from rulewright.rules.play.engine import Engine, State

from .problem import Problem

FEW_COMING, MANY_COMING = 14, 34
"""Tiles to come. Measured: with 14, exact search usually ends; with 34, no bound becomes tight within minutes."""

MANY_TURNS = 20
"""Horizons of at most this many turns are left to exact search, however many tiles are to come."""


def plans_share(problem: Problem) -> float:
    """The share of the time for the plan search that precedes exact search; it grows with the number of tiles to come.

    At 1.0 there is no exact search.
    """
    horizon = problem.engine.horizon
    if (horizon is not None and horizon.times <= MANY_TURNS) or problem.board_sums is None:
        return 0.0
    coming = tiles_coming(problem, problem.root)
    return min(max(0.0, (coming - FEW_COMING) / (MANY_COMING - FEW_COMING)), 1.0) ** 2


def tiles_coming(problem: Problem, state: State) -> int:
    """The number of tiles in the supplies of a state."""
    return sum(len(state[at]) for at in problem.reachable.supplies)


def turns_of(problem: Problem, plan: Sequence[Move]) -> list[tuple[int, State]]:
    """The index in a plan at which each turn begins, and the state there."""
    state = problem.root
    found = [(0, state)]
    for place, move in enumerate(plan, 1):
        turn = state[COUNTED]
        state = problem.engine.apply(state, move)
        if state[POINT] != OVER and state[COUNTED] != turn:
            found.append((place, state))
    return found


def counting_turns(engine: Engine, state: State) -> Engine:
    """The game with a turn counter in its state: for the horizon's point, else the innermost point."""
    choice = engine.choice(state)
    if engine.horizon is not None or choice is None or not choice.points:
        return engine
    return engine.with_horizon(Horizon(choice.points[-1], FOREVER))
