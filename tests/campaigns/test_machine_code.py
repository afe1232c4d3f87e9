"""Machine code against the concrete reading: a few mixtures and variants; 10,000 states and 200 variants in the campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.rules.machine.machine_game import MachineGame
from tests.campaigns import machine_code
from tests.campaigns.agreement import a_few


@pytest.mark.parametrize("number", [1, 6])
def test_a_mixture(number: int) -> None:
    tally = machine_code.mixture(number).compared(100)
    assert (tally.faults, tally.refused) == ([], "") and tally.states >= 100


@pytest.mark.parametrize("number", range(3))
def test_a_variant(number: int) -> None:
    tally = machine_code.variant(number).compared(100)
    assert tally.faults == [] and (tally.refused or tally.states >= 100)


def test_a_variant_is_solved() -> None:
    assert a_few("variants", range(3), "native", 2).differences == []


def test_differences_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reading that takes the score for one more than it is."""
    value = MachineGame.value
    monkeypatch.setattr(MachineGame, "value", lambda table: value(table) + 1)
    assert machine_code.mixture(1).compared(10).faults


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    subjects, record = [machine_code.variant(number) for number in range(2)], tmp_path / "record"
    machine_code.campaign(subjects[:1], 10, record)
    assert len(record.read_text("utf-8").splitlines()) == 1
    tallies = machine_code.campaign(subjects, 10, record)
    assert [tally.name for tally in tallies] == ["variant 0", "variant 1"]
    assert len(record.read_text("utf-8").splitlines()) == 2


@pytest.mark.campaign
@pytest.mark.parametrize("part", machine_code.PARTS)
def test_at_length(part: str) -> None:
    subjects, states = machine_code.PARTS[part]
    assert [tally for tally in machine_code.campaign(subjects(200), states) if tally.faults] == []
