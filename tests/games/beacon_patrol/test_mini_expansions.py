"""Windmills and piers: each clause by a position worked out by hand, and boards at random against the independent judge."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.games.beacon_patrol.boards import drawn, fits, kinds_of, random_board, state_with
from tests.games.beacon_patrol.oracle import shores
from tests.rules.playing import engine_of

WINDMILLS, PIERS = "beacon_patrol.windmills", "beacon_patrol.piers"


def score(rows: str, *modules: str) -> int:
    """What the explored tiles of a drawing are worth, which has to match at all edges."""
    engine, board = engine_of(1, *modules), drawn(rows)
    assert all(fits(board, kind, cell) for cell, kind in board.items())
    state = state_with(engine, board)
    assert ReferenceEngine(engine).score(state) == engine.score(state)
    return engine.score(state)


def test_a_windmill_counts_the_open_sea_beside_it() -> None:
    """bp.windmills.value, with the four points of the rulebook's example."""
    assert score(". open .\nbuoy windmill e_light\n. hq .", WINDMILLS) == 4


def test_open_sea_may_bear_anything_but_land() -> None:
    """bp.windmills.open_ocean: other windmills, buoys and the headquarters."""
    assert score(". windmill .\nbuoy windmill open\n. hq .", WINDMILLS) == 5
    assert score(". n_house .\nw_house windmill e_buoy\n. s_light .", WINDMILLS) == 1


def test_the_diagonals_of_a_windmill_do_not_count() -> None:
    """bp.windmills.adjacent"""
    assert score("open n_house open\nw_house windmill e_buoy\nopen s_light open", WINDMILLS) == 1


def test_the_neighbours_of_a_windmill_need_not_be_explored() -> None:
    """bp.windmills.adjacent: of the plus only the middle is."""
    assert score(". open .\nopen windmill open\n. open .", WINDMILLS) == 5


def test_an_unexplored_windmill_or_pier_is_worth_nothing() -> None:
    """bp.expansions.explored_only"""
    assert score(". open .\nopen windmill .\n. open .", WINDMILLS) == 0
    assert score(". s_house .\n. nw_pier open\n. open .", PIERS) == 0


def test_a_pier_counts_the_houses_of_its_land() -> None:
    """bp.piers.value, with the five points of the rulebook's example."""
    assert score(". s_village .\ne_village nw_pier open\n. open .", PIERS) == 5


def test_the_land_of_a_pier_goes_on_over_the_edges() -> None:
    """bp.piers.landmass: houses on tiles that are not explored, and land that is open to the west and to the south."""
    rows = """
        .  .          s_village  .
        .  .          nsw_house  .
        .  nes_house  nw_pier    open
        .  .          open       .
    """
    assert score(rows, PIERS) == 1 + 2 + 1 + 1


def test_two_landmasses_of_a_tile_are_not_joined() -> None:
    """Of the tile above the pier only the house on the southern land counts, and nothing beyond it."""
    rows = """
        .        s_village   .
        .        ns_house_s  .
        e_house  nw_pier     open
        .        open        .
    """
    assert score(rows, PIERS) == 1 + 1 + 1
    assert score(rows.replace("ns_house_s", "ns_house_n"), PIERS) == 1 + 1


def test_each_house_counts_once() -> None:
    """R7: land that runs in a ring is not counted again and again."""
    ring = """
        es_house  esw_village  sw_house  .
        ne_house  new_house    nw_pier   open
        .         open         open      .
    """
    assert score(ring, PIERS) == 1 + (1 + 2 + 1 + 1 + 1) + 1


def test_lighthouses_and_outposts_are_no_houses() -> None:
    """R7"""
    assert score(". s_light .\ne_light nw_pier open\n. open .", PIERS) == 1


@pytest.mark.parametrize(
    ("modules", "more"), [((WINDMILLS,), 10), ((PIERS,), 10), ((PIERS, WINDMILLS), 20), (("beacon_patrol",), 0)]
)
def test_ranks(modules: tuple[str, ...], more: int) -> None:
    """bp.ranks.expansions: ten points more for each expansion."""
    engine = engine_of(1, *modules)
    found = {score: engine.rank(score + more) for score in (25, 26, 35, 36, 45, 46, 55, 56)}
    assert list(found.values()) == [
        "Novices", "Sailors", "Sailors", "Captains", "Captains", "Navigators", "Navigators", "Cartographers",
    ]  # fmt: skip
    assert engine.rank(0) == "Novices"


def test_the_tiles_are_shuffled_in() -> None:
    """bp.expansions.shuffled_in, bp.expansions.either_or_both"""
    for modules, sets in (((WINDMILLS,), ["windmills"]), ((PIERS,), ["piers"]), ((PIERS, WINDMILLS), ["windmills", "piers"])):
        engine = engine_of(2, *modules)
        state = engine.start(5)
        lying = [*state[engine.layout.position("draw", None)], *(t for p in (1, 2) for t in hand(engine, state, p))]
        assert sorted(engine.game.tiles[tile - 1].name for tile in lying) == sorted(kinds_of(*sets))


def hand(engine: Engine, state: State, player: int) -> tuple[int, ...]:
    held: tuple[int, ...] = state[engine.layout.position("hand", player)]
    return held


@pytest.mark.parametrize("modules", [(WINDMILLS,), (PIERS,), (PIERS, WINDMILLS)])
def test_random_boards(modules: tuple[str, ...]) -> None:
    engine, rng = engine_of(1, *modules), random.Random(len(modules))
    sets = [module.rsplit(".", maxsplit=1)[-1] for module in modules]
    explored = 0
    for _ in range(60):
        board = random_board(rng, kinds_of(*sets), rng.choice([4, 5, 6]), rng.choice([4, 5, 6]))
        state = state_with(engine, board)
        assert engine.score(state) == ReferenceEngine(engine).score(state) == shores.score(board)
        explored += sum(kind in shores.MODULE_TILES and shores.explored(board, cell) for cell, kind in board.items())
    assert explored > 30
