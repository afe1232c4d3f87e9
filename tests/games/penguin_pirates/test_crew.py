"""Planned play comes home where random play is lost: the balance of what we have reconstructed."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.penguin_pirates import crew


def test_a_crew_that_plans_comes_home() -> None:
    assert crew.voyage(4, 1)[0] == "safe"


@pytest.mark.campaign
@pytest.mark.parametrize("players", [3, 4])
def test_most_crews_come_home(players: int) -> None:
    ends = Counter(crew.voyage(players, seed)[0] for seed in range(30))
    print(players, ends)
    # Random play loses; of three who plan all thirty come home, of four nearly all.
    assert 15 <= ends["safe"] <= 30
