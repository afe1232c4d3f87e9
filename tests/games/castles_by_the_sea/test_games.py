"""Random games of all combinations, for one to four players, under the eyes of the reckoning."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from tests.games.castles_by_the_sea.beach import COMBINATIONS, FOR_ONE, engine, random_game
from tests.games.castles_by_the_sea.umpire import watch
from tests.rules.playing import linked, shipped, variant

GAMES = (
    (2, "crabs_and_robbers"),
    (3, "seashore_zoning"),
    (4, "hurricane_season"),
    (4, "coastal_warfare"),
    (1, "distant_shores"),
)
"""Together they have most pieces and all hazards; the campaign plays all combinations."""


@pytest.mark.parametrize(("players", "combination"), GAMES)
def test_a_game_keeps_the_rules(players: int, combination: str) -> None:
    faults, made = watch(engine(players, combination), seed=1)
    assert faults == []
    assert made["build"] > 10
    assert sum(made[name] for name in made if name.startswith("place_")) > 3


@pytest.mark.parametrize(("players", "combination"), GAMES)
def test_games_keep_the_invariants(players: int, combination: str) -> None:
    here = engine(players, combination)
    states = [after for _, _, after in random_game(here, 2)]
    assert len(states) > 50
    for state in states[::10]:
        evaluator = here.evaluator(state)
        assert [held.name for held in here.game.invariants if not evaluator.value(held.condition, {})] == []


BROKEN = {
    "change room:\n    drop open": "keeps",
    "change room:\n    drop walls": "a tower needs the wall",
    "change build:\n    drop joined": "touches no block of this turn",
    "change build:\n    drop supported": "hangs in the air",
    "change place_figure:\n    drop fresh": "is connected to no block of this turn",
    "change reward:\n    arch: 5 when kind = tower": "earned for",
}


@pytest.mark.parametrize("change", [pytest.param(change, id=change.split("\n    ")[1].split(":")[0]) for change in BROKEN])
@pytest.mark.campaign
def test_the_reckoning_notices_what_is_broken(change: str) -> None:
    here = Engine.of(linked(variant(change.replace("arch: 5", "high: 5"), extends="castles_by_the_sea.basic")), 2)
    found = [fault for seed in range(6) for fault in watch(here, seed)[0]]
    assert any(BROKEN[change] in fault for fault in found)


FORGOTTEN = {
    "end_turn.built": (2, "basic", "fresh"),
    "end_turn.quiet": (2, "starfish_crossed_lovers", "hushed"),
    "end_turn.calm": (2, "hurricane_season", "struck"),
    "end_turn.lower": (2, "starfish_crossed_lovers", "shield"),
    "end_turn.idle": (2, "basic", "placed_any"),
    "open_hazards.none": (2, "basic", "moved"),
    "open_hazards.still": (2, "basic", "flipped"),
    "refill.done": (1, "basic", "card_done"),
    "raise_alarm.count_down": (3, "hurricane_season", "alarms"),
}
"""Statements that end what lasts for a turn: players and combination of a game without one, and what the diary says of it."""


@pytest.mark.parametrize("statement", FORGOTTEN)
@pytest.mark.campaign
def test_the_diary_notices_an_end_that_is_left_out(statement: str) -> None:
    players, combination, name = FORGOTTEN[statement]
    item, label = statement.split(".")
    alone = ", castles_by_the_sea.solo" if players == 1 else ""
    fault = variant(f"change {item}:\n    drop {label}", extends=f"castles_by_the_sea.{combination}{alone}")
    here = Engine.of(linked(fault), players)
    assert any(f"{name} is not what" in fault for seed in range(6) for fault in watch(here, seed)[0])


@pytest.mark.parametrize("combination", sorted(set(COMBINATIONS) - set(FOR_ONE)))
def test_combinations_against_others_are_not_for_one(combination: str) -> None:
    with pytest.raises(RulesError) as caught:
        linked(roots=(f"castles_by_the_sea.{combination}", "castles_by_the_sea.solo"))
    assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"RW104"}


@pytest.mark.parametrize("combination", FOR_ONE)
def test_five_combinations_are_for_one(combination: str) -> None:
    assert shipped(f"castles_by_the_sea.{combination}", "castles_by_the_sea.solo").players.low == 1


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_every_combination_is_for_two_to_four(combination: str) -> None:
    players = shipped(f"castles_by_the_sea.{combination}").players
    assert (players.low, players.high) == (2, 4)


def test_the_diary_notices_an_alarm_that_is_lost() -> None:
    fault = variant("change ranger_falls:\n    drop alarm", extends="castles_by_the_sea.seashore_zoning")
    here = Engine.of(linked(fault), 3)
    assert any("an alarm is lost" in found for found in watch(here, 0)[0])
