"""Signals at a few moments in the quick suite, at a thousand in the campaign."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.campaigns import interrupts
from tests.campaigns.interrupts import Case, End

CASES = 1000
GENEROUS = 20.0
"""Seconds by the clock that a case may take in the quick suite: the machine may be busy."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")

SOON = (
    Case(0, ("list",), signal.SIGTERM, 0.0),
    Case(1, ("simulate", "shoals", "--games", "100000000", "--json"), signal.SIGTERM, 0.3),
    Case(2, ("solve", interrupts.LONG.name, "--time", "600", "--json"), signal.SIGINT, 0.3),
)


@pytest.mark.parametrize("case", SOON, ids=lambda case: case.command[0])
def test_a_few_cases(case: Case, tmp_path: Path) -> None:
    end = interrupts.ended(case, interrupts.workplace(tmp_path))
    assert end is not None
    assert list(end.faults(case)) == []
    assert end.seconds < GENEROUS


@pytest.mark.parametrize(
    ("end", "fault"),
    [
        (End(3, 0.1, 0.1, "", "", None), "status 3"),
        (End(130, 0.1, 0.1, "", "Traceback (most recent call last)", None), "a traceback"),
        (End(130, 0.1, 0.1, "x  unknown, no plan found", "", 4), "best 4 was shown, none printed"),
        (End(130, 0.1, 0.1, "x  not proved, best 3, bound 7", "", 4), "best 4 was shown, 3 printed"),
    ],
)
def test_faults_are_found(end: End, fault: str) -> None:
    case = Case(0, ("solve", interrupts.LONG.name), signal.SIGINT, 0.0)
    assert list(end.faults(case)) == [fault]
    assert list(End(130, 0.1, 0.1, "x  not proved, best 4, bound 7", "", 4).faults(case)) == []


@pytest.mark.campaign
def test_many_cases(tmp_path: Path) -> None:
    place, found = interrupts.workplace(tmp_path), 0
    for number in range(2 * CASES):
        case = Case.of(number)
        if (end := interrupts.ended(case, place)) is not None:
            found += 1
            assert list(end.faults(case)) == [], case
    assert found >= CASES
