"""Machine code against the concrete reading: a few mixtures and variants; 10,000 states and 200 variants in the campaign."""

from __future__ import annotations

import pytest

from rulewright.rules.native.playing import Table
from tests.campaigns import machine_code
from tests.campaigns.agreement import a_few


@pytest.mark.parametrize("number", [1, 6])
def test_a_mixture(number: int) -> None:
    tally = machine_code.mixture_case(number)
    assert (tally.faults, tally.refused.total()) == ([], 0) and tally.states > 30


@pytest.mark.parametrize("number", range(3))
def test_a_variant(number: int) -> None:
    tally = machine_code.variant_case(number)
    assert tally.faults == [] and (tally.refused or tally.states)


def test_a_variant_is_solved() -> None:
    assert a_few("variants", range(3), "native", 2).differences == []


def test_differences_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reading that takes the score for one more than it is."""
    value = Table.value
    monkeypatch.setattr(Table, "value", lambda table: value(table) + 1)
    assert machine_code.mixture_case(1).faults


@pytest.mark.campaign
def test_ten_thousand_states() -> None:
    tally = machine_code.campaign(10_000, 200)
    print(tally)
    assert tally.faults == []
