"""What is written of deep nests is as long as they are deep, or refused at once."""

from __future__ import annotations

import pytest

from tests.campaigns.nests import NESTS, measured, nest

UNROLLED = {"total", "where", "least", "image", "closure", "effect_near"}
"""Loops over few elements are written out one by one as long as that is short, so the first levels of a nest come to more."""

MOST = 3_000_000
"""Characters of both programs, at most."""


SUITE = sorted(NESTS)[::6]


@pytest.mark.parametrize(
    "name", [*SUITE, *(pytest.param(name, marks=pytest.mark.campaign) for name in sorted(set(NESTS) - set(SUITE)))]
)
def test_nests(name: str) -> None:
    found = [measured(nest(name, depth)) for depth in (2, 4, 8)]
    assert all(one.characters < MOST for one in found)
    if name not in UNROLLED and not any(one.refused for one in found):
        first, second, third = (one.characters for one in found)
        assert third <= 4 * max(first, second)


@pytest.mark.campaign
@pytest.mark.parametrize("name", NESTS)
def test_deep_nests(name: str) -> None:
    measured(nest(name, 1))
    for depth in (1, 2, 3, 4, 5, 6, *range(8, 25, 4)):
        found = measured(nest(name, depth))
        assert found.characters < MOST and found.seconds < 3
