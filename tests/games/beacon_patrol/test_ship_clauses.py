"""Each clause of Ships & Shores, and of the German edition, by a position: legal, not legal and why; `test_ship_scores.py`."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from rulewright.puzzles.plan_replay import replay
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_attempt
from rulewright.rules.play.why_illegal import why_not
from tests.games.beacon_patrol.asking import (
    COAST_GUARD,
    CONSTRUCTION,
    FERRY,
    HOVERCRAFT,
    PILOT,
    RESEARCH,
    SUBMARINE,
    at,
    legal,
    reached,
    why,
)
from tests.games.beacon_patrol.boards import kinds_of
from tests.games.test_clauses import CLAUSES, is_ruling
from tests.puzzles.positions import value, zone
from tests.rules.playing import engine_of

GERMAN = "beacon_patrol.german"


# Setting up -----------------------------------------------------------------------------------------------------------


def begun(players: int, *modules: str, take: tuple[str, ...]) -> tuple[Engine, State]:
    """A game in which the captains take these ships in turn."""
    engine = engine_of(players, *modules)
    return engine, replay(engine, engine.start(3), [f"take {ship}" for ship in take])[-1].state


def names(engine: Engine, state: State, zone: str, index: int | None = None) -> list[str]:
    return [engine.game.tiles[tile - 1].name for tile in state[engine.layout.position(zone, index)]]


def offered(engine: Engine, state: State) -> list[str]:
    return [format_move(engine, state, move) for move in engine.legal(state)]


def test_ships_are_chosen_one_each() -> None:
    """ss.setup.choose, ss.setup.one_of_each"""
    engine = engine_of(2, FERRY, HOVERCRAFT)
    start = engine.start(3)
    assert sorted(offered(engine, start)) == ["take ferry", "take hovercraft"]
    one = replay(engine, start, ["take ferry"])[-1].state
    assert (engine.player(one), offered(engine, one)) == (2, ["take hovercraft"])
    failures = why_not(engine, one, parse_attempt(engine, one, "take ferry"))
    assert [failure.requirement for failure in failures] == ["take_ship.free"]


def test_whoever_finds_no_ship_left_takes_a_patrol_ship() -> None:
    """ss.ruling.r10"""
    engine, state = begun(2, FERRY, take=("ferry",))
    assert engine.player(state) == 1 and any(text.startswith("place") for text in offered(engine, state))
    fleet = engine.game.enumerations["fleet"]
    assert [fleet[state[engine.layout.position("vessel", p)]] for p in (1, 2)] == ["ferry", "patrol_ship"]


@pytest.mark.parametrize(
    ("module", "ship", "tiles"),
    [
        (RESEARCH, "research_ship", "seal_banks"),
        (CONSTRUCTION, "construction_ship", "windmills"),
        (HOVERCRAFT, "hovercraft", "ponds"),
        (COAST_GUARD, "coast_guard", "outposts"),
        (FERRY, "ferry", "piers"),
        (PILOT, "pilot_boat", "far_bays"),
    ],
)
def test_a_ship_brings_its_tiles(module: str, ship: str, tiles: str) -> None:
    """ss.research.tiles, ss.construction.tiles, ss.hovercraft.tiles, ss.coast_guard.tiles, ss.ferry.tiles, ss.pilot_boat.tiles,
    ss.setup.draw_pile"""
    engine, state = begun(1, module, take=(ship,))
    assert Counter(names(engine, state, "draw") + names(engine, state, "hand", 1)) == Counter(kinds_of(tiles))


def test_the_wrecks_begin_as_the_discard_pile() -> None:
    """ss.submarine.tiles"""
    engine, state = begun(1, SUBMARINE, take=("submarine",))
    assert names(engine, state, "discarded") == ["wreck"] * 4
    assert Counter(names(engine, state, "draw") + names(engine, state, "hand", 1)) == Counter(kinds_of())


def test_tiles_come_only_with_their_ship() -> None:
    """ss.setup.tiles_with_ship: four ships on offer, one taken; and windmills without the construction ship."""
    engine, state = begun(1, FERRY, CONSTRUCTION, SUBMARINE, HOVERCRAFT, take=("hovercraft",))
    assert Counter(names(engine, state, "draw") + names(engine, state, "hand", 1)) == Counter(kinds_of("ponds"))
    assert names(engine, state, "discarded") == []
    engine, state = begun(1, FERRY, "beacon_patrol.windmills", take=("ferry",))
    assert Counter(names(engine, state, "draw") + names(engine, state, "hand", 1)) == Counter(kinds_of("piers"))


@pytest.mark.parametrize(("players", "tiles", "tokens"), [(1, 3, 4), (2, 3, 3), (3, 3, 3), (4, 2, 2)])
def test_tiles_and_tokens_are_dealt_as_in_the_base_game(players: int, tiles: int, tokens: int) -> None:
    """ss.setup.allowance, and ss.ferry.token: one more for the ferry alone."""
    engine, state = begun(players, FERRY, take=("ferry",))
    assert [len(names(engine, state, "hand", p)) for p in range(1, players + 1)] == [tiles] * players
    held = [state[engine.layout.position("tokens", p)] for p in range(1, players + 1)]
    assert held == [tokens + 1] + [tokens] * (players - 1)


# Abilities ------------------------------------------------------------------------------------------------------------

PLUS = """
sea:
    .      open  .
    w_buoy hq@1  e_light
    .      s_light .
"""
TWO = PLUS.replace("hq@1", "hq@1@2")


def test_the_research_ship_swaps_once_more_for_a_token() -> None:
    """ss.research.swap, ss.ruling.r17"""
    body = TWO + "vessel 1: research_ship\nhand 1: n_house, n_buoy\nhand 2: open\ntokens 1: 2\ntokens 2: 3"
    here = at(RESEARCH, body, 2)
    assert why(here, "barter n_house for open of 2") == {"barter.second"}
    swapped = reached(here, "swap n_house for open of 2")
    assert why(swapped, "swap n_buoy for n_house of 2") == {"swap.once"}
    assert "barter n_buoy for n_house of 2" in legal(swapped)
    again = reached(swapped, "barter n_buoy for n_house of 2")
    assert (zone(again, "hand", 1), zone(again, "hand", 2)) == (["n_house", "open"][::-1], ["n_buoy"])
    assert value(again, "tokens", 1) == 1
    assert why(again, "barter open for n_buoy of 2") == {"barter.once"}
    assert why(
        at(RESEARCH, body.replace("tokens 1: 2", "tokens 1: 0") + "\nswapped: yes", 2), "barter n_house for open of 2"
    ) == {"barter.token"}


def test_others_do_not_swap_once_more() -> None:
    """ss.turn.own_ship: the research ship is in play, but it is not its turn."""
    body = TWO + "vessel 2: research_ship\nhand 1: n_house\nhand 2: open\ntokens 1: 3\ntokens 2: 3\nswapped: yes"
    assert why(at(RESEARCH, body, 2), "barter n_house for open of 2") == {"barter.aboard"}


def test_alone_the_research_ship_keeps_two_tiles() -> None:
    """ss.research.solo_keep"""
    body = PLUS + "vessel 1: research_ship\nhand 1: n_house, n_buoy, open\ntokens 1: 1\ndraw: ew x2, buoy"
    here = at(RESEARCH, body)
    stowed = reached(here, "stow n_house")
    assert value(stowed, "tokens", 1) == 0
    assert why(stowed, "stow n_buoy") == {"stow.once", "stow.token"}
    ended = reached(stowed, "keep n_buoy")
    assert sorted(zone(ended, "hand", 1)) == ["ew", "n_buoy", "n_house"]
    assert zone(ended, "discarded") == ["open"]
    assert why(at(RESEARCH, body.replace("research_ship", "patrol_ship")), "stow open") == {"stow.aboard"}
    assert why(at(RESEARCH, body + "\ndealt 1: no"), "stow open") == {"stow.dealt"}


def test_the_construction_ship_gets_a_token_back_for_a_tile() -> None:
    """ss.construction.refresh, ss.ruling.r11"""
    body = PLUS + "vessel 1: construction_ship\nhand 1: n_house, open, buoy\ntokens 1: 1"
    here = reached(at(CONSTRUCTION, body), "sail north")
    assert value(here, "tokens", 1) == 0
    assert value(reached(here, "place open north"), "tokens", 1) == 1
    assert value(reached(here, "place open north", "sail south"), "tokens", 1) == 0
    full = at(CONSTRUCTION, body.replace("tokens 1: 1", "tokens 1: 4"))
    assert value(reached(full, "sail north", "place open north", "place buoy east"), "tokens", 1) == 4
    other = at(CONSTRUCTION, body.replace("construction_ship", "patrol_ship"))
    assert value(reached(other, "sail north", "place open north"), "tokens", 1) == 0


def test_the_hovercraft_lays_a_tile_over_land() -> None:
    """ss.hovercraft.place, ss.hovercraft.ponds"""
    body = "sea:\n    open s_village@1 open\nvessel 1: hovercraft\nhand 1: pond, n_house, open\ntokens 1: 1"
    here = at(HOVERCRAFT, body)
    assert {"place ashore pond south", "place ashore n_house south"} <= legal(here)
    assert why(here, "place n_house south") == {"place.by_water"}
    assert why(here, "place ashore open north") == {"place_ashore.by_land"}
    laid = reached(here, "place ashore pond south")
    assert (value(laid, "ship", 1), value(laid, "tokens", 1)) == ((1, 1), 0)
    assert why(laid, "place ashore n_house south") == {"place_ashore.token"}
    other = at(HOVERCRAFT, body.replace("hovercraft", "patrol_ship"))
    assert why(other, "place ashore pond south") == {"place_ashore.aboard"}
    assert not any("pond" in text for text in legal(other) if text.startswith("place"))


def test_the_hovercraft_crosses_land_for_two_tokens() -> None:
    """ss.hovercraft.cross, ss.ruling.r13: a discarded tile pays for it only by a token that it turns back."""
    body = "sea:\n    s_village@1\n    n_house\nvessel 1: hovercraft\nhand 1: open x2\ntokens 1: 3"
    here = at(HOVERCRAFT, body)
    assert "cross south" in legal(here)
    assert why(here, "sail south") == {"sail.by_water"}
    assert value(reached(here, "jettison open"), "tokens", 1) == 4
    crossed = reached(here, "cross south")
    assert (value(crossed, "ship", 1), value(crossed, "tokens", 1)) == ((0, 1), 1)
    assert why(crossed, "cross north") == {"cross.token"}
    assert why(at(HOVERCRAFT, body.replace("hovercraft", "patrol_ship")), "cross south") == {"cross.aboard"}
    by_water = at(HOVERCRAFT, PLUS + "vessel 1: hovercraft\nhand 1: open\ntokens 1: 3")
    assert why(by_water, "cross north") == {"cross.by_land"}


def test_the_coast_guard_goes_to_any_outpost() -> None:
    """ss.coast_guard.patrol, ss.ruling.r15: no way by water leads there."""
    body = """
sea:
    .          .           ne_house  sw_house
    hq         open        n_house@1 .
    .          ne_outpost  .         .
vessel 1: coast_guard
hand 1: open
tokens 1: 1
allow impossible position
"""
    here = at(COAST_GUARD, body)
    assert {text for text in legal(here) if text.startswith("patrol")} == {"patrol (0,1)", "patrol (1,2)"}
    assert {text for text in legal(here) if text.startswith("jettison")} == {"jettison open"}
    assert why(here, "patrol (1,1)") == {"patrol.post"}
    gone = reached(here, "patrol (1,2)")
    assert (value(gone, "ship", 1), value(gone, "tokens", 1)) == ((1, 2), 0)
    assert why(gone, "patrol (0,1)") == {"patrol.token"}
    assert why(at(COAST_GUARD, body.replace("coast_guard", "patrol_ship")), "patrol (0,1)") == {"patrol.aboard"}


LANE = """
sea:
    .     .     .     .      .     open
    hq@1  open  buoy  open   buoy  buoy
    open  .     .     .      .     .
    .     .     .     .      .     .
"""


def test_the_ferry_goes_up_to_three_spaces_straight_on() -> None:
    """ss.ferry.steam, ss.ruling.r14"""
    body = LANE + "vessel 1: ferry\nhand 1: open\ntokens 1: 5"
    here = at(FERRY, body)
    assert {text for text in legal(here) if text.startswith(("steam", "sail"))} == {
        *("sail east", "sail south", "steam (2,1)", "steam (3,1)"),
    }
    assert {text for text in legal(here) if text.startswith("jettison")} == {"jettison open"}
    gone = reached(here, "steam (3,1)")
    assert (value(gone, "ship", 1), value(gone, "tokens", 1)) == ((3, 1), 4)
    assert why(gone, "steam (5,0)") == {"steam.straight", "steam.by_water"}
    blocked = at(FERRY, body.replace("buoy  open   buoy", "e_buoy  ew  w_buoy"))
    assert why(blocked, "steam (3,1)") == {"steam.by_water"}
    assert why(at(FERRY, body.replace("ferry", "patrol_ship").replace("tokens 1: 5", "tokens 1: 4")), "steam (2,1)") == {
        "steam.aboard"
    }
    assert why(at(FERRY, body.replace("tokens 1: 5", "tokens 1: 0")), "steam (2,1)") == {"steam.token"}


def test_the_ferry_swaps_nothing() -> None:
    """ss.ferry.no_swap, ss.turn.own_turn: on the other's turn the other may swap with it."""
    body = TWO + "vessel 1: ferry\nhand 1: n_house\nhand 2: open\ntokens 1: 4\ntokens 2: 3"
    here = at(FERRY, body, 2)
    assert why(here, "swap n_house for open of 2") == {"swap.no_ferry"}
    other = at(FERRY, body.replace("vessel 1", "vessel 2").replace("tokens 1: 4", "tokens 1: 3"), 2)
    assert "swap n_house for open of 2" in legal(other)


def test_alone_the_ferry_keeps_nothing() -> None:
    """ss.ferry.no_keep"""
    body = PLUS + "vessel 1: ferry\nhand 1: n_house\ntokens 1: 4\ndraw: open"
    assert why(at(FERRY, body), "keep n_house") == {"keep.no_ferry"}
    assert "keep n_house" in legal(at(FERRY, body.replace("ferry", "patrol_ship").replace("tokens 1: 5", "tokens 1: 4")))


def test_the_ferry_gets_its_token_back_each_turn() -> None:
    """ss.ferry.token"""
    here = at(FERRY, PLUS + "vessel 1: ferry\nhand 1: n_house\ntokens 1: 0\ndraw: open")
    assert value(reached(here, "stop"), "tokens", 1) == 5
    with pytest.raises(Exception, match="more movement tokens"):
        at(FERRY, PLUS + "vessel 1: patrol_ship\nhand 1: n_house\ntokens 1: 5\ndraw: open")


def test_the_pilot_boat_stays_where_it_is() -> None:
    """ss.pilot_boat.stays, ss.pilot_boat.follow, ss.ruling.r12"""
    body = PLUS + "vessel 1: pilot_boat\nhand 1: open, s_house\ntokens 1: 1"
    here = reached(at(PILOT, body), "sail north", "place open west")
    assert value(here, "ship", 1) == (1, 0)
    assert why(here, "sail west") == {"sail.token"}
    richer = reached(at(PILOT, body.replace("tokens 1: 1", "tokens 1: 2")), "sail north", "place open west", "sail west")
    assert value(richer, "ship", 1) == (0, 0)
    other = reached(at(PILOT, body.replace("pilot_boat", "patrol_ship")), "sail north", "place open west")
    assert value(other, "ship", 1) == (0, 0)


def test_the_pilot_boat_lays_tiles_over_land() -> None:
    """ss.pilot_boat.over_land, ss.hovercraft.ponds, and that it does not follow there (ss.ruling.r12)"""
    body = "sea:\n    open s_village@1 open\nvessel 1: pilot_boat\nhand 1: n_house, open, pond\ntokens 1: 4"
    here = at(f"{HOVERCRAFT} + {PILOT}", body)
    assert {"place n_house south", "place pond south"} <= legal(here)
    assert why(here, "place open south") == {"place.matching"}
    laid = reached(here, "place n_house south")
    assert value(laid, "ship", 1) == (1, 0)
    assert why(laid, "sail south") == {"sail.by_water"}
    other = at(f"{HOVERCRAFT} + {PILOT}", body.replace("pilot_boat", "patrol_ship"))
    assert why(other, "place n_house south") == {"place.by_water"}


def test_the_submarine_raises_the_top_of_the_discarded_tiles() -> None:
    """ss.submarine.salvage"""
    body = PLUS + "vessel 1: submarine\nhand 1: n_house\ntokens 1: 4\ndiscarded: wreck, buoy"
    here = at(SUBMARINE, body)
    raised = reached(here, "salvage")
    assert sorted(zone(raised, "hand", 1)) == ["n_house", "wreck"]
    assert (zone(raised, "discarded"), value(raised, "tokens", 1)) == (["buoy"], 2)
    assert why(raised, "salvage") == {"salvage.once"}
    assert why(at(SUBMARINE, body.replace("tokens 1: 4", "tokens 1: 1")), "salvage") == {"salvage.token"}
    assert why(at(SUBMARINE, body.replace("wreck, buoy", "none")), "salvage") == {"salvage.found"}
    assert why(at(SUBMARINE, body.replace("submarine", "patrol_ship")), "salvage") == {"salvage.aboard"}


def test_what_is_discarded_lies_in_the_order_of_the_box() -> None:
    """ss.ruling.r16: and a hand may be larger by the tile that was raised."""
    body = PLUS + "vessel 1: submarine\nhand 1: n_house, open, e_house\ntokens 1: 2\ndiscarded: wreck\ndraw: ew"
    here = reached(at(SUBMARINE, body), "salvage")
    assert len(zone(here, "hand", 1)) == 4
    assert zone(reached(here, "stop"), "discarded") == ["wreck", "e_house", "n_house", "open"]


# The German edition ---------------------------------------------------------------------------------------------------


def test_a_discarded_tile_turns_a_token_back() -> None:
    """bpg.move.discard"""
    here = at(GERMAN, PLUS + "hand 1: n_house, open\ntokens 1: 4")
    full = reached(here, "jettison open")
    assert (value(full, "tokens", 1), zone(full, "discarded")) == (4, ["open"])  # though no token was spent
    gone = reached(here, "sail north", "jettison open")
    assert (value(gone, "ship", 1), value(gone, "tokens", 1), zone(gone, "discarded")) == ((1, 0), 4, ["open"])


def test_the_ranks_are_winds() -> None:
    """bpg.ranks, bpg.ruling.ranks"""
    engine = engine_of(1, GERMAN)
    names = ["Calm", "Calm", "Light breeze", "Moderate wind", "Strong wind", "Hurricane"]
    assert [engine.rank(points) for points in (0, 25, 26, 36, 46, 56)] == names
    assert [engine_of(1, GERMAN, "beacon_patrol.piers").rank(points + 10) for points in (0, 25, 26, 36, 46, 56)] == names


# ----------------------------------------------------------------------------------------------------------------------


def test_every_clause_has_a_position() -> None:
    texts = [
        (Path(__file__).parent / name).read_text(encoding="utf-8") for name in ("test_ship_clauses.py", "test_ship_scores.py")
    ]
    said = set(re.findall(r"\b(?:ss|bpg)\.[a-z_0-9.]*[a-z_0-9]", "".join(texts)))
    asked = {
        name
        for name, fields in CLAUSES.items()
        if name.startswith(("ss.", "bpg.")) and "no_rule" not in fields and (is_ruling(name) or "same" not in fields)
    }
    assert asked - said == set()
    assert said <= set(CLAUSES)
