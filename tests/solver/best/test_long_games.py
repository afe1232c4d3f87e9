"""The same play in smaller windows."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.solver.best.turn_search import narrowed
from tests.rules.playing import linked, shipped
from tests.solver.asking import engine_and_state, random_puzzle
from tests.solver.best.test_fallback import RACE

WHOLE = """
puzzle whole:
    rules beacon_patrol
    players 1
    sea:
        hq@1
    draw: rest, seed {seed}
    ask: maximise score until end
"""


@pytest.mark.parametrize("seed", range(4))
def test_a_smaller_window_plays_the_same(seed: int) -> None:
    """Move for move the same legal moves, scores and end, as long as play stays inside."""
    rng = random.Random(seed)
    engine, state = engine_and_state(WHOLE.format(seed=seed), shipped("beacon_patrol"))
    narrow = narrowed(engine, state, 15)
    assert narrow is not None
    assert narrow.engine.instance.windows["sea"].size < engine.instance.windows["sea"].size / 4
    small = narrow.state
    for _ in range(40):
        moves = narrow.engine.legal(small)
        assert [*narrow.widened(moves)] == engine.legal(state)
        assert narrow.engine.score(small) == engine.score(state)
        move = rng.choice(moves)
        (wide,) = narrow.widened([move])
        small, state = narrow.engine.apply(small, move), engine.apply(state, wide)


def test_small_and_bounded_windows_stay_as_they_are() -> None:
    engine, state = engine_and_state(random_puzzle(random.Random(1), 1, 2)[0], shipped("beacon_patrol"))
    assert narrowed(engine, state, 20) is None
    race = Engine.of(linked(RACE), 2)
    assert narrowed(race, race.start(), 3) is None
