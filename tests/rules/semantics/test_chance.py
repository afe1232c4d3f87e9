"""What chance picks: each element as likely as any other, by a sequence that follows from the seed."""

from __future__ import annotations

import tracemalloc
from collections import Counter

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.rng import drawn, next_seed
from tests.rules.playing import linked

GAME = """
module urn:
    "One draw."

terrain grass
space field: square grid 2 x 2 of tiles
tiles balls:
    red   x3
    white x1

state:
    die:   1..3
    ball:  tile
    spot:  cell of field
    other: 0..9

action act:
    effect do_it: {effect}

flow:
    turn: choose act
"""


def outcomes(effect: str, variable: str) -> Counter[int]:
    """How often each value comes in 2,000 games; both readings have the same."""
    engine = Engine.of(linked(GAME.format(effect=effect)), 1)
    reference, at, found = ReferenceEngine(engine), engine.layout.position(variable, None), Counter[int]()
    for seed in range(2000):
        state = engine.apply(engine.start(seed * 7919), (0,))
        found[state[at]] += 1
        if seed % 100 == 0:
            assert reference.apply(reference.start(seed * 7919), (0,)) == state
    return found


@pytest.mark.parametrize(
    ("effect", "variable", "weights"),
    [
        ("roll die", "die", {1: 1, 2: 1, 3: 1}),
        ("draw die from {1, 1, 3}", "die", {1: 2, 3: 1}),
        ("draw die from {1, die + 1, 2}", "die", {1: 1, 2: 2}),
        ("draw ball from box", "ball", {1: 3, 2: 1}),
        ("draw ball from tiles", "ball", {1: 1, 2: 1}),
        ("draw spot from those c in field where row(c) = 1", "spot", {2: 1, 3: 1}),
        ("draw other from 0..9", "other", dict.fromkeys(range(10), 1)),
        ("draw other from {7}", "other", {7: 1}),
    ],
)
def test_each_element_is_as_likely(effect: str, variable: str, weights: dict[int, int]) -> None:
    found, all = outcomes(effect, variable), sum(weights.values())
    assert found.keys() == weights.keys()
    for value, weight in weights.items():
        expected = 2000 * weight / all
        assert abs(found[value] - expected) < 5 * expected**0.5


def test_a_single_item_takes_no_chance() -> None:
    assert drawn((4,), 99) == (4, 99)
    assert drawn((4, 5), 99)[1] == next_seed(99)


def test_nothing_to_draw_from_stops_the_game() -> None:
    engine = Engine.of(linked(GAME.format(effect="draw spot from those c in field where occupied(c)")), 1)
    for reading in (engine, ReferenceEngine(engine)):
        with pytest.raises(RulesError) as error:
            reading.apply(engine.start(0), (0,))
        assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["RW380"]


@pytest.mark.parametrize(
    ("effect", "code"),
    [
        ("roll spot", "RW145"),
        ("roll ball", "RW145"),
        ("roll box", "RW208"),
        ("draw die from field", "RW200"),
        ("draw die from 3", "RW200"),
        ("draw nowhere_to from 1..3", "RW208"),
    ],
)
def test_what_chance_cannot_assign(effect: str, code: str) -> None:
    with pytest.raises(RulesError) as error:
        linked(GAME.format(effect=effect))
    assert code in {diagnostic.code for diagnostic in error.value.diagnostics}


def test_a_roll_of_many_values_lists_none_of_them():
    engine = Engine.of(linked(GAME.replace("1..3", "1..30000000").format(effect="roll die")), 1)
    for step in (engine.apply, ReferenceEngine(engine).apply):
        state = engine.start(7)
        tracemalloc.start()
        after = step(state, engine.legal(state)[0])
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert 1 <= after[engine.layout.columns["die"].start] <= 30_000_000
        assert most < 1_000_000


def test_a_roll_of_more_values_than_steps_is_refused():
    with pytest.raises(RulesError) as caught:
        Engine.of(linked(GAME.replace("1..3", "1..99999999").format(effect="roll die")), 1)
    assert [found.code for found in caught.value.diagnostics] == ["RW059"]
