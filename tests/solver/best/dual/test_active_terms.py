"""What may still come to count, held against games that are played on at random: nothing that then counts was left out."""

from __future__ import annotations

import random

import pytest

from tests.rules.playing import linked, shipped, variant
from tests.solver.best.dual.looking import games
from tests.solver.best.test_fallback import VARIANTS

CHANGES = {
    "three_sides": VARIANTS["three_sides"],
    "corners_too": VARIANTS["corners_too"],
    "by_force": "action force(tile in hand of player, to in around(ship of player)):\n"
    "    like place:\n        drop matching\n\n"
    "change flow:\n    add force to turn\n\n"
    "drop invariant matching",
}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(1, 6))])
@pytest.mark.parametrize("change", ["", *CHANGES])
def test_nothing_that_comes_to_count_was_left_out(change: str, seed: int) -> None:
    """Forty games of the first seed, 150 of each other."""
    game = linked(variant(CHANGES[change])) if change else shipped("beacon_patrol")
    counted = 0
    for looks, end in games(random.Random(seed), game, 1, 8, 150 if seed else 40):
        for look in looks:
            for record in end.complete.keys() - look.complete.keys():
                worth = end.complete[record]
                assert worth <= 0 or look.hopes[record] >= worth
                counted += 1
    assert counted > 50
