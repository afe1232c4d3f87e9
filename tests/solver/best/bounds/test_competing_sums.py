"""Totals of sums for which the same elements compete: an element counts once, and no way to play on is worth more."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model.game import Game
from rulewright.rules.static import sums_by_kind
from rulewright.solver.best.bounds.monotone_bound import MonotoneBound
from rulewright.solver.best.problem import Problem
from tests.rules.playing import linked
from tests.solver.best.bounds.test_gain_bound import GARDEN, problem_of
from tests.solver.exhaustive import best_value

GARDEN_SUMS = (
    "income(1) + income(2)",
    "sum income(p) for p in players",
    "(sum worths.worth(kind(b)) for b in pieces(beds) where owner(b) = 1) + income(2)",
    "income(2) + (count b in pieces(beds) where owner(b) = 1 and kind(b) = rose) + income(1)",
)

CLAIMS = """
module claims:
    "Cells are claimed and fenced; a claim may be taken over."

players 2

space plot: square grid 3 x 1

state:
    claim of plot: 0..2
    fence of plot: 0..2
    ticks:         0..9

action claim_cell(c in plot where claim of c {when}, n in 1..2):
    effect claim: claim of c := n

action fence_cell(c in plot where fence of c = 0, n in 1..2):
    effect fence: fence of c := n

flow:
    repeat:
        for player in players:
            turn:
                choose claim_cell, fence_cell, or stop
                count_turn

procedure count_turn:
    tick: ticks += 1

define by_claim(n in 0..2) = sum {worth} for c in plot where claim of c = n
define by_fence(n in 0..2) = sum column(c) - 1 for c in plot where n = fence of c and column(c) >= 0

score none: 0
"""

CLAIM_SUMS = (
    "by_claim(1) + by_claim(2)",
    "by_claim(1) + by_fence(2)",
    "by_fence(2) + by_claim(1) + by_fence(1) + by_claim(2) + by_claim(1)",
    "by_fence(0) + by_fence(1) + by_fence(2)",
)


def claims(rng: random.Random) -> Game:
    worth = rng.choice(("1", "column(c)", "2 * column(c) - 1", "(if fence of c = 0 then 3 else 1)"))
    return linked(CLAIMS.format(when=rng.choice(("= 0", "< 2")), worth=worth))


def random_problem(seed: int) -> Problem:
    rng = random.Random(seed)
    goal = rng.choice((Goal.MAXIMISE, Goal.MINIMISE))
    if seed % 3 == 0:
        return problem_of(linked(GARDEN), rng.choice(GARDEN_SUMS), 2, goal=goal)
    return problem_of(claims(rng), rng.choice(CLAIM_SUMS), 3, goal=goal)


def bound_of(problem: Problem) -> MonotoneBound:
    return MonotoneBound.of(problem.reachable, problem.question.values, problem.sign)


def over_a_game(seed: int) -> tuple[int, int]:
    """The bound and the best of a random question at the root; at no state of a random game is the bound too low."""
    problem, rng = random_problem(seed), random.Random(seed)
    engine, bound, state = problem.engine, bound_of(problem), problem.root
    found = list[tuple[int, int]]()
    while not engine.over(state):
        best = best_value(engine, state, problem.question)
        assert best is not None
        found.append((bound.bound(state), problem.sign * best))
        assert found[-1][0] >= found[-1][1], seed
        state = engine.apply(state, rng.choice(engine.legal(state)))
    return found[0]


def test_a_piece_counts_for_one_owner() -> None:
    """Four roses and two hedges may lie, whoever's they are."""
    for asked in GARDEN_SUMS[:3]:
        problem = problem_of(linked(GARDEN), asked, 3)
        assert bound_of(problem).bound(problem.root) == 4 * 1 + 2 * 3


def test_what_does_not_exclude_each_other_counts_twice() -> None:
    problem = problem_of(linked(GARDEN), GARDEN_SUMS[3], 3)
    assert bound_of(problem).bound(problem.root) == 4 * 2 + 2 * 3


def test_no_bound_is_too_low() -> None:
    came = [over_a_game(seed) for seed in range(24)]
    assert sum(bound == best for bound, best in came) >= 10, came


@pytest.mark.campaign
def test_no_bound_is_too_low_at_length() -> None:
    for seed in range(100, 1100):
        over_a_game(seed)


Side = tuple[sums_by_kind.Elements, int] | None


def whatever_is_compared(side: Side, call: int) -> Side:
    return side and ((*side[0][:2], side[0][1]), side[1])


def whatever_the_number(side: Side, call: int) -> Side:
    return side and (side[0], call)


@pytest.mark.parametrize("fault", [whatever_is_compared, whatever_the_number])
def test_a_fault_is_noticed(fault: Callable[[Side, int], Side], monkeypatch: pytest.MonkeyPatch) -> None:
    """As if other sums competed, too."""
    calls, side_of = count(), sums_by_kind._side
    monkeypatch.setattr(sums_by_kind, "_side", lambda *asked: fault(side_of(*asked), next(calls)))
    with pytest.raises(AssertionError):
        for seed in range(24):
            over_a_game(seed)
