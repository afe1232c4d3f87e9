"""What the dual bound is made of: the sum of the highest prices."""

from __future__ import annotations

import random

from rulewright.solver.best.dual.dual_bound import sum_of_largest
from tests.solver.best.dual.bounds import bound_with


def test_the_largest_stand_first_and_are_added_up() -> None:
    rng = random.Random(1)
    for count in (1, 2, 3, 10, 40):
        for number in range(count + 2):
            values = [rng.randrange(20) for _ in range(count)]
            bound = bound_with({"prices": count})
            for at, value in enumerate(values):
                bound.prices[at] = value
            best = sorted(values, reverse=True)[:number]
            assert sum_of_largest(bound.prices, count, number) == sum(best)
            assert sorted(bound.prices[: len(best)], reverse=True) == best
