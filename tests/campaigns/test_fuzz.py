"""Damaged texts: a few of each kind in the quick suite, a hundred thousand in the campaign. And what only a rogue writes."""

from __future__ import annotations

import random
import signal

import pytest

from rulewright.base.diagnostics import RulesError
from tests.campaigns import clock, fuzz
from tests.campaigns.clock import Clock, too_slow
from tests.campaigns.hostile import HOSTILE

CASES = 100_000


def test_a_few_cases() -> None:
    tally = fuzz.try_cases(range(150))
    assert [f"{fault.what}\n{fault.text}" for fault in tally.faults] == []
    assert tally.reached["played"] >= 15


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The net has no hole: an error of ours and an endless loop are both caught."""

    def stumble(text: fuzz.Text, dice: random.Random, watch: Clock) -> str:
        if text.puzzle:
            raise KeyError(text.root)
        while True:
            pass

    monkeypatch.setattr(fuzz, "way", stumble)
    monkeypatch.setattr(clock, "SECONDS", 0.01)
    tally = fuzz.try_cases(range(20))
    found = {fault.what.rstrip().splitlines()[-1].split(":")[0] for fault in tally.faults}
    assert len(tally.faults) == 20
    assert found == {"KeyError", "tests.campaigns.clock.TooSlow"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_rules_are_refused_or_played(name: str) -> None:
    fuzz.library()  # read once, and not in the time of the first text
    before = signal.signal(signal.SIGPROF, too_slow)
    watch = Clock()
    watch.start()
    outcome = "played"
    try:
        for _ in fuzz.way(fuzz.Text(False, HOSTILE[name].text), random.Random(1), watch):
            pass
    except RulesError as error:
        outcome = error.diagnostics[0].code
    finally:
        watch.stop()
        signal.signal(signal.SIGPROF, before)
    assert outcome == HOSTILE[name].outcome


@pytest.mark.campaign
def test_many_cases() -> None:
    tally = fuzz.campaign(CASES)
    print(fuzz.figures(tally))
    assert [f"{fault.what}\n{fault.text}" for fault in tally.faults] == []
    assert tally.cases == CASES
    assert tally.megabytes < fuzz.MEGABYTES
