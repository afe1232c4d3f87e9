"""Small games under random mutations of their rules, against enumeration: a few of each here, hundreds in the campaign."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.campaigns import mutated_rules
from tests.campaigns.mutated_rules import any_goal, fewest_moves
from tests.campaigns.orders import bishops, cards, lights, packings, queens, tours, workshops
from tests.rules.analysis.test_automorphisms import crabs
from tests.rules.analysis.test_other_spaces import beetles
from tests.solver.shortest.estimates.spaces import INSTANCES, Instance, river


@pytest.mark.campaign
@pytest.mark.parametrize("make", [*INSTANCES, crabs, beetles], ids=lambda make: make.__name__)
def test_fewest_moves(make: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All mutants of a game share a cache: nothing that is kept of one may serve another where it is wrong."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    came = sum((fewest_moves(make, seed) for seed in range(150)), Counter[str]())
    print(make.__name__, dict(came))
    assert came["answers"] >= 30, came


@pytest.mark.campaign
@pytest.mark.parametrize("make", [queens, bishops, packings, lights, tours, workshops, cards], ids=lambda make: make.__name__)
def test_any_goal(make: Instance) -> None:
    came = sum((any_goal(make, seed) for seed in range(150)), Counter[str]())
    print(make.__name__, dict(came))
    assert came["search"] >= 30, came


def test_some_fewest_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    assert sum((fewest_moves(river, seed) for seed in range(5)), Counter[str]())["answers"]


def test_some_other_goals() -> None:
    assert sum((any_goal(cards, seed) for seed in range(5)), Counter[str]())["search"]


def test_wrong_answers_are_noticed_with_the_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutated_rules, "exact", lambda after, goals: {})
    with pytest.raises(AssertionError, match=r"river [0-9]+: classics.missionaries: [^:]+: "):
        for seed in range(20):
            fewest_moves(river, seed)
