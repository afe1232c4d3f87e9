"""How simulated players choose: a policy is a function of the state and of chance, independent of any game.

All policies except `random` rank states by their worth to a player: the player's objective (`rules/play/scores.py`), else
the score of the game; ties go to more tiles on the boards. They look ahead with perfect information, face-down tiles included.
`solver/playouts/playouts.py` does the same in machine code: the same seed gives the same game.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from itertools import accumulate
from operator import itemgetter

from rulewright.base.records import frozen
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import player_terms
from rulewright.rules.semantics.rng import mix, next_seed
from rulewright.solver.result import bytes_of

Choose = Callable[[State, list[Move], int], tuple[Move, State]]
"""Maps a state, its legal moves (at least one) and a seed to the chosen move and the state after it."""

PLIES = 8
"""By definition of the policy: moves that a beam looks ahead."""

LAID_BITS = 24
"""Low bits of a state's worth, which count the tiles laid; the value stands above them."""

TRIMMED = 2
"""A ply of a beam is trimmed when it has this many times the beam's width."""

MOST = 1000
"""The widest beam, and the deepest search."""


class Kind(IntEnum):
    """How a policy looks ahead: not at all; depth-first to a limit, with all players maximising for themselves (max^n,
    Luckhardt and Irani 1986) or all others against the one who looks ahead (paranoid, Sturtevant and Korf
    2000); or by a beam (Lowerre 1976), with the others assumed to help."""

    RANDOM = 0
    SEARCH = 1
    BEAM = 2
    PARANOID = 3
    FUNCTION = 4
    """A function, such as one of the user's."""
    MIXED = 5
    """The optimal mixed strategies of the question that is asked, which give a function."""


Weigh = Callable[[State, list[Move]], Sequence[int]]
"""How likely each legal move of a state is, as whole numbers; not all are 0."""

Function = Callable[[Engine], Weigh]
"""For an engine, what weighs the moves of a state."""

FINEST = 1 << 32
"""Bits of chance: weights that add up to less than this are followed to the last of them; others to a part in 2^64."""


@frozen
class Policy:
    """`number` is the depth of a search in moves, or the width of a beam: the states it keeps at each ply. A `function` can be
    sent to other processes if its `str()` is the name of one that they can import."""

    kind: Kind
    number: int = 0
    function: Function | None = None

    @property
    def is_blind(self) -> bool:
        """Whether it uses nothing that its player may not see."""
        return self.kind in (Kind.RANDOM, Kind.MIXED)

    @property
    def name(self) -> str:
        if self.kind in (Kind.RANDOM, Kind.MIXED, Kind.FUNCTION):
            return self.kind.name.lower() if self.function is None else str(self.function)
        return "greedy" if self == GREEDY else f"{self.kind.name.lower()}({self.number})"


RANDOM, GREEDY, MIXED = Policy(Kind.RANDOM), Policy(Kind.SEARCH, 1), Policy(Kind.MIXED)


@frozen
class Seats:
    """The policy of each player: `policy`, except for the players in `own`."""

    policy: Policy
    own: tuple[tuple[int, Policy], ...] = ()

    def of(self, player: int) -> Policy:
        """The policy of a player."""
        return dict(self.own).get(player, self.policy)

    def all(self, players: int) -> tuple[Policy, ...]:
        """The policies of players 1 to `players`, in order."""
        return tuple(self.of(player) for player in range(1, players + 1))

    @property
    def name(self) -> str:
        """`greedy`, or `greedy, 2=random`."""
        return ", ".join([self.policy.name, *(f"{player}={policy.name}" for player, policy in self.own)])


def policy_named(name: str) -> Policy | None:
    """`random`, `greedy`, `mixed`, `search(2)`, `paranoid(2)`, `beam(20)`; None for anything else."""
    alone = {policy.name: policy for policy in (RANDOM, GREEDY, MIXED)}
    if name in alone:
        return alone[name]
    match = re.fullmatch(r"(search|paranoid|beam)\(([1-9][0-9]{0,3})\)", name)
    if match is None or int(match[2]) > MOST:
        return None
    return Policy(Kind[match[1].upper()], int(match[2]))


def choosing(policy: Policy, engine: Engine) -> Choose:
    """The policy's choice function: a random move, each as likely as the policy has it."""
    weigh = weighing(policy, engine)

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        below = list(accumulate(weigh(state, moves)))
        drawn = mix(seed) % below[-1] if below[-1] < FINEST else mix(seed) * below[-1] >> 64
        move = moves[bisect_right(below, drawn)]
        return move, engine.apply(state, move)

    return choose


def weighing(policy: Policy, engine: Engine) -> Weigh:
    """How a policy weighs moves: all that it ranks best are equally likely."""
    match policy.kind:
        case Kind.RANDOM:
            return lambda state, moves: [1] * len(moves)
        case Kind.FUNCTION | Kind.MIXED:
            assert policy.function is not None, "mixed strategies are those of a question"
            return policy.function(engine)
        case Kind.SEARCH | Kind.PARANOID:
            return _weighing_by_search(engine, policy)
        case Kind.BEAM:
            return _weighing_by_beam(engine, policy.number)


def choosing_by_seat(seats: Seats, engine: Engine) -> Choose:
    """The choice function that applies the policy of the player to move."""
    policies = seats.all(engine.instance.players)
    by_policy = {policy: choosing(policy, engine) for policy in set(policies)}
    if len(by_policy) == 1:
        return by_policy[policies[0]]

    def choose(state: State, moves: list[Move], seed: int) -> tuple[Move, State]:
        return by_policy[policies[engine.chooser(state) - 1]](state, moves, seed)

    return choose


def room_of(policies: Sequence[Policy], state: State) -> int:
    """Approximate peak bytes of a choice: the states that the policies keep at the same time."""
    return max(map(_kept, policies)) * bytes_of(state)


def _kept(policy: Policy) -> int:
    match policy.kind:
        case Kind.RANDOM | Kind.FUNCTION | Kind.MIXED:
            return 1
        case Kind.SEARCH | Kind.PARANOID:
            return 2 * policy.number
        case Kind.BEAM:
            return (TRIMMED + 1) * policy.number


@frozen
class _Worth:
    """The worth of a state to each player with an objective; without objectives, one number for all."""

    aims: tuple[Callable[[State], int], ...]
    boards: tuple[int, ...]
    chooser: Callable[[State], int]

    @classmethod
    def of(cls, engine: Engine) -> _Worth:
        aims = tuple(engine.compile_value(aim) for aim in player_terms(engine).aims)
        boards = tuple(column.start for column in engine.layout.columns.values() if column.variable.is_board)
        return cls(aims or (engine.score,), boards, engine.chooser if aims else lambda state: 1)

    def column(self, state: State) -> int:
        """The index, in the row, of the number for the player to move."""
        return self.chooser(state) - 1

    def number(self, state: State, column: int) -> int:
        """One number of the row of a state."""
        return (self.aims[column](state) << LAID_BITS) + self._laid(state)

    def row(self, state: State) -> tuple[int, ...]:
        """The worth of a state, one number for each objective."""
        laid = self._laid(state)
        return tuple([(aim(state) << LAID_BITS) + laid for aim in self.aims])

    def _laid(self, state: State) -> int:
        return sum(len(state[board]) - state[board].count(0) for board in self.boards)


def _weighing_by_search(engine: Engine, policy: Policy) -> Weigh:
    """Best moves by a search to `policy.number` moves, with all players maximising or all against the one who looks ahead; a
    tie goes to a move other than `stop`."""
    worth, is_paranoid = _Worth.of(engine), policy.kind is Kind.PARANOID

    def reached(state: State, left: int, own: int) -> tuple[int, ...]:
        """The worth that a state leads to; `own` is the index of the player who looks ahead."""
        moves = [] if left == 0 or engine.over(state) else engine.legal(state)
        if not moves:
            return worth.row(state)
        column = worth.column(state)
        ends = (reached(engine.apply(state, move), left - 1, own) for move in moves)
        return min(ends, key=itemgetter(own)) if is_paranoid and column != own else max(ends, key=itemgetter(column))

    def weigh(state: State, moves: list[Move]) -> list[int]:
        own = worth.column(state)
        ends = [(reached(engine.apply(state, move), policy.number - 1, own)[own], move != STOP) for move in moves]
        best = max(ends)
        return [int(found == best) for found in ends]

    return weigh


_Child = tuple[int, State, int]
"""Worth, state, and the index of the first move on the way there."""


def _weighing_by_beam(engine: Engine, width: int) -> Weigh:
    """Best moves by a beam: those that lead to the best end or state within PLIES moves, keeping `width` states at each ply."""
    worth = _Worth.of(engine)

    def best_of(children: dict[State, _Child]) -> list[_Child]:
        return sorted(children.values(), key=itemgetter(0), reverse=True)[:width]

    def weigh(state: State, moves: list[Move]) -> list[int]:
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
        best = first_moves[max(first_moves)]
        return [int(number in best) for number in range(len(moves))]

    return weigh


def seeds(seed: int) -> Iterator[int]:
    """A stream of seeds determined by the first."""
    state = mix(seed)
    while True:
        state = next_seed(state)
        yield state
