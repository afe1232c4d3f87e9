"""What bars a marker's way, read off the rules; and that it bars nothing that happens."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.best.bounds.movement_rules import MovementRules, movement_rules
from tests.rules.playing import linked, shipped, variant
from tests.solver.best.test_fallback import VARIANTS

OVER_LAND = """
change place:
    drop by_water
change sail:
    drop by_water
"""

ANYWHERE = """
action drift(to in nearby(ship of player)):
    require charted: occupied(to)
    effect go: ship of player := origin of sea
change flow:
    add drift to turn
"""

TOWING = """
action tow(other in players, to in around(ship of other)):
    require charted: occupied(to)
    effect go: ship of other := to
change flow:
    add tow to turn
"""

SAID_APART = """
define wet(to) = joined(ship of player, to, water)
change sail:
    replace by_water: wet(to)
"""


def read(game: Game) -> tuple[Engine, State, MovementRules | None]:
    engine = Engine.of(game, 1)
    state = engine.start(1)
    analysis = DataflowAnalysis(engine, tuple(score.value for score in game.scores))
    return engine, state, movement_rules(ReachableStates(engine, analysis, state), "sea")


def test_by_water() -> None:
    engine, _, found = read(shipped("beacon_patrol"))
    assert found is not None
    window = engine.instance.windows["sea"]
    tiles = {tile.name: number for number, tile in enumerate(engine.game.tiles, 1)}
    land = tiles["n_light"]
    for at, direction in enumerate(found.directions):
        side, back = (window.directions[d] for d in (direction, window.opposite[direction]))
        assert (land in found.leaves[at]) is (side != "N")
        assert (land in found.lays[at]) is (back != "N")
        assert (land in found.enters[at]) is (back != "N")
        assert tiles["open"] in found.lays[at] & found.leaves[at] & found.enters[at]


def test_over_land() -> None:
    _, _, found = read(linked(variant(OVER_LAND)))
    assert found is not None
    assert len({*found.lays, *found.leaves, *found.enters}) == 1


@pytest.mark.parametrize("change", [ANYWHERE, TOWING])
def test_a_marker_that_goes_anywhere(change: str) -> None:
    _, _, found = read(linked(variant(change)))
    assert found is None


def test_a_condition_may_be_said_apart() -> None:
    _, _, found = read(linked(variant(SAID_APART)))
    assert found == read(shipped("beacon_patrol"))[2] != read(linked(variant(OVER_LAND)))[2]


@pytest.mark.parametrize("change", ["", *VARIANTS])
def test_nothing_that_happens_is_barred(change: str) -> None:
    game = linked(variant(VARIANTS[change])) if change else shipped("beacon_patrol")
    engine, state, found = read(game)
    assert found is not None
    window, rng = engine.instance.windows["sea"], random.Random(change)
    sea, (marker,) = engine.layout.position("sea", None), found.markers
    for _ in range(200):
        legal = engine.legal(state)
        if engine.over(state) or not legal:
            break
        after = engine.apply(state, rng.choice(legal))
        here, there = state[marker], after[marker]
        if here != there and here in found.translatable and there in found.translatable:
            at = next(at for at, d in enumerate(found.directions) if window.steps[d][here] == there)
            if state[sea][there]:
                assert state[sea][here] in found.leaves[at]
                assert state[sea][there] in found.enters[at]
            else:
                assert after[sea][there] in found.lays[at]
        state = after
