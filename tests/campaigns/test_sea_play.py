"""Expansions, ships and house rules at random: two games of each and a few mixtures, a thousand of each in the campaign."""

from __future__ import annotations

import pytest

from tests.campaigns import sea_play

GAMES = 1_000
ALONE = [*sea_play.EXPANSIONS, *sea_play.SHIPS, *sea_play.house_rules()]


@pytest.mark.parametrize("module", ALONE)
def test_two_games(module: str) -> None:
    assert sea_play.play_many((module,), range(2)).faults == []


@pytest.mark.parametrize("number", range(0, 60, 10))
def test_a_mixture(number: int) -> None:
    assert sea_play.play_many((), range(number, number + 1)).faults == []


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sea_play.shores, "worth", lambda board, cell: 7)
    assert sea_play.play_many((sea_play.SHIPS[1],), range(4)).faults


@pytest.mark.campaign
def test_a_thousand_games_of_each() -> None:
    tally = sea_play.campaign(GAMES)
    print(tally.games, tally.choices, tally.explored)
    assert tally.faults == []
    assert set(tally.games.values()) == {GAMES}
