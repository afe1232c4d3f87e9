"""A few random games of every fourth module that ships in the quick suite, two thousand of each in the campaign."""

from __future__ import annotations

import pytest

from tests.campaigns import random_play

GAMES = 2_000


QUICK = [name for name in random_play.project().modules() if not name.startswith("castles_by_the_sea.")][::4]
"""Modules of the castles take seconds to be compiled; an umpire of their own judges them in tests/games/castles_by_the_sea."""


@pytest.mark.parametrize("module", QUICK)
def test_a_game(module: str) -> None:
    if not random_play.is_whole(module):
        pytest.skip("a part of games")
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
