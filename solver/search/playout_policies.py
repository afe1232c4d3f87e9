"""How simulated players choose. A policy is a function of the state and of chance, and knows no game.

All but `random` go by what a state is worth: its score, then how many tiles lie on the boards. They know what is to come, also
what lies face down. `solver/native/kernels/playouts.py` says the same for machine code: one seed, one game.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum

from rulewright.base.records import frozen
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.rng import mix, next_seed
from rulewright.solver.budget import bytes_of

Choose = Callable[[State, list[Move], int], tuple[Move, State]]
"""From a state, its legal moves (at least one) and a seed: the chosen move and the state after it."""

PLIES = 8
"""So many moves a beam looks ahead."""

LAID_BITS = 24

TRIMMED = 2
"""A ply of a beam has at most so many times as many states as are kept of it."""

MOST = 1000
"""The widest beam, and the farthest search."""


class Kind(IntEnum):
    """In what way a policy looks ahead."""

    RANDOM = 0
    SEARCH = 1
    BEAM = 2


@frozen
class Policy:
    """`number` is how many moves a search looks ahead, how many states a beam keeps of each ply."""

    kind: Kind
    number: int = 0

    @property
    def name(self) -> str:
        if self.kind is Kind.RANDOM:
            return "random"
        return "greedy" if self == GREEDY else f"{self.kind.name.lower()}({self.number})"


RANDOM, GREEDY = Policy(Kind.RANDOM), Policy(Kind.SEARCH, 1)


def policy_named(name: str) -> Policy | None:
    """`random`, `greedy`, `search(2)`, `beam(20)`; None for anything else."""
    if name in ("random", "greedy"):
        return RANDOM if name == "random" else GREEDY
    match = re.fullmatch(r"(search|beam)\(([1-9][0-9]{0,3})\)", name)
    if match is None or int(match[2]) > MOST:
        return None
    return Policy(Kind[match[1].upper()], int(match[2]))


def choosing(policy: Policy, engine: Engine) -> Choose:
    """The policy at work."""
    match policy.kind:
        case Kind.RANDOM:
            return _random(engine)
        case Kind.SEARCH:
            return _marking(engine, _searching(engine, policy.number))
        case Kind.BEAM:
            return _marking(engine, _beaming(engine, policy.number))


def room_of(policy: Policy, state: State) -> int:
    """About how many bytes it takes at most to choose in a game with such states: those that are kept at the same time."""
    match policy.kind:
        case Kind.RANDOM:
            kept = 1
        case Kind.SEARCH:
            kept = 2 * policy.number
        case Kind.BEAM:
            kept = (TRIMMED + 1) * policy.number
    return kept * bytes_of(state)


_Mark = Callable[[State, list[Move]], list[int]]
"""The numbers of the moves that are as good as any."""


def _random(engine: Engine) -> Choose:
    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        move = moves[mix(seed) % len(moves)]
        return move, engine.apply(state, move)

    return choose


def _marking(engine: Engine, mark: _Mark) -> Choose:
    """One of the best by chance."""

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        marked = mark(state, moves)
        move = moves[marked[mix(seed) % len(marked)]]
        return move, engine.apply(state, move)

    return choose


def _worth(engine: Engine) -> Callable[[State], int]:
    boards = [column.start for column in engine.layout.columns.values() if column.variable.is_board]

    def worth(state: State) -> int:
        laid: int = sum(len(state[board]) - state[board].count(0) for board in boards)
        return (engine.score(state) << LAID_BITS) + laid

    return worth


def _searching(engine: Engine, plies: int) -> _Mark:
    """The best that can be had so many moves on; of equals one that does not stop."""
    worth = _worth(engine)

    def hope(state: State, left: int) -> int:
        moves = [] if left == 0 or engine.over(state) else engine.legal(state)
        return max(hope(engine.apply(state, move), left - 1) for move in moves) if moves else worth(state)

    def mark(state: State, moves: list[Move]) -> list[int]:
        hopes = [(hope(engine.apply(state, move), plies - 1), move != STOP) for move in moves]
        best = max(hopes)
        return [number for number, found in enumerate(hopes) if found == best]

    return mark


def _beaming(engine: Engine, width: int) -> _Mark:
    """The moves on the way to the best of the ends, and of the states PLIES moves on, so many kept of each ply."""
    worth = _worth(engine)

    def mark(state: State, moves: list[Move]) -> list[int]:
        best: dict[int, set[int]] = {}

        def note(found: int, first: int) -> None:
            best.setdefault(found, set()).add(first)

        def best_of(children: dict[State, _Child]) -> list[_Child]:
            return sorted(children.values(), key=_first, reverse=True)[:width]

        layer: list[_Child] = [(0, state, -1)]
        for ply in range(PLIES):
            children: dict[State, _Child] = {}
            for found, here, first in layer:
                options = engine.legal(here) if ply else moves
                if not options:
                    note(found, first)
                for number, move in enumerate(options):
                    child = engine.apply(here, move)
                    begun = first if ply else number
                    if engine.over(child):
                        note(worth(child), begun)
                    elif child not in children:
                        children[child] = worth(child), child, begun
                        if len(children) == TRIMMED * width:
                            children = {kept[1]: kept for kept in best_of(children)}
            layer = best_of(children)
        for found, _, first in layer:
            note(found, first)
        return sorted(best[max(best)])

    return mark


_Child = tuple[int, State, int]
"""What it is worth, the state, and the first move on the way there."""


def _first(child: _Child) -> int:
    return child[0]


def seeds(seed: int) -> Callable[[], int]:
    """A stream of seeds that depends on nothing but the first."""
    state = mix(seed)

    def following() -> int:
        nonlocal state
        state = next_seed(state)
        return state

    return following
