"""Small games on every kind of space: facts worked out by hand, and random play to the end in both readings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from rulewright.rules.model.game import Game
from rulewright.rules.model.state import STOP
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_move
from tests.rules.playing import MODULES, own_module, play_in_step

GAMES = sorted(path.stem for path in MODULES.glob("*.rules"))


@cache
def game(name: str) -> Game:
    return own_module(name)


def engine_for(name: str, players: int = 0) -> Engine:
    return Engine.of(game(name), players or game(name).players.low)


def played(engine: Engine, *moves: str, seed: int = 0) -> State:
    state = engine.start(seed)
    for move in moves:
        state = engine.apply(state, parse_move(engine, state, move))
    return state


def options(engine: Engine, state: State) -> set[str]:
    return {format_move(engine, state, move) for move in engine.legal(state)}


def column(engine: Engine, state: State, name: str, index: int | None = None) -> Any:
    return state[engine.layout.position(name, index)]


def items(engine: Engine, state: State) -> list[int]:
    return [score(state) for score in engine.scores]


def cells(engine: Engine, space: str, coordinates: Iterable[tuple[int, ...]]) -> list[int]:
    return [engine.instance.windows[space].cell(c) for c in coordinates]


LONG = ("shore",)
"""Games that take seconds to be compiled and played."""


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name in GAMES for seed in range(1 if name in LONG else 6)])
def test_to_the_end_in_both_readings(name: str, seed: int) -> None:
    low, high = game(name).players.low, game(name).players.high
    engine = engine_for(name, low + seed % (high - low + 1))
    positions = list(play_in_step(engine, seed, limit=400))
    assert len(positions) > 1
    assert engine.over(positions[-1][0])


def test_lines_and_turns_on_a_hexagon() -> None:
    engine = engine_for("hex_slide")
    start = engine.start()
    assert options(engine, start) == {"slide (1,0)", "slide (2,0)"}
    edge = played(engine, "slide (2,0)")
    assert options(engine, edge) == {"turn_by 2", "turn_by 4", "turn_by 3", "turn_by 1", "turn_by 5"} - {
        "turn_by 1",  # south-east and north-east lead off the hexagon
        "turn_by 5",
    }
    south = played(engine, "slide (2,0)", "turn_by 2")
    assert options(engine, south) == {"slide (1,1)", "slide (1,2)"}
    assert items(engine, played(engine, "slide (2,0)", "turn_by 2", "slide (1,2)")) == [2, 200, 1000]
    assert items(engine, south) == [1, 200, 0]
    assert items(engine, played(engine, "slide (2,0)")) == [1, 200, 1000]


def test_stacks() -> None:
    engine = engine_for("stacking", 2)
    start = engine.start()
    assert column(engine, start, "stock", 1) == (1,) * 5
    assert column(engine, start, "stock", 2) == (2,) * 5
    assert len(engine.legal(start)) == 6 + 1
    state = played(
        engine,
        *("build red_block (0,0,0)", "build red_block (0,0,1)", "build red_block (1,1,0)", "stop"),
        *("build blue_block (0,0,2)", "build blue_block (1,1,1)"),
    )
    assert items(engine, state) == [3, 20, 200]
    assert len(engine.legal(state)) == 5 + 1  # four bare columns and one of height two
    assert engine.over(engine.apply(state, STOP))


def test_a_race_round_a_ring() -> None:
    engine = engine_for("ring_race", 2)
    state = played(engine, "run 2", "run 1", "run 1", "run 2")
    assert column(engine, state, "runner", 1) == 0  # the second runner came to the third cell, where the first stood
    assert column(engine, state, "runner", 2) == 3
    assert items(engine, state) == [3, 0, 100]
    lap = played(engine, "run 2", "run 1", "run 2", "run 1", "run 2", "run 1", "run 1")
    assert column(engine, lap, "laps", 1) == 1
    assert column(engine, lap, "runner", 1) == 0


def test_rides_on_a_graph() -> None:
    engine = engine_for("metro")
    assert options(engine, engine.start()) == {"ride park", "ride mill"}
    state = played(engine, "ride park", "ride dock", "ride pier", "ride mill")
    assert engine.over(state)
    assert items(engine, state) == [5, 10, 500]
    assert items(engine, played(engine, "ride mill", "ride pier")) == [3, 20, 300]


def test_floods_on_a_torus() -> None:
    engine = engine_for("torus")
    state = played(engine, "paint (0,0)", "paint (3,0)", "paint (3,2)")
    assert items(engine, state) == [3, 100]  # round both borders
    apart = played(engine, "paint (0,0)", "paint (2,0)", "paint (1,1)")
    assert items(engine, apart) == [1, 300]
    assert options(engine, state) == {"stop"}  # the clock stands at three, two steps from the origin


def test_a_partition() -> None:
    engine = engine_for("boxes")
    start = engine.start()
    assert len(engine.legal(start)) == 4
    assert items(engine, start)[1] == 100 * 4 * (0 + 1 + 2 + 3)
    state = played(engine, "write (0,0) 1", "write (1,0) 2", "write (2,0) 3", "write (3,0) 4")
    assert options(engine, state) == {"write (0,1) 3", "write (0,1) 4"}


def solutions(engine: Engine, state: State) -> int:
    if items(engine, state)[0] == 16:
        return 1
    return sum(solutions(engine, engine.apply(state, move)) for move in engine.legal(state))


def test_the_small_squares_are_counted() -> None:
    """There are 288 of order four; an eighth-and-a-third part has 1 2 3 4 in its first row: 288 / 24."""
    engine = engine_for("boxes")
    first_row = played(engine, "write (0,0) 1", "write (1,0) 2", "write (2,0) 3", "write (3,0) 4")
    assert solutions(engine, first_row) == 288 // 24


def test_piles() -> None:
    engine = engine_for("cards", 2)
    start = engine.start(5)
    stock, heap = column(engine, start, "stock"), column(engine, start, "heap")
    assert (len(stock), len(heap)) == (6, 1)
    state = engine.apply(start, parse_move(engine, start, "take_card"))
    assert column(engine, state, "stock") == stock[1:]
    assert stock[0] in column(engine, state, "hand", 1)
    assert "take_card" not in options(engine, state)
    after = engine.apply(state, STOP)
    assert "take_card" in options(engine, after)
    assert column(engine, after, "best", 1) == max(column(engine, after, "hand", 1))
