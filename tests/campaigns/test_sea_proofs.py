"""Optima under every expansion and ship: a position of each in the quick suite, fifty in the campaign."""

from __future__ import annotations

import pytest

from tests.campaigns import sea_proofs


@pytest.mark.parametrize("kind", sea_proofs.KINDS)
def test_a_position(kind: str) -> None:
    assert sea_proofs.held_against(kind, 2, sea_proofs.FEW_POSITIONS) == "agreed"


@pytest.mark.campaign
@pytest.mark.parametrize("kind", sea_proofs.KINDS)
def test_fifty_positions(kind: str) -> None:
    found = sea_proofs.tally(kind, range(100, 155))
    print(kind, dict(found))
    assert found["agreed"] >= 50
