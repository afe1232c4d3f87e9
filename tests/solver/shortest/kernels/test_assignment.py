"""Assignments by shortest paths cost as little as any, found by trying all."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from rulewright.solver.shortest.estimates.distance_layout import reserve_for_assignments
from rulewright.solver.shortest.kernels import assignment
from rulewright.solver.shortest.kernels.distance_words import DEAD, DistanceWords
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import TableBuilder

Costs = Sequence[Sequence[int | None]]
"""The distance of each thing to each place; None where it cannot end."""


def least(costs: Costs) -> int:
    """By trying all."""
    places = range(len(costs[0]))
    sums = (
        sum(DEAD if (cost := row[place]) is None else cost for row, place in zip(costs, taken, strict=True))
        for taken in permutations(places, len(costs))
    )
    return min(DEAD, *sums, DEAD)


def added(costs: Costs) -> int:
    """Thing by thing."""
    builder, places = TableBuilder(DistanceWords), len(costs[0])
    builder.put(groups=[], group_count=0, sums=[], sum_count=0)
    reserve_for_assignments(builder, len(costs), places)
    distances = DistanceWords(builder.array("distance_words"), ints(1), ints(builder.room["scratch_words"]))
    for place in range(places):
        distances.holder[place] = assignment.NOBODY
    total = 0
    for number, row in enumerate(costs):
        for place, cost in enumerate(row):
            distances.costs[number * places + place] = DEAD if cost is None else cost
        total += assignment.added(distances, number, places)
        if total >= DEAD:
            return DEAD
    return total


def check(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        places = rng.randint(1, 5)
        costs = [[rng.choice((None, *range(9))) for _ in range(places)] for _ in range(rng.randint(places - 1, places) or 1)]
        assert added(costs) == least(costs), costs


def test_nothing_costs_less() -> None:
    check(range(150))


@pytest.mark.campaign
def test_ten_thousand_assignments() -> None:
    check(range(1000, 11_000))


def test_more_things_than_places_have_none() -> None:
    assert added([[1], [2]]) == DEAD


def none_gives_way(distances: DistanceWords, first: int, free: int) -> None:
    distances.holder[free] = first


def prices_are_forgotten(distances: DistanceWords, thing: int, length: int, place_count: int) -> None:
    for place in range(place_count):
        reach = length + distances.costs[thing * place_count + place]
        if reach < distances.reach[place] and distances.is_settled[place] == 0:
            distances.reach[place], distances.via[place] = reach, thing


@pytest.mark.parametrize(
    ("name", "faulty"), [("give_way", none_gives_way), ("look_around", prices_are_forgotten)], ids=["way", "prices"]
)
def test_faults_are_noticed(name: str, faulty: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assignment, name, faulty)
    with pytest.raises(AssertionError):
        check(range(150))
