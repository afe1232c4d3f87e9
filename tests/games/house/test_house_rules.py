"""Rules that exist in text only: modules of a few lines change what is legal and what it is worth, in both readings alike."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.modules import Visibility
from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.games.beacon_patrol.asking import at, legal, reached, why
from tests.games.beacon_patrol.boards import drawn, state_with
from tests.games.beacon_patrol.oracle.shores import Board
from tests.games.beacon_patrol.states import written_moves
from tests.paths import ROOT
from tests.puzzles.positions import value, zone
from tests.rules.playing import engine_of, lively, play_in_step, shipped

FILES = sorted((ROOT / "rules" / "library" / "house").glob("*.rules"))
HOUSE = tuple(f"house.{path.stem}" for path in FILES)
PLUS = """
sea:
    .     open  .
    buoy  hq@1  e_light
    .     buoy  .
"""


def sailing(here: Position) -> set[str]:
    return {text for text in legal(here) if text.startswith(("sail", "jettison"))}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_is_a_few_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 20


@pytest.mark.parametrize("name", HOUSE)
def test_games_in_both_readings(name: str) -> None:
    for players in (1, 2):
        for _ in play_in_step(engine_of(players, name), players, lively, 12):
            pass


def test_five_tokens() -> None:
    engine = engine_of(1, "house.five_tokens")
    assert engine.start(3)[engine.layout.position("tokens", 1)] == 5
    more = engine_of(2, "house.five_tokens")
    assert more.start(3)[more.layout.position("tokens", 2)] == 3


def test_the_fifth_token_is_one_more_move() -> None:
    sailed = []
    for roots in ("beacon_patrol", "house.five_tokens"):
        engine = engine_of(1, roots)
        state, moves = engine.start(3), 0
        move = next(m for text, m in written_moves(engine, state).items() if text.startswith("place"))
        state = engine.apply(state, move)
        while sail := [m for text, m in written_moves(engine, state).items() if text.startswith("sail")]:
            state, moves = engine.apply(state, sail[0]), moves + 1
        sailed.append(moves)
    assert sailed == [4, 5]


def test_diagonal_sailing() -> None:
    """Westwards there is open sea round both corners; south-east the land of the ship's own tile closes both ways."""
    before, after = (sailing(at(rules, BENT)) for rules in ("beacon_patrol", "house.diagonal_sailing"))
    assert before == {"sail north", "sail west", "jettison open north", "jettison open west"}
    assert after - before == {
        *("sail north_west", "jettison open north_west"),
        *("sail south_west", "jettison open south_west"),
    }
    assert before <= after


BENT = """
sea:
    n_house   open       .
    buoy      es_house@1 w_house
    hq        n_light    open
hand 1: open
tokens 1: 1
"""


def test_rotating() -> None:
    """A tile fits with its land to the west only; a turned tile on the board shows its sides turned."""
    here = at("house.rotating", "sea:\n    hq  ew@1\nhand 1: n_house\ntokens 1: 4\nallow impossible position")
    placed = {text for text in legal(here) if text.startswith("place")}
    assert placed == {f"place n_house {way} {quarter}" for way, quarters in OPEN_WATER.items() for quarter in quarters}
    turned = reached(here, "place n_house north 3", "sail south")
    assert value(turned, "ship", 1) == (1, 0)


OPEN_WATER = {"north": (0, 1, 3), "south": (1, 2, 3)}
"""The quarters by which a coast to the north may be turned so that it shows water to the tile beside it."""


def test_a_turned_tile_is_read_turned() -> None:
    body = "sea:\n    .  open  .\n    .  n_house@1 .\n    . hq .\nturned (1,1): 1\nhand 1: open, w_house\ntokens 1: 2"
    here = at("house.rotating", body)
    assert {"sail north", "sail south"} <= legal(here)
    assert why(here, "place open east 0") == {"place.matching"}
    assert "place w_house east 0" not in legal(here)
    assert why(here, "place w_house east 0") == {"place.by_water"}
    assert "place open west 0" in legal(here)


def test_rotating_piers() -> None:
    """The land of a pier goes on over the edges of turned tiles."""
    engine = engine_of(1, "house.rotating", "beacon_patrol.piers")
    board: Board = drawn(". s_village .\nopen nw_pier s_village\n. open .")
    state = list(state_with(engine, board))
    turned = bytearray(state[engine.layout.position("turned", None)])
    window = engine.instance.windows["sea"]
    turned[window.cell((1, 1))] = 1  # land to the north and east
    turned[window.cell((2, 1))] = 1  # land to the west
    state[engine.layout.position("turned", None)] = bytes(turned)
    assert engine.score(tuple(state)) == 1 + 2 + 2


def test_diagonal_exploring() -> None:
    rows = "open buoy open\nbuoy hq buoy\nopen buoy ."
    engine = engine_of(1, "house.diagonal_exploring")
    assert engine.score(state_with(engine, drawn(rows))) == 0
    assert engine.score(state_with(engine, drawn(rows.replace(".", "open")))) == 3


def test_storm() -> None:
    body = PLUS + "hand 1: n_house\ntokens 1: "
    assert {"sail north", "sail east"} <= legal(at("house.storm", body + "2"))
    poor = at("house.storm", body + "1")
    assert why(poor, "sail north") == {"sail.token"}
    assert "jettison n_house north" in legal(poor)
    assert value(reached(poor, "sail east"), "tokens", 1) == 0
    assert value(reached(at("house.storm", body + "4"), "sail north"), "tokens", 1) == 2
    assert value(reached(at("house.storm", body + "4"), "jettison n_house north"), "tokens", 1) == 4


def test_fog() -> None:
    body = PLUS.replace("open ", "open@2") + "hand 1: n_house\nhand 2: s_house\ntokens 1: 3\ntokens 2: 3"
    near = at("house.fog", body, 2)
    assert "swap n_house for s_house of 2" in legal(near)
    far = reached(near, "sail south")
    assert why(far, "swap n_house for s_house of 2") == {"swap.in_sight"}
    assert engine_of(2, "house.fog").game.variables["hand"].visibility is Visibility.OWNER


def test_longer_keep() -> None:
    body = PLUS + "hand 1: n_house, s_house, open\ntokens 1: 1\ndraw: buoy x3"
    here = reached(at("house.longer_keep", body), "keep n_house", "keep s_house")
    assert why(here, "keep open") == {"keep.room"}
    assert sorted(zone(reached(here, "stop"), "hand", 1)) == ["buoy", "n_house", "s_house"]
    assert "sail north" in legal(here)


def test_round_sea() -> None:
    """From the western edge to the eastern one, and a tile there is surrounded across the edge."""
    body = "sea:\n    hq@1  open  .  .  .  .  .  .  open\nhand 1: buoy\ntokens 1: 1"
    here = at("house.round_sea", body)
    assert {"sail east", "sail west", "place buoy north", "place buoy south"} <= legal(here)
    assert value(reached(here, "sail west"), "ship", 1) == (8, 0)
    assert value(reached(here, "place buoy north"), "ship", 1) == (0, 8)


def test_tide() -> None:
    body = PLUS + "hand 1: n_house\ntokens 1: 4\ndraw: open"
    here = at("house.tide", body)
    assert why(here, "sail north") == {"sail.tide"}
    assert why(here, "jettison n_house north") == {"jettison.tide"}
    assert {"sail east", "sail south", "sail west"} <= legal(here)
    later = reached(here, "stop")
    assert why(later, "sail east") == {"sail.tide"}
    assert "sail north" in legal(later)


def test_homecoming() -> None:
    body = PLUS.replace("hq@1", "hq@1@2") + "hand 1: n_house\ntokens 1: 3\ntokens 2: 3"
    here = at("house.homecoming", body, 2)
    base = at("beacon_patrol", body, 2)
    scores = [p.engine.score(p.state) for p in (here, reached(here, "sail north"), base)]
    assert scores == [scores[2] + 4, scores[2] + 2, scores[2]]


def test_leading_lights() -> None:
    """The headquarters and the light to the east see each other over a buoy; a gap or a corner hides them."""
    engine = engine_of(1, "house.leading_lights")
    rows = ". open open .\nbuoy hq buoy e_light\n. open open ."
    assert engine.score(state_with(engine, drawn(rows))) == 5 + 2
    assert engine.score(state_with(engine, drawn(rows.replace("e_light", "open")))) == 3 + 2
    assert (
        engine.score(
            state_with(engine, drawn(rows.replace("e_light", "open").replace(". open open .", ". open open e_light", 1)))
        )
        == 5
    )


def test_towing() -> None:
    body = PLUS.replace("hq@1", "hq@1@2") + "hand 1: n_house\nhand 2: open\ntokens 1: 1\ntokens 2: 3"
    here = at("house.towing", body, 2)
    towed = reached(here, "tow 2 north")
    assert (value(towed, "ship", 1), value(towed, "ship", 2), value(towed, "tokens", 1)) == ((1, 0), (1, 0), 0)
    assert why(towed, "tow 2 south") == {"tow.token"}
    apart = reached(at("house.towing", body.replace("tokens 1: 1", "tokens 1: 3"), 2), "sail north")
    assert not any(text.startswith("tow") for text in legal(apart))


# Together -------------------------------------------------------------------------------------------------------------


def test_house_rules_together() -> None:
    engine = Engine.of(engine_of(1, "house.diagonal_sailing", "house.five_tokens").game, 2)
    for _ in play_in_step(engine, 5, lively, 40):
        pass
    assert engine.game.modules[-2:] == ("house.diagonal_sailing", "house.five_tokens")
    assert ReferenceEngine(engine).legal(engine.start(1)) == engine.legal(engine.start(1))


def test_all_pairs_link() -> None:
    """None of them changes what another one changes."""
    for pair in combinations(HOUSE, 2):
        assert set(pair) <= set(shipped(*pair).modules)


def test_the_german_edition_says_why_it_does_not_go_with_a_diagonal_discard() -> None:
    with pytest.raises(RulesError) as caught:
        shipped("beacon_patrol.german", "house.diagonal_sailing")
    (found,) = caught.value.diagnostics
    assert found.code == "RW104"
    assert all(name in found.message for name in ("beacon_patrol.german", "house.diagonal_sailing", "jettison"))
