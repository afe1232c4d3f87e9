"""What the solver proves is the best that plain enumeration finds; 200 and 30 positions in the campaign."""

from __future__ import annotations

import pytest

from tests.games.penguin_pirates import agreement

SMALL = 4_000


def test_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "MOST_STATES", {1: SMALL})
    said = [agreement.verdict(agreement.case(number, 1)) for number in range(7)]
    assert set(said) <= {"agreed", "too large"}
    assert said.count("agreed") >= 2


@pytest.mark.campaign
@pytest.mark.parametrize(("rounds", "wanted"), [(1, 200), (2, 30)])
def test_many(rounds: int, wanted: int) -> None:
    said: list[str] = []
    while said.count("agreed") < wanted:
        said.append(agreement.verdict(agreement.case(len(said), rounds)))
        assert said[-1] in {"agreed", "too large"}
