"""What the tiles of the special ships are worth, clause by clause, and boards at random against the independent judge."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.games.beacon_patrol.asking import (
    COAST_GUARD,
    CONSTRUCTION,
    FERRY,
    HOVERCRAFT,
    PILOT,
    RESEARCH,
    SHIPS,
    SUBMARINE,
    after,
    at,
)
from tests.games.beacon_patrol.boards import drawn, fits, kinds_of, random_board, state_with
from tests.games.beacon_patrol.oracle import shores
from tests.games.beacon_patrol.oracle.ships import BROUGHT
from tests.rules.playing import engine_of


def score(rows: str, module: str) -> int:
    """What the explored tiles of a drawing are worth, which has to match at all edges; the deduction left out."""
    engine, board = engine_of(1, module), drawn(rows)
    assert all(fits(board, kind, cell) for cell, kind in board.items())
    return engine.score(state_with(engine, board)) + 10


def test_ten_points_are_taken_off_for_each_captain() -> None:
    """ss.scoring.deduction; the rest as in the base game (ss.scoring.base)."""
    for players in (1, 2, 3, 4):
        engine = engine_of(players, SHIPS)
        assert engine.score(state_with(engine, drawn(". open .\nbuoy hq open\n. open ."))) == 3 - 10 * players


def test_ranks_are_those_of_the_base_game() -> None:
    """ss.ruling.r18, with windmills in play and with less than nothing."""
    engine = engine_of(1, CONSTRUCTION)
    assert [engine.rank(points) for points in (-40, 25, 26, 56)] == ["Calm", "Calm", "Light breeze", "Hurricane"]


def test_a_seal_bank_counts_the_tiles_without_a_house() -> None:
    """ss.research.scoring, ss.research.no_houses, ss.ruling.r9: not itself, and no tile that has a house on other land."""
    rows = """
        .     s_village  .
        .     ns_buoy    .
        open  n_seals    open
        .     open       .
    """
    assert score(rows, RESEARCH) == 1 + 1
    assert score(rows.replace("ns_buoy", "ns_house_s"), RESEARCH) == 1
    assert score(rows.replace("ns_buoy", "ns_house_n"), RESEARCH) == 1
    assert score(rows.replace(".     s_village  .\n", "").replace("ns_buoy", "s_light"), RESEARCH) == 1 + 1
    assert score("\n".join(rows.splitlines()[:-2]), RESEARCH) == 0  # ss.ruling.r8


def test_a_tile_with_two_lands_counts_once() -> None:
    """ss.ruling.r9: the land runs in a ring to both lands of `ew`; the middle is a lighthouse that is explored too."""
    rows = """
        es_light  ew         sw_light
        ne_light  esw_light  nw_light
        open      n_seals    open
        .         open       .
    """
    assert score(rows, RESEARCH) == (1 + 6) + 3


def test_a_windmill_of_the_construction_ship() -> None:
    """ss.construction.scoring"""
    assert score(". open .\nbuoy windmill e_light\n. hq .", CONSTRUCTION) == 4


@pytest.mark.parametrize(
    ("module", "rows"),
    [
        (HOVERCRAFT, ". s_light .\ne_light pond w_light\n. n_light ."),
        (COAST_GUARD, ". s_light .\nopen ne_outpost w_light\n. open ."),
        (PILOT, ". s_light .\nopen nes_bay w_light\n. n_light ."),
    ],
)
def test_ponds_outposts_and_far_bays_are_worth_two(module: str, rows: str) -> None:
    """ss.hovercraft.scoring, ss.coast_guard.scoring, ss.pilot_boat.scoring; unexplored worth nothing (ss.ruling.r8)."""
    assert score(rows, module) == 2
    assert score("\n".join(rows.splitlines()[1:]), module) == 0


def test_a_pier_of_the_ferry() -> None:
    """ss.ferry.scoring, ss.ferry.no_houses; unexplored it is worth nothing (ss.ruling.r8)."""
    assert score(". s_village .\ne_village nw_pier open\n. open .", FERRY) == 5
    assert score(". s_light .\ne_light nw_pier open\n. open .", FERRY) == 1
    assert score(". s_village .\ne_village nw_pier open", FERRY) == 0


def test_a_wreck_counts_the_buoys_beside_it() -> None:
    """ss.submarine.scoring"""
    assert score("buoy buoy buoy\nw_buoy wreck buoy\n. hq .", SUBMARINE) == 1 + 3
    assert score(". wreck .\nw_light wreck open\n. hq .", SUBMARINE) == 1


def test_tiles_score_by_whoever_laid_them() -> None:
    """ss.scoring.modules: the captain of the patrol ship lays the pond's last neighbour."""
    body = """
sea:
    .        s_light  .
    e_light  pond     .
    open     n_light  open@1@2
vessel 2: hovercraft
hand 1: w_light
hand 2: open
tokens 1: 3
tokens 2: 3
"""
    here = at(HOVERCRAFT, body, 2)
    assert here.engine.score(after(here, "place w_light north")) - here.engine.score(here.state) == 2


ALL = (RESEARCH, CONSTRUCTION, HOVERCRAFT, COAST_GUARD, FERRY, PILOT, SUBMARINE)


def against_the_judge(module: str, tiles: str, seed: int, boards: int) -> int:
    """How many tiles of the module were explored on boards at random, whose scores agree."""
    engine, rng = engine_of(2, module), random.Random(seed)
    explored = 0
    for _ in range(boards):
        board = random_board(rng, kinds_of(tiles), rng.choice([4, 5, 6]), rng.choice([4, 5, 6]))
        state = state_with(engine, board)
        assert engine.score(state) == shores.score(board) - 20
        explored += sum(kind in shores.MODULE_TILES and shores.explored(board, cell) for cell, kind in board.items())
    assert ReferenceEngine(engine).score(state) == engine.score(state)
    return explored


@pytest.mark.parametrize(("module", "tiles"), list(zip(ALL, BROUGHT.values(), strict=True)))
def test_random_boards(module: str, tiles: str) -> None:
    assert against_the_judge(module, tiles, 1, 30) > 10


@pytest.mark.campaign
@pytest.mark.parametrize(("module", "tiles"), list(zip(ALL, BROUGHT.values(), strict=True)))
def test_a_thousand_random_boards(module: str, tiles: str) -> None:
    assert against_the_judge(module, tiles, 2, 1000) > 400
