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
    """The best score right after the move; of equals the one that leaves most tiles on the boards, then one that does not
    stop; of those, one by chance."""
    boards = [column.start for column in engine.layout.columns.values() if column.variable.is_board]

    def worth(move: Move, after: State) -> tuple[int, int, bool]:
        laid = sum(len(after[board]) - after[board].count(0) for board in boards)
        return engine.score(after), laid, move != STOP

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        found = [(move, engine.apply(state, move)) for move in moves]
        worths = [worth(move, after) for move, after in found]
        most = max(worths)
        best = [pair for pair, value in zip(found, worths, strict=True) if value == most]
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
