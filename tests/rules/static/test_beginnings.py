"""Games that cannot begin: what `check` says of a set-up that breaks a rule."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import Sink
from rulewright.rules.model.game import Game
from rulewright.rules.static import static_checks
from rulewright.rules.static.static_checks import check_set_up
from tests.rules.playing import linked

BOATS = """module boats:
    "Boats for two or three."

players 2..3

tiles kinds:
    boat x2

state:
    boats of player: set of tiles
    pool:            set of tiles

procedure set_up:
    all_of_them: move all box to pool
    deal:        for p in players: move boat to boats of p from pool

action wait:
    effect wait: move all pool to pool

flow:
    set_up
    choose wait or stop
"""


def found(game: Game) -> list[tuple[str, str, str]]:
    sink = Sink()
    check_set_up(game, sink)
    return [(one.code, one.message, one.help) for one in sink]


def test_a_set_up_that_fails_for_some_number_of_players_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_checks, "SECONDS", 60.0)
    (flaw,) = found(linked(BOATS))
    assert flaw == (
        "RW363",
        "`set_up.deal.1` takes a tile that is not in `pool`",
        "this happens while a game for 3 is set up; "
        "require that it is there; in a puzzle, check which tiles the position puts there",
    )
    assert found(linked(BOATS.replace("boat x2", "boat x3"))) == []


def test_there_are_cards_for_three_hazards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_checks, "SECONDS", 60.0)
    three = ("castles_by_the_sea.dragon", "castles_by_the_sea.giant", "castles_by_the_sea.terror")
    assert found(linked(roots=three)) == []
    (flaw,) = found(linked(roots=(*three, "castles_by_the_sea.meteor")))
    assert flaw[0] == "RW363"
