"""What makes a puzzle hard, measured along its plan: how much there is to choose, and what looks better than it is."""

from __future__ import annotations

from math import log2

from rulewright.base.records import frozen

from .naive_play import GREEDY, SHALLOW, NaivePlayer
from .solution import Solution


@frozen
class Features:
    """Of a plan of so many moves and turns.

    `branching` is the geometric mean of the number of legal moves. `luck` is, in bits, how improbable it is that random play
    keeps the optimum all along this solution. A move is a sacrifice where all that looks best to a greedy player is wrong:
    `sacrifices` counts them, `first_sacrifice` is the number of the first (0: there is none). `greedy_traps` and
    `shallow_traps` are the shares of the moves at which something wrong looks as good as anything to one who looks one move
    ahead, and two. `false_keys` is the share of the first moves that look to either as good as any, and are wrong.
    """

    moves: int
    turns: int
    branching: float
    luck: float
    sacrifices: int
    first_sacrifice: int
    greedy_traps: float
    shallow_traps: float
    false_keys: float


def measured(solution: Solution) -> Features:
    """The features of a solution. Raises `Unproved`, `TooLong`."""
    decisions = solution.decisions
    greedy, shallow = NaivePlayer(solution.values, GREEDY), NaivePlayer(solution.values, SHALLOW)
    width = luck = false_keys = 0.0
    sacrifices: list[int] = []
    traps = [0, 0]
    for number, decision in enumerate(decisions, 1):
        right, count = set(decision.right), len(decision.legal)
        width += log2(count)
        luck += log2(count / len(right))
        looks = [set(player.choices(decision.state, decision.legal)) for player in (greedy, shallow)]
        if not looks[0] & right:
            sacrifices.append(number)
        traps = [found + bool(seen - right) for found, seen in zip(traps, looks, strict=True)]
        if number == 1:
            false_keys = len((looks[0] | looks[1]) - right) / count
    moves = max(len(decisions), 1)
    return Features(
        len(decisions),
        decisions[-1].turn if decisions else 1,
        2 ** (width / moves),
        luck,
        len(sacrifices),
        sacrifices[0] if sacrifices else 0,
        traps[0] / moves,
        traps[1] / moves,
        false_keys,
    )
