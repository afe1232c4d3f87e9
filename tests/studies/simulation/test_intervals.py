"""Intervals: quantiles of Student's t as tables have them, and how often the truth is inside."""

from __future__ import annotations

import random

import pytest

from rulewright.studies.simulation.score_statistics import (
    Interval,
    Moments,
    mean_interval,
    median_interval,
    sequence_interval,
    student_quantile,
)

TABLE = {(0.975, 1): 12.7062, (0.975, 2): 4.30265, (0.995, 5): 4.03214, (0.975, 30): 2.04227, (0.975, 1000): 1.96234}


@pytest.mark.parametrize(("part", "freedom"), TABLE)
def test_quantiles_of_student(part: float, freedom: int) -> None:
    assert student_quantile(part, freedom) == pytest.approx(TABLE[part, freedom], rel=1e-5)


def test_a_mean_by_hand() -> None:
    sample = Moments.of([1, 2, 3, 4])
    assert (sample.mean, sample.deviation) == (2.5, pytest.approx(1.290994))
    assert mean_interval(sample).half == pytest.approx(3.182446 * 1.290994 / 2, rel=1e-6)


@pytest.mark.parametrize(("count", "ends"), [(6, (1, 6)), (10, (2, 9)), (100, (40, 61))])
def test_a_median_lies_between_order_statistics(count: int, ends: tuple[int, int]) -> None:
    """Ranks as tables of the sign test have them; of five values no two are far enough apart."""
    assert median_interval(range(1, count + 1)) == Interval(*ends)
    assert median_interval(range(5)).low == float("-inf")


def claims(sequential: bool, runs: int) -> int:
    """How often somebody who looks after every tenth value, and stops when 0 is outside, claims a difference that is none."""
    chance, found = random.Random(7), 0
    for _ in range(runs):
        values = [chance.choice((-1, 0, 0, 3, -2)) for _ in range(100)]
        for _ in range(60):
            values += [chance.choice((-1, 0, 0, 3, -2)) for _ in range(10)]
            sample = Moments.of(values)
            interval = sequence_interval(sample, 700) if sequential else mean_interval(sample)
            if interval.excludes(0):
                found += 1
                break
    return found


def test_only_a_confidence_sequence_may_be_looked_at_all_the_time() -> None:
    assert claims(sequential=True, runs=100) <= 5
    assert claims(sequential=False, runs=100) > 10
