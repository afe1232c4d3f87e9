"""The core against compiled Python: games that ship, and random rules in random states."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.core.states import core_state
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces import Extent
from tests.rules.core.in_step import begun, outcome, play_in_step, player_of, scores_of
from tests.rules.odd_games import odd_game, random_state
from tests.rules.playing import linked, lively, shipped

SMALL = Extent((-6, -6), (6, 6))


@pytest.mark.parametrize("module", ["beacon_patrol", "classics.pig", "classics.market", "classics.connect_four"])
def test_a_game(module: str) -> None:
    engine = Engine.of(shipped(module), shipped(module).players.low, {"sea": SMALL})
    player = player_of(engine)
    state = begun(player, engine, 3)
    assert state is not None
    assert play_in_step(player, engine, state, 3, lively, 12) > 1


def test_a_horizon() -> None:
    engine = Engine.of(shipped("beacon_patrol"), 2, {"sea": SMALL}).with_horizon(Horizon("turn", 2))
    player = player_of(engine)
    state = begun(player, engine, 1)
    assert state is not None
    assert play_in_step(player, engine, state, 1, most=60) < 60
    assert player.core.variables[0].values.stop == 3


def read_in_both_ways(seed: int, states: int) -> int:
    """The number of successors that agreed."""
    dice, successors = random.Random(seed), 0
    try:
        engine = Engine.of(linked(odd_game(seed)), seed % 3 + 1)
    except RulesError:
        return 0
    player = player_of(engine)
    for _ in range(states):
        state = random_state(engine, dice)
        seen = core_state(player.core, engine.layout, state)
        assert outcome(player.scores, seen) == outcome(scores_of, engine, state)
        moves = outcome(engine.legal, state)
        assert outcome(player.legal, seen) == moves
        for move in dice.sample(moves or [], min(8, len(moves or []))):
            after = outcome(engine.apply, state, move)
            assert outcome(player.apply, seen, move) == (after and core_state(player.core, engine.layout, after))
            successors += after is not None
    return successors


@pytest.mark.parametrize("seed", [*range(4), 170, 244])  # 170, 244: a map by a key, of a known subject
def test_random_rules(seed: int) -> None:
    read_in_both_ways(seed, 3)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1000, 2000, 100))
def test_many_random_rules(seed: int) -> None:
    assert sum(read_in_both_ways(number, 5) for number in range(seed, seed + 100)) > 100
