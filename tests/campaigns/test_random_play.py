"""A few random games of every third module that ships in the quick suite, two thousand of each in the campaign."""

from __future__ import annotations

import pytest

from tests.campaigns import random_play

GAMES = 2_000


QUICK = [module for module in random_play.modules() if not module.startswith("castles_by_the_sea.")][::3]
"""Those of the castles take seconds to be compiled; an umpire of their own judges them in tests/games/castles_by_the_sea."""

REST = [module for module in random_play.modules() if module not in QUICK]


@pytest.mark.parametrize("module", [*QUICK, *(pytest.param(module, marks=pytest.mark.campaign) for module in REST)])
def test_a_game(module: str) -> None:
    assert random_play.play_many(module, range(2), most=25).faults == []


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_play.oracle, "explored", lambda board, cell: len(board) > 5)
    assert random_play.play_many(random_play.JUDGED, range(1), most=60).faults


@pytest.mark.campaign
def test_many_games() -> None:
    tally = random_play.campaign(GAMES)
    print(tally.games, tally.choices)
    assert tally.faults == []
    assert set(tally.games.values()) == {GAMES}
