"""The solution of a puzzle, move by move, with the alternatives at each; how hard it is by that; and its grade."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from math import log2
from typing import Any

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model.state import COUNTED, STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.problem import Problem

from .move_values import GREEDY, SHALLOW, MoveValues, NaivePlayer

LONGEST = 80
"""In moves: longer solutions are skipped."""

MOST_LOOKED_AT = 3 * LONGEST
"""The maximum number of states visited to find one."""


class TooLong(Exception):
    """There is no short solution."""


@frozen
class Decision:
    """A move of a solution, in turn `turn` (from 1), with all `legal` moves; the `right` ones keep the optimum."""

    state: State
    turn: int
    legal: tuple[Move, ...]
    right: tuple[Move, ...]
    move: Move


@define(eq=False)
class Solution:
    """A solution without detours: it stops as soon as possible, and otherwise never returns to a state with no more resources
    left.

    A depth-first search among right moves finds it, so paths that only lead back are left out.
    """

    values: MoveValues

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions. Raises `Unproved`, `TooLong`."""
        engine = self.values.engine.counting_turns(self.values.position.root)
        state, best, cost = self.values.position.root, self.values.optimum, int(self.values.question.counts_moves)
        found, ways, met = list[Decision](), list[Iterator[tuple[Decision, State]]](), dict[Any, list[tuple[int, ...]]]()
        self._is_new(state, met)
        for _ in range(MOST_LOOKED_AT):
            if self._is_end(engine, state):
                return tuple(found)
            ways.append(self._ways(engine, state, best + cost * len(ways), met))
            while (way := next(ways[-1], None)) is None:
                ways.pop()
                if not ways:
                    raise TooLong
            decision, state = way
            found = [*found[: len(ways) - 1], decision]
            if len(ways) > LONGEST:
                raise TooLong
        raise TooLong

    def first_turn(self) -> Iterator[Decision]:
        """The decisions up to the end of the first turn."""
        return takewhile(lambda decision: decision.turn == 1, self.decisions)

    @property
    def plan(self) -> tuple[Move, ...]:
        return tuple(decision.move for decision in self.decisions)

    def _is_end(self, engine: Engine, state: State) -> bool:
        shortest = self.values.shortest
        return engine.over(state) or (shortest is not None and bool(shortest.reached(state)))

    def _ways(
        self, engine: Engine, state: State, best: int, met: dict[Any, list[tuple[int, ...]]]
    ) -> Iterator[tuple[Decision, State]]:
        """The right moves that lead to something new, each with the state after it."""
        legal = tuple(engine.legal(state))
        right = tuple(move for move in legal if self.values.keeps(state, move, best))
        for move in (STOP,) if STOP in right else right:
            child = engine.apply(state, move)
            if self._is_new(child, met) or move == STOP:
                yield Decision(state, int(state[COUNTED]) + 1, legal, right, move), child

    def _is_new(self, state: State, met: dict[Any, list[tuple[int, ...]]]) -> bool:
        """Whether no equal state with as many resources was met before; records the state as met."""
        key, left = self._identity(state)
        before = met.setdefault(key, [])
        if any(all(had >= has for had, has in zip(other, left, strict=True)) for other in before):
            return False
        before.append(left)
        return True

    @cached_property
    def _identity(self) -> Callable[[State], tuple[Any, tuple[int, ...]]]:
        """The identity of states: the variables that still matter, and the remaining resources."""
        question = self.values.question
        if question.goal is Goal.LEAST or question.is_against:
            return lambda state: (state, ())
        problem = Problem(self.values.engine, self.values.position.root, question)
        return lambda state: (problem.key(state), problem.spent(state))


# Features of difficulty -----------------------------------------------------------------------------------------------
# Measured along the solution: the amount of choice, and how misleading appearances are.


BLUNDERS = 0.3
"""By definition of sensible play: the probability that it moves at random."""


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


# Grades ---------------------------------------------------------------------------------------------------------------
# Five grades of difficulty: a weighted sum of features. docs/making.md says how the weights were fitted.


WEIGHTS = {
    "space": 0.0,
    "width": 0.545,
    "greedy": 0.31,
    "shallow": 0.259,
    "sacrifice": 0.126,
    "false keys": 0.374,
    "near keys": 0.019,
    "turns": 0.125,
}
"""The weights of the terms of `terms_of`. One would have been negative beside the others, which already express it."""

THRESHOLDS = (3.43, 3.9, 4.69, 5.28)
"""The least sums of grades 2, 3, 4 and 5."""


@frozen
class Grade:
    """A grade from 1 (easy) to 5, and the sum it comes from."""

    number: int
    difficulty: float


def terms_of(features: Features) -> dict[str, float]:
    """The weighted terms of the features, by name; each grows with the difficulty."""
    return {
        "space": log2(1 + features.choice),
        "width": log2(features.branching),
        "greedy": log2(1 + features.greedy_bits),
        "shallow": log2(1 + features.shallow_bits),
        "sacrifice": 0.0 if not features.sacrifices else 1.0 + log2(features.first_sacrifice),
        "false keys": features.false_keys,
        "near keys": log2(1 + features.near_keys),
        "turns": log2(features.turns),
    }


def graded(features: Features) -> Grade:
    """The grade of a puzzle."""
    found = terms_of(features)
    difficulty = sum(weight * found[name] for name, weight in WEIGHTS.items())
    return Grade(1 + bisect(THRESHOLDS, difficulty), difficulty)
