"""A long definition is a function of the program: its text grows little with the number of calls, its meaning not at all."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.codegen.subroutines import MOST_VARIANTS
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Slots
from rulewright.rules.play.engine import Engine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked, lively, play_in_step

MEADOW = """
module meadow:
    "Grazes where it is safe."

space field: square grid 4 x 4 of tiles
tiles herd:
    cow    x8
    sheep  x8
    wolf   x2
state:
    barn: set of tiles
    turns: 0..40

define near(c in field, more):
    = count n in nearby(c) where occupied(n) and (some m in around(n) where at(m) = wolf: distance(m, c) < 3 + more)
    none: 9 when at(c) = wolf
    both: 8 when at(c) = cow and (every m in around(c): occupied(m))

define risk(c in field) = near(c, 0)
{calls}

action graze(c in field, t in barn):
    require safe: not occupied(c) and risk(c) < 3
{tests}
    effect graze: put t at c from barn
    effect tally: turns += 1

action home(c in field where occupied(c)):
    require danger: risk(c) > 0 or turns > 5
    effect home: take c to barn
    effect tally: turns += 1

procedure set_up:
    all: move all box to barn

flow:
    set_up
    repeat until turns > 30: choose graze, home

score risk: sum risk(c) for c in field where occupied(c)
"""


def meadow(calls: int = 1, numbers: int = 1) -> Engine:
    tests = [f"    require test_{n}: some a in around(c): risk(a) < {n + 1}" for n in range(calls)]
    tests += [f"    require more_{n}: some a in around(c): near(a, {n}) < 4" for n in range(numbers)]
    return Engine.of(linked(MEADOW.format(calls="", tests="\n".join(tests))), 1)


def text_of(engine: Engine) -> str:
    slots = Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, engine.unset))
    return write_game(engine.instance, slots, engine.flow, [engine.game.scores[0].value]).text


def test_a_further_call_takes_a_few_lines() -> None:
    once, often = (text_of(meadow(calls)).count("\n") for calls in (1, 9))
    assert often - once < 8 * 80


def test_a_definition_has_few_functions() -> None:
    texts = [text_of(meadow(1, numbers)) for numbers in (3, 14)]
    few, many = (text.count("def define_") for text in texts)
    assert few < many <= 2 * MOST_VARIANTS


def at_known_cells(number: int) -> Engine:
    """With a definition that is called for cells known before play."""
    tests = [f"    require cell_{n}: risk(cell(field, {n % 4}, {n // 4})) < {n + 5}" for n in range(number)]
    return Engine.of(linked(MEADOW.format(calls="", tests="\n".join(tests))), 1)


def test_calls_with_known_arguments_come_to_one_function_where_they_are_many() -> None:
    few, many = (text_of(at_known_cells(number)) for number in (MOST_VARIANTS + 1, 16))
    assert few.count("def define_") == many.count("def define_")
    assert many.count("\n") - few.count("\n") < 7 * 20


@pytest.mark.parametrize("engine", [meadow(1, 1), at_known_cells(16)], ids=["meadow", "at_known_cells"])
def test_all_readings_agree_on_calls(engine: Engine) -> None:
    agreement = Agreement(engine, compiled=False)
    for seed in range(2):
        assert sum(1 for _ in play_in_step(engine, seed, lively, 12)) > 5
        agreement.play_on(engine.start(seed), random.Random(seed), 8)
    assert agreement.moves > 10


def test_what_is_called_twice_by_each_is_no_longer_too_large() -> None:
    chain = "".join(
        f"define d{n}(c in field) = d{n - 1}(c) + d{n - 1}(step(c, N)) + d{n - 1}(step(c, E))\n" for n in range(1, 5)
    )
    wide = MEADOW.format(calls=f"define d0(c in field) = risk(c)\n{chain}", tests="    require far: d4(c) < 40")
    assert text_of(Engine.of(linked(wide), 1)).count("define_") > 3
