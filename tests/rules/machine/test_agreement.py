"""Games that ship, games made up at random, changed rules: both readings, as plain Python and as machine code."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.subset.refusal import CannotCompile
from tests.rules.machine.agreeing import Agreement
from tests.rules.odd_games import odd_game, random_state
from tests.rules.playing import MODULES, linked, own_module, shipped, variant
from tests.rules.pycode.test_against_reference import CHANGES, WIDE_ENOUGH

SHIPPED = (
    "classics.european_solitaire", "classics.fifteen", "classics.lights_out", "classics.peg_solitaire", "classics.sliding",
    "classics.sokoban", "classics.triangle_solitaire", "house.diagonal_sailing", "house.five_tokens",
)  # fmt: skip
COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["python", "machine"])


@COMPILED
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_modules(name: str, compiled: bool) -> None:
    agreement = Agreement(Engine.of(shipped(name), 1, {"sea": WIDE_ENOUGH}), compiled)
    for seed in range(2):
        agreement.game_of(seed, 60)
    assert agreement.moves >= 40
    assert not agreement.faults


@COMPILED
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_game_for_several(players: int, compiled: bool) -> None:
    agreement = Agreement(Engine.of(shipped("beacon_patrol"), players, {"sea": WIDE_ENOUGH}), compiled)
    agreement.game_of(players, 80)
    assert agreement.moves > 80


@pytest.mark.parametrize("players", [3, 4])
def test_a_game_with_cards_and_secrets(players: int) -> None:
    agreement = Agreement(Engine.of(shipped("penguin_pirates"), players), compiled=False)
    for seed in range(3):
        agreement.game_of(seed, 80)
    assert agreement.moves > 120


WALK = """module walk:
    "A walker that may go anywhere along a line, but not back."
players 1
space board: square grid {width} x 9, 8 neighbours
state:
    here: cell of board = cell(3, 4)
    way:  direction of board = E
action go(to in board where here -> to in directions(board) and here -> to != opposite(way)):
    effect turn: way := here -> to
    effect go: here := to
flow:
    repeat: choose go
"""


@COMPILED
@pytest.mark.parametrize("width", [7, 60], ids=["directions in a table", "too large for a table"])
def test_directions_from_cell_to_cell(width: int, compiled: bool) -> None:
    agreement = Agreement(Engine.of(linked(WALK.format(width=width)), 1), compiled)
    agreement.game_of(1, 12)
    assert agreement.moves > 20 and not agreement.faults


@COMPILED
@pytest.mark.parametrize("path", sorted(MODULES.glob("*.rules")), ids=lambda path: path.stem)
def test_small_modules(path, compiled: bool) -> None:  # type: ignore[no-untyped-def]
    game = own_module(path.stem)
    agreement = Agreement(Engine.of(game, game.players.high), compiled)
    for seed in range(3):
        agreement.game_of(seed, 60)


@COMPILED
@pytest.mark.parametrize("closures", [(1 << 30) - 9, (1 << 31) - 9, (1 << 32) - 9])
def test_more_closures_than_marks_have_numbers(closures: int, compiled: bool) -> None:
    agreement = Agreement(Engine.of(shipped("classics.hex"), 2), compiled, closures=closures)
    agreement.game_of(1, 20)
    assert agreement.moves > 20 and not agreement.faults


def test_marks_of_another_epoch_do_not_count() -> None:
    agreement = Agreement(Engine.of(shipped("classics.hex"), 2), compiled=True)
    state, engine = agreement.engine.start(), agreement.engine
    while not engine.over(state):
        state = engine.apply(state, engine.legal(state)[0])
    table, values = agreement.at(state), []
    for closures in (0, 1 << 30, 1 << 31, 0):
        table.memory.stamp = closures
        values.append(table.value())
    assert values == [engine.score(state)] * 4


@pytest.mark.parametrize("change", CHANGES)
def test_changed_rules(change: str) -> None:
    for players in (1, 3):
        engine = Engine.of(linked(variant(CHANGES[change])), players, {"sea": WIDE_ENOUGH})
        agreement = Agreement(engine, compiled=False)
        agreement.game_of(players, 40)
        assert agreement.moves > 20


def odd(seed: int, states: int, compiled: bool) -> int:
    """The number of successors of random states of a random game that agreed."""
    rng = random.Random(seed)
    try:
        engine = Engine.of(linked(odd_game(seed)), seed % 3 + 1)
    except RulesError:
        return 0
    found = [random_state(engine, rng) for _ in range(states)]
    try:
        agreement = Agreement(engine, compiled, max(capacity_of(engine.game, engine.layout, state) for state in found))
    except CannotCompile:
        return 0
    for state in found:
        agreement.check(state, agreement.at(state), rng, 8)
    return agreement.moves


@pytest.mark.parametrize("seed", range(24))
def test_odd_games(seed: int) -> None:
    odd(seed, 4, compiled=False)


@pytest.mark.parametrize("seed", range(100, 104))
def test_odd_games_compiled(seed: int) -> None:
    odd(seed, 12, compiled=True)


def test_effects_do_not_mostly_fail() -> None:
    assert sum(odd(seed, 6, compiled=False) for seed in range(8)) > 20


@COMPILED
def test_a_horizon(compiled: bool) -> None:
    engine = Engine.of(shipped("beacon_patrol"), 2, {"sea": WIDE_ENOUGH}, Horizon("turn", 3))
    agreement = Agreement(engine, compiled)
    agreement.game_of(1, 100)
    assert agreement.moves > 10


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1000, 1200, 10))
def test_many_odd_games(seed: int) -> None:
    for number in range(seed, seed + 10):
        odd(number, 6, compiled=True)


@pytest.mark.campaign
@pytest.mark.parametrize("name", [*SHIPPED, "beacon_patrol", "house.diagonal_sailing+house.five_tokens"])
def test_ten_thousand_states(name: str) -> None:
    roots = name.split("+")
    for players in range(shipped(*roots).players.low, shipped(*roots).players.high + 1):
        agreement = Agreement(Engine.of(shipped(*roots), players, {"sea": WIDE_ENOUGH}), compiled=True)
        seed = 0
        while agreement.moves < 10_000:
            agreement.game_of(seed)
            seed += 1
