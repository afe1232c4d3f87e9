"""Features of difficulty, measured along the solution: the amount of choice, and how misleading appearances are."""

from __future__ import annotations

from collections.abc import Mapping
from math import log2

from rulewright.base.records import frozen
from rulewright.rules.model.state import Move

from .naive_play import GREEDY, SHALLOW, NaivePlayer
from .solution import Decision, Solution

BLUNDERS = 0.3
"""The probability that sensible play moves at random."""


@frozen
class Features:
    """The features of a plan with given numbers of moves and turns.

    `branching` is the geometric mean of the number of legal moves. `luck` is the improbability, in bits, that random play keeps
    the optimum along this solution. A move is a sacrifice if everything that looks best to a greedy player is wrong:
    `sacrifices` counts them, `first_sacrifice` is the number of the first (0: none). `greedy_traps` and `shallow_traps` are the
    shares of moves at which a wrong move looks best with a lookahead of one move, or two. `false_keys` is the share of the
    first moves that look best to either, and are wrong. `near_keys` is the number of first moves that lose at most a tenth of
    the answer, or 1. `greedy_bits` and `shallow_bits` are like `luck`, for players with a lookahead of one move, or two, who
    blunder now and then.
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
    near_keys: int
    greedy_bits: float
    shallow_bits: float

    @property
    def choice(self) -> float:
        """How much there is to choose, in bits: that many yes-or-no questions tell the solution from all sequences of moves."""
        return self.moves * log2(self.branching)


def measured(solution: Solution, first: Mapping[Move, int]) -> Features:
    """The features of a solution, with the proved values of all first moves. Raises `Unproved`, `TooLong`."""
    decisions = solution.decisions
    greedy, shallow = NaivePlayer(solution.values, GREEDY), NaivePlayer(solution.values, SHALLOW)
    width = luck = false_keys = 0.0
    sacrifices: list[int] = []
    traps, bits = [0, 0], [0.0, 0.0]
    for number, decision in enumerate(decisions, 1):
        right, count = set(decision.right), len(decision.legal)
        width += log2(count)
        luck += log2(count / len(right))
        looks = [set(player.choices(decision.state, decision.legal)) for player in (greedy, shallow)]
        if not looks[0] & right:
            sacrifices.append(number)
        traps = [found + bool(seen - right) for found, seen in zip(traps, looks, strict=True)]
        bits = [found - log2(_chance(decision, seen)) for found, seen in zip(bits, looks, strict=True)]
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
        _near(first),
        *bits,
    )


def _chance(decision: Decision, looks: set[Move]) -> float:
    """The probability that a player who chooses among the best looking moves keeps the optimum."""
    by_looks = len(looks & set(decision.right)) / len(looks)
    return (1 - BLUNDERS) * by_looks + BLUNDERS * len(decision.right) / len(decision.legal)


def _near(first: Mapping[Move, int]) -> int:
    best = max(first.values())
    return sum(0 < best - value <= max(1, abs(best) // 10) for value in first.values())
