"""Where ships may bring which tiles, and how many that takes, held against games that are played on at random."""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests.rules.playing import linked, shipped, variant
from tests.solver.best.dual.looking import games
from tests.solver.best.dual.test_active_terms import CHANGES
from tests.solver.best.test_fallback import VARIANTS

BARRED = {"loose_edges": VARIANTS["loose_edges"], "over_land": VARIANTS["over_land"], "by_force": CHANGES["by_force"]}


@pytest.mark.parametrize(
    ("seeds", "most"), [(range(2), 20), pytest.param(range(8), 60, marks=pytest.mark.campaign)], ids=["few", "more"]
)
@pytest.mark.parametrize("change", ["", *BARRED])
def test_ships_bring_no_other_tiles_and_no_sooner(change: str, seeds: range, most: int) -> None:
    game = linked(variant(BARRED[change])) if change else shipped("beacon_patrol")
    laid, soonest, barred = 0, 0, 0
    for seed, coming in product(seeds, (3, 5, 8)):
        for looks, end in games(random.Random(seed), game, 2 if seed == 0 else 1, coming, most):
            order = list(end.lying)
            for look in looks:
                for after, cell in enumerate(order[len(look.lying) :], 1):
                    if cell in look.kinds:
                        assert look.kinds[cell] >> end.lying[cell] & 1
                        assert after >= look.far[cell]
                        laid += 1
                        soonest += after == look.far[cell]
                        barred += not all(look.kinds[cell] >> kind & 1 for kind in end.lying.values())
    assert laid > soonest > most
    assert barred > most or change
