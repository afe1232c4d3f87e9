"""Random rules read in both ways in random states: the same moves, scores, successors and faults."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.rules.odd_games import odd_game, random_state
from tests.rules.playing import linked, same

TOO_MUCH = {"RW059", "RW252"}
"""A random game now and then asks for more work than a rule text may."""


def read_in_both_ways(seed: int, states: int) -> int:
    """The number of successors that agreed."""
    rng, successors = random.Random(seed), 0
    try:
        engine = Engine.of(linked(odd_game(seed)), seed % 3 + 1)
    except RulesError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} <= TOO_MUCH
        return 0
    reference = ReferenceEngine(engine)
    for _ in range(states):
        state = random_state(engine, rng)
        same(engine.score, reference.score, state)
        moves = same(engine.legal, reference.legal, state) or []
        for move in rng.sample(moves, min(8, len(moves))):
            successors += same(engine.apply, reference.apply, state, move) is not None
    return successors


@pytest.mark.parametrize("seed", [*range(24), 1691])  # 1691: what is looked up ahead of a loop is used in it
def test_odd_games(seed: int) -> None:
    read_in_both_ways(seed, 4)


def test_effects_do_not_mostly_fail() -> None:
    assert sum(read_in_both_ways(seed, 2) for seed in range(60)) > 120


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1000, 3000, 100))
def test_many_odd_games(seed: int) -> None:
    for number in range(seed, seed + 100):
        read_in_both_ways(number, 6)
