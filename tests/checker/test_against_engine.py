"""The checker's reading of the core against the engine: games that ship, and random rules in random states."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces import Extent
from tests.checker.beside import Beside
from tests.rules.odd_games import odd_game, random_state
from tests.rules.playing import linked, shipped
from tests.rules.test_after import row

WIDE = Extent((-16, -16), (16, 16))
"""Wide enough for any play of the games below: at the edge of a window that is not, nothing is promised."""


def games_in_step(module: str, seed: int, states: int) -> int:
    """Compare the states of games at random, several games if one is short; the number of states."""
    dice = random.Random(seed)
    engine = Engine.of(shipped(module), shipped(module).players.low, {"sea": WIDE})
    beside = Beside(engine, engine.start(seed))
    compared = 0
    while compared < states:
        state = engine.start(dice.randrange(1 << 32))
        while compared < states:
            compared += 1
            following = beside.compare(state, dice, 2)
            if not following:
                break
            state = dice.choice(following)
    return compared


@pytest.mark.parametrize(
    "module", ["beacon_patrol", "classics.pig", "classics.market", "classics.connect_four", "classics.lights_out"]
)
def test_a_game(module: str) -> None:
    assert games_in_step(module, 3, 15) == 15


@pytest.mark.parametrize(("left", "price"), [(2, 0), (1, 1)])
def test_what_holds_afterwards(left: int, price: int) -> None:
    """Conditions on the position that the effects leave; with a price, some effects are a fault."""
    engine = row(left, price, "occupied((5,0))")
    beside, dice = Beside(engine, engine.start()), random.Random(left)
    states = [engine.start()]
    for state in states:
        states += beside.compare(state, dice, 3)
        if len(states) > 30:
            break
    assert len(states) > 3


def read_odd_rules(seed: int, states: int) -> int:
    """The number of successors that agreed, under random rules."""
    dice, successors = random.Random(seed), 0
    try:
        engine = Engine.of(linked(odd_game(seed)), seed % 3 + 1)
    except RulesError:
        return 0
    beside = Beside(engine, random_state(engine, dice))
    for _ in range(states):
        successors += len(beside.compare(random_state(engine, dice), dice, 8))
    return successors


@pytest.mark.parametrize("seed", range(6))
def test_random_rules(seed: int) -> None:
    read_odd_rules(seed, 3)


CLASSICS = """bishops carcassonne carcassonne_followers connect_four doubling draughts european_solitaire fifteen go
hanoi knights_tour lights_out market missionaries noughts_and_crosses othello othello_small peg_solitaire
pentomino_box pentominoes pig queens red_donkey ricochet_robots rush_hour santorini sokoban
sokoban_pushes triangle_solitaire tsuro worker_placement"""
GAMES = ("beacon_patrol", "penguin_pirates", *(f"classics.{name}" for name in CLASSICS.split()))


@pytest.mark.campaign
@pytest.mark.parametrize("module", GAMES)
def test_many_states_of_a_game(module: str) -> None:
    assert games_in_step(module, 1, 3_400) == 3_400


@pytest.mark.campaign
@pytest.mark.parametrize("start", range(1000, 1400, 20))
def test_many_random_rules(start: int) -> None:
    assert sum(read_odd_rules(seed, 5) for seed in range(start, start + 20)) > 20
