"""How simulated players choose. A policy is a function of the state and of chance, and knows no game.

All but `random` go by what a state is worth to a player: what the player plays for (`rules/play/standings.py`), or else the
score of the game; then how many tiles lie on the boards. They know what is to come, also what lies face down.
`solver/native/kernels/playouts.py` does the same in machine code: one seed, one game.
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
from rulewright.rules.play.standings import player_terms
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
    """How a policy looks ahead: not at all, depth first to a limit, where everybody is taken to play for themselves (max^n,
    Luckhardt and Irani 1986) or all others against the one who looks (paranoid, Sturtevant and Korf 2000), or in breadth by a
    beam (Lowerre 1976), where the others are taken to help."""

    RANDOM = 0
    SEARCH = 1
    BEAM = 2
    PARANOID = 3


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


@frozen
class Seats:
    """Who plays by which policy: `policy`, but for the players who have one of their own."""

    policy: Policy
    own: tuple[tuple[int, Policy], ...] = ()

    def of(self, player: int) -> Policy:
        """The policy of a player."""
        return dict(self.own).get(player, self.policy)

    def all(self, players: int) -> tuple[Policy, ...]:
        """The policies of so many players, in order."""
        return tuple(self.of(player) for player in range(1, players + 1))

    @property
    def name(self) -> str:
        """`greedy`, or `greedy, 2=random`."""
        return ", ".join([self.policy.name, *(f"{player}={policy.name}" for player, policy in self.own)])


def policy_named(name: str) -> Policy | None:
    """`random`, `greedy`, `search(2)`, `paranoid(2)`, `beam(20)`; None for anything else."""
    if name in ("random", "greedy"):
        return RANDOM if name == "random" else GREEDY
    match = re.fullmatch(r"(search|paranoid|beam)\(([1-9][0-9]{0,3})\)", name)
    if match is None or int(match[2]) > MOST:
        return None
    return Policy(Kind[match[1].upper()], int(match[2]))


def choosing(policy: Policy, engine: Engine) -> Choose:
    """The policy at work: one of the moves that it takes for the best, by chance."""
    match policy.kind:
        case Kind.RANDOM:
            mark: _Mark = _all_moves
        case Kind.SEARCH | Kind.PARANOID:
            mark = _marking_by_search(engine, policy)
        case Kind.BEAM:
            mark = _marking_by_beam(engine, policy.number)

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        marked = mark(state, moves)
        move = moves[marked[mix(seed) % len(marked)]]
        return move, engine.apply(state, move)

    return choose


def choosing_by_seat(seats: Seats, engine: Engine) -> Choose:
    """The policy of whoever is to move at work."""
    policies = seats.all(engine.instance.players)
    by_policy = {policy: choosing(policy, engine) for policy in set(policies)}
    if len(by_policy) == 1:
        return by_policy[policies[0]]

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        return by_policy[policies[engine.chooser(state) - 1]](state, moves, seed)

    return choose


def room_of(policies: Sequence[Policy], state: State) -> int:
    """About how many bytes they take at most to choose in a game with such states: those that are kept at the same time."""
    return max(map(_kept, policies)) * bytes_of(state)


def _kept(policy: Policy) -> int:
    match policy.kind:
        case Kind.RANDOM:
            return 1
        case Kind.SEARCH | Kind.PARANOID:
            return 2 * policy.number
        case Kind.BEAM:
            return (TRIMMED + 1) * policy.number


_Mark = Callable[[State, list[Move]], Sequence[int]]
"""The numbers of the moves that are as good as any."""


def _all_moves(state: State, moves: list[Move]) -> Sequence[int]:
    return range(len(moves))


@frozen
class _Worth:
    """What a state is worth to each player who has an aim, else to all: a row of one number."""

    aims: tuple[Callable[[State], int], ...]
    boards: tuple[int, ...]
    chooser: Callable[[State], int]

    @classmethod
    def of(cls, engine: Engine) -> _Worth:
        aims = tuple(engine.compile_value(aim) for aim in player_terms(engine).aims)
        boards = tuple(column.start for column in engine.layout.columns.values() if column.variable.is_board)
        return cls(aims or (engine.score,), boards, engine.chooser if aims else lambda state: 1)

    def column(self, state: State) -> int:
        """The number in the row that counts for whoever is to move."""
        return self.chooser(state) - 1

    def number(self, state: State, column: int) -> int:
        """One number of the row of a state."""
        return (self.aims[column](state) << LAID_BITS) + self._laid(state)

    def row(self, state: State) -> tuple[int, ...]:
        """What a state is worth."""
        laid = self._laid(state)
        return tuple([(aim(state) << LAID_BITS) + laid for aim in self.aims])

    def _laid(self, state: State) -> int:
        return sum(len(state[board]) - state[board].count(0) for board in self.boards)


def _marking_by_search(engine: Engine, policy: Policy) -> _Mark:
    """The best that can be reached so many moves on, where everybody plays so, or all against the one who looks; of equals
    one that does not stop."""
    worth, is_paranoid = _Worth.of(engine), policy.kind is Kind.PARANOID

    def reached(state: State, left: int, own: int) -> tuple[int, ...]:
        """What a state comes to be worth; `own` is the number in the row that counts for the one who looks."""
        moves = [] if left == 0 or engine.over(state) else engine.legal(state)
        if not moves:
            return worth.row(state)
        column = worth.column(state)
        ends = (reached(engine.apply(state, move), left - 1, own) for move in moves)
        return min(ends, key=itemgetter(own)) if is_paranoid and column != own else max(ends, key=itemgetter(column))

    def mark(state: State, moves: list[Move]) -> list[int]:
        own = worth.column(state)
        ends = [(reached(engine.apply(state, move), policy.number - 1, own)[own], move != STOP) for move in moves]
        best = max(ends)
        return [number for number, found in enumerate(ends) if found == best]

    return mark


_Child = tuple[int, State, int]
"""What it is worth, the state, and the first move on the way there."""


def _marking_by_beam(engine: Engine, width: int) -> _Mark:
    """The moves on the way to the best of the ends, and of the states PLIES moves on, so many kept of each ply."""
    worth = _Worth.of(engine)

    def best_of(children: dict[State, _Child]) -> list[_Child]:
        return sorted(children.values(), key=itemgetter(0), reverse=True)[:width]

    def mark(state: State, moves: list[Move]) -> list[int]:
        first_moves: dict[int, set[int]] = defaultdict(set)
        column = worth.column(state)
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
                        first_moves[worth.number(child, column)].add(begun)
                    elif child not in children:
                        children[child] = worth.number(child, column), child, begun
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
