"""What leaves lines of play out, against plain enumeration: some instances of each game here, five hundred in the campaign."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from rulewright.puzzles.position import Position
from rulewright.solver.plans import optimal_plans
from tests.campaigns.orders import GAMES, cards, checks, packings, queens


@pytest.mark.campaign
@pytest.mark.parametrize("make", GAMES, ids=lambda make: make.__name__)
def test_against_enumeration(make: Callable[[random.Random], Position]) -> None:
    came = sum((checks(make, seed) for seed in range(30)), Counter[str]())
    print(make.__name__, dict(came))
    assert came["search"] >= 15, came


@pytest.mark.parametrize("make", [queens, cards, packings], ids=lambda make: make.__name__)
def test_some_against_enumeration(make: Callable[[random.Random], Position]) -> None:
    assert checks(make, 1)["search"]


def test_plans_that_are_counted_wrong_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal_plans, "factorial", lambda number: 1)
    with pytest.raises(AssertionError):
        for seed in range(6):
            checks(queens, seed)
