"""How simulated players choose. A policy is a function of the state and of chance, and knows no game.

All but `random` go by what a state is worth: its score, then how many tiles lie on the boards. They know what is to come, also
what lies face down. `solver/native/kernels/playouts.py` does the same in machine code: one seed, one game.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from operator import itemgetter

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
"""Bits of what a state is worth for the tiles laid, below those for its value."""

TRIMMED = 2
"""A ply of a beam has at most so many times as many states as are kept of it."""

MOST = 1000
"""The widest beam, and the farthest search."""


class Kind(IntEnum):
    """How a policy looks ahead: not at all, depth first to a limit, or in breadth by a beam (Lowerre 1976)."""

    RANDOM = 0
    SEARCH = 1
    BEAM = 2


@frozen
class Policy:
    """`number` is the depth of a search in moves, or the width of a beam: how many states it keeps of each ply."""

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
    """The policy at work: one of the moves that it takes for the best, by chance."""
    match policy.kind:
        case Kind.RANDOM:
            mark: _Mark = _all_moves
        case Kind.SEARCH:
            mark = _marking_by_search(engine, policy.number)
        case Kind.BEAM:
            mark = _marking_by_beam(engine, policy.number)

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        marked = mark(state, moves)
        move = moves[marked[mix(seed) % len(marked)]]
        return move, engine.apply(state, move)

    return choose


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


_Mark = Callable[[State, list[Move]], Sequence[int]]
"""The numbers of the moves that are as good as any."""


def _all_moves(state: State, moves: list[Move]) -> Sequence[int]:
    return range(len(moves))


def _worth(engine: Engine) -> Callable[[State], int]:
    boards = [column.start for column in engine.layout.columns.values() if column.variable.is_board]

    def worth(state: State) -> int:
        laid: int = sum(len(state[board]) - state[board].count(0) for board in boards)
        return (engine.score(state) << LAID_BITS) + laid

    return worth


def _marking_by_search(engine: Engine, plies: int) -> _Mark:
    """The best that can be reached so many moves on; of equals one that does not stop."""
    worth = _worth(engine)

    def greatest_worth(state: State, left: int) -> int:
        moves = [] if left == 0 or engine.over(state) else engine.legal(state)
        return max(greatest_worth(engine.apply(state, move), left - 1) for move in moves) if moves else worth(state)

    def mark(state: State, moves: list[Move]) -> list[int]:
        reached = [(greatest_worth(engine.apply(state, move), plies - 1), move != STOP) for move in moves]
        best = max(reached)
        return [number for number, found in enumerate(reached) if found == best]

    return mark


_Child = tuple[int, State, int]
"""What it is worth, the state, and the first move on the way there."""


def _marking_by_beam(engine: Engine, width: int) -> _Mark:
    """The moves on the way to the best of the ends, and of the states PLIES moves on, so many kept of each ply."""
    worth = _worth(engine)

    def best_of(children: dict[State, _Child]) -> list[_Child]:
        return sorted(children.values(), key=itemgetter(0), reverse=True)[:width]

    def mark(state: State, moves: list[Move]) -> list[int]:
        first_moves: dict[int, set[int]] = defaultdict(set)
        layer: list[_Child] = [(0, state, -1)]
        for ply in range(PLIES):
            children: dict[State, _Child] = {}
            for found, here, first in layer:
                options = engine.legal(here) if ply else moves
                if not options:
                    first_moves[found].add(first)
                for number, move in enumerate(options):
                    child = engine.apply(here, move)
                    begun = first if ply else number
                    if engine.over(child):
                        first_moves[worth(child)].add(begun)
                    elif child not in children:
                        children[child] = worth(child), child, begun
                        if len(children) == TRIMMED * width:
                            children = {kept[1]: kept for kept in best_of(children)}
            layer = best_of(children)
        for found, _, first in layer:
            first_moves[found].add(first)
        return sorted(first_moves[max(first_moves)])

    return mark


def seeds(seed: int) -> Iterator[int]:
    """A stream of seeds that depends on nothing but the first."""
    state = mix(seed)
    while True:
        state = next_seed(state)
        yield state
