"""What is written of deep nests is as long as they are deep, or refused at once."""

from __future__ import annotations

import pytest

from tests.campaigns.nests import NESTS, measured, nest

WRITTEN_OUT = {"total", "where", "least", "image", "every", "some"}
"""Loops over a few elements are written out one by one: what a nest of them comes to is limited by RW252."""

MOST = 5_000_000
"""Characters of both programs, at most."""


SUITE = sorted(NESTS)[::3]


@pytest.mark.parametrize(
    "name", [*SUITE, *(pytest.param(name, marks=pytest.mark.campaign) for name in sorted(set(NESTS) - set(SUITE)))]
)
def test_nests(name: str) -> None:
    found = [measured(nest(name, depth)) for depth in ((1, 2) if name in WRITTEN_OUT else (2, 4, 8))]
    assert all(one.characters < MOST and one.seconds < 5 for one in found)
    if name not in WRITTEN_OUT and not any(one.refused for one in found):
        first, second, third = (one.characters for one in found)
        assert third <= 4 * max(first, second)


@pytest.mark.campaign
@pytest.mark.parametrize("name", NESTS)
def test_deep_nests(name: str) -> None:
    for depth in range(4, 25, 4):
        found = measured(nest(name, depth))
        assert found.characters < MOST and found.seconds < 20
