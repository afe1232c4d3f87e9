"""What the dual bound is made of: the sum of the highest prices, and the prices that a sweep lowers."""

from __future__ import annotations

import random

from rulewright.solver.best.dual.dual_bound import dual_value
from tests.solver.best.dual.bounds import bound_with


def test_the_largest_are_added_up() -> None:
    rng = random.Random(1)
    for count in (1, 2, 3, 10, 40):
        for number in range(count + 2):
            values = [rng.randrange(20) for _ in range(count)]
            bound = bound_with({"prices": count})
            bound.node.cells, bound.node.threshold = count, rng.randrange(30)
            for at, value in enumerate(values):
                bound.prices[at] = value
            assert dual_value(bound, number) == sum(sorted(values, reverse=True)[:number])
            threshold = bound.node.threshold
            assert sum(value > threshold for value in values) <= number
            assert threshold == 0 or sum(value >= threshold for value in values) > number
