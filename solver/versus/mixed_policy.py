"""Optimal mixed strategies as a policy of simulated and computer players.

A policy knows the state of a game and not what led there. So choices that share a state get one mixture, in which each counts
as often as it comes. An exact best response shows that this gives nothing away; else the policy is refused.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.base.records import frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.solver.playouts.policies import MIXED, Weigh
from rulewright.solver.result import Limits

from .expectimax import ExpectationProblem, seedless
from .problem import TooLarge
from .sequence_form import (
    ASKER,
    OPPONENT,
    SIDES,
    TREE_BYTES,
    Behaviour,
    InformationTree,
    TreeBuilder,
    best_response,
    equilibrium,
    realisation,
)


@frozen
class MixedPolicy:
    """Plays the optimal mixed strategies of a question in expectation, of two players who work against each other or of one."""

    question: Question
    root: State
    limits: Limits = Limits()

    def __str__(self) -> str:
        return MIXED.name

    def __call__(self, engine: Engine) -> Weigh:
        """How likely the moves of a state are. Raises `RulesError` if strategies are not found within the limits; calls raise
        it for a state that play from the root does not reach."""
        mixtures = self._mixtures(engine)

        def weigh(state: State, moves: list[Move]) -> Sequence[int]:
            found = mixtures.get(seedless(state)) if len(moves) > 1 else (1,)
            if found is None:
                raise usage_error("the mixed strategies do not cover this position", "begin where their question begins")
            return found

        return weigh

    def _mixtures(self, engine: Engine) -> Mapping[State, Sequence[int]]:
        """The weights of the moves of each state that is a choice."""
        problem = ExpectationProblem(engine, self.root, self.question)
        until, most = time.monotonic() + self.limits.seconds, self.limits.states_of(TREE_BYTES)
        builder = TreeBuilder(problem, problem.roots, until, most)
        try:
            tree = builder.run()
            found = equilibrium(tree)
        except TooLarge:
            raise _refused(f"it has more than the {builder.tree.positions:,} positions that were looked at") from None
        except ImportError:
            raise _refused("OR-Tools is not installed here") from None
        sides = [{state: known for state, known in builder.known_as.items() if builder.side(state) == side} for side in SIDES]
        asker, opponent = (_by_state(tree, side, found.strategies[side], sides[side].values()) for side in SIDES)
        sure, conceded = best_response(tree, OPPONENT, asker)[0], best_response(tree, ASKER, opponent)[0]
        if sure < conceded:
            raise _refused(f"players who know only the state are sure of {sure}, where {conceded} may be had")
        return {
            state: _whole(strategy[min(known)])
            for side, strategy in zip(sides, (asker, opponent), strict=True)
            for state, known in side.items()
        }


def _by_state(tree: InformationTree, side: int, strategy: Behaviour, together: Iterable[Collection[int]]) -> Behaviour:
    """A strategy with one mixture for all choices that share a state: the sum of what they do, as often as they come."""
    leaders = list(range(len(strategy)))

    def leader(number: int) -> int:
        while leaders[number] != number:
            number = leaders[number]
        return number

    for numbers in together:
        first, *others = map(leader, numbers)
        for other in others:
            leaders[other] = first
    weights = realisation(tree, side, strategy)
    sums: dict[int, list[Fraction]] = {}
    for number, choice in enumerate(tree.sets[side]):
        own = sums.setdefault(leader(number), [Fraction(0)] * len(choice.moves))
        for at, sequence in enumerate(choice.sequences):
            own[at] += weights[sequence]
    found = []
    for number, moves in enumerate(strategy):
        own = sums[leader(number)]
        whole = sum(own, Fraction(0))
        found.append(tuple(share / whole for share in own) if whole else moves)
    return tuple(found)


def _whole(shares: Sequence[Fraction]) -> tuple[int, ...]:
    """Probabilities as whole numbers in the same proportion."""
    common = math.lcm(*(share.denominator for share in shares))
    return tuple(int(share * common) for share in shares)


def _refused(why: str) -> RulesError:
    help = "`greedy` and `search(2)` play it, with open cards"
    return usage_error(f"this game is not played by mixed strategies: {why}", help)
