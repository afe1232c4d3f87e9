"""How simulated players choose. A policy is a function of the state and of chance, and knows no game."""

from __future__ import annotations

from collections.abc import Callable

from ..rules.chance import mix, next_seed
from ..rules.compile import STOP
from ..rules.engine import Engine, Move, State

Policy = Callable[[State, list[Move], int], tuple[Move, State]]
"""From a state, its legal moves (at least one) and a seed: the chosen move and the state after it."""


def random_policy(engine: Engine) -> Policy:
    """Every legal move with the same chance."""

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        move = moves[mix(seed) % len(moves)]
        return move, engine.apply(state, move)

    return choose


def greedy_policy(engine: Engine) -> Policy:
    """The best score right after the move; of equals one that does not stop; of those, one by chance."""

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        best: list[tuple[Move, State]] = []
        most: tuple[int, bool] | None = None
        for move in moves:
            after = engine.apply(state, move)
            value = engine.score(after), move != STOP
            if most is None or value > most:
                most, best = value, []
            if value == most:
                best.append((move, after))
        return best[mix(seed) % len(best)]

    return choose


POLICIES: dict[str, Callable[[Engine], Policy]] = {"random": random_policy, "greedy": greedy_policy}


def seeds(seed: int) -> Callable[[], int]:
    """A stream of seeds that depends on nothing but the first."""
    state = mix(seed)

    def following() -> int:
        nonlocal state
        state = next_seed(state)
        return state

    return following
