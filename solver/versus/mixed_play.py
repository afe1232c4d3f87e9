"""Answers a question of one or two players who may not see everything: the value of the best mixed strategies."""

from __future__ import annotations

import time
from fractions import Fraction

from rulewright.solver.best.incumbent import Listener
from rulewright.solver.result import Expectation, Limits, MixedChoice, Result, Status

from .expectimax import ExpectationProblem
from .information import SIDES, InformationTree, TreeBuilder
from .problem import TooLarge
from .sequence_form import Behaviour, equilibrium, realisation

TREE_BYTES = 1000
"""Approximate memory of a position of the tree and its share of the linear program: 760 for the 294,876 of liar's dice."""


def answer_mixed(problem: ExpectationProblem, limits: Limits, listener: Listener) -> Result:
    """The value and optimal strategies; `UNKNOWN` if time or memory does not suffice. Raises `RulesError` RW384, and any error
    of play."""
    began = time.monotonic()
    builder = TreeBuilder(problem, problem.roots, began + limits.seconds, limits.states_of(TREE_BYTES))

    def unfinished(why: str) -> Result:
        return Result(Status.UNKNOWN, None, None, (), builder.tree.positions, time.monotonic() - began, remarks=(why,))

    def stopped() -> Result:
        large = f"all {builder.tree.positions:,} positions and more would have to be looked at together"
        return unfinished(f"{large}; `rulewright simulate` plays such a game by policies")

    listener.on_stop(stopped)
    try:
        tree = builder.run()
    except TooLarge:
        return stopped()
    try:
        found = equilibrium(tree)
    except ImportError:
        return unfinished("mixed strategies need OR-Tools, which is not installed here")
    if found.lower < found.upper:
        bounds = (found.lower, found.upper) if problem.sign > 0 else (-found.upper, -found.lower)
        return unfinished(f"the value lies between {bounds[0]} and {bounds[1]}")
    choices = tuple(choice for side in SIDES for choice in _choices(tree, side, found.strategies[side]))
    value = Expectation(problem.sign * found.lower, ())
    seconds = time.monotonic() - began
    return Result(Status.OPTIMAL, None, None, (), tree.positions, seconds, "search", expectation=value, choices=choices)


def _choices(tree: InformationTree, side: int, strategy: Behaviour) -> list[MixedChoice]:
    """What a side does wherever its own strategy may come."""
    weights = realisation(tree, side, strategy)
    return [
        MixedChoice(known.player, known.state, tuple(zip(known.moves, moves, strict=True)))
        for known, moves in zip(tree.sets[side], strategy, strict=True)
        if weights[known.after] > Fraction(0)
    ]
