"""What may still come to count, held against games that are played on at random: nothing that then counts was left out."""

from __future__ import annotations

import random
from itertools import chain

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
    """Forty games from one position of the first seed, thirty longer ones from each of five of each other."""
    game = linked(variant(CHANGES[change])) if change else shipped("beacon_patrol")
    rng, counted = random.Random(seed), 0
    positions = [games(rng, game, 1, 12, 30) for _ in range(5)] if seed else [games(rng, game, 1, 8, 40)]
    for looks, end in chain.from_iterable(positions):
        for look in looks:
            for record in end.complete.keys() - look.complete.keys():
                worth = end.complete[record]
                assert worth <= 0 or look.hopes[record] >= worth
                counted += 1
    assert counted > 50
