"""Chance: drawn one at a time as the paper has it, and drawn many at once."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from rulewright.rules.semantics.rng import BATCH, MASK, draws, mix, next_seed, shuffled


def one_by_one(seed: int, number: int) -> list[int]:
    found = []
    for _ in range(number):
        seed = next_seed(seed)
        found.append(mix(seed))
    return found


def test_the_numbers_are_those_of_splitmix64() -> None:
    # The first numbers of the authors' own program (xorshift.di.unimi.it/splitmix64.c) for the seed 1234567.
    first = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert one_by_one(1234567, 5) == first


@pytest.mark.parametrize("number", [0, 1, 2, 53, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH, 1000])
@pytest.mark.parametrize("seed", [0, 1, 1234567, MASK, MASK - 12])
def test_many_at_once_are_the_same_numbers(seed: int, number: int) -> None:
    assert list(draws(seed, number)) == one_by_one(seed, number)


def test_chance_goes_on_where_it_stopped() -> None:
    _, after = shuffled(range(10), MASK)
    expected = MASK
    for _ in range(9):
        expected = next_seed(expected)
    assert after == expected


def test_nothing_to_shuffle_draws_nothing() -> None:
    assert shuffled((), 5) == ((), 5)
    assert shuffled((7,), 5) == ((7,), 5)


def test_every_order_comes_up_as_often() -> None:
    found = Counter(shuffled(range(4), seed)[0] for seed in range(24_000))
    assert set(found) == set(permutations(range(4)))
    assert all(850 < number < 1150 for number in found.values()), found
