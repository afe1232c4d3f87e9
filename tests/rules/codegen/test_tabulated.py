"""Definitions that no state changes are tables, exceptions that exclude each other are not compared, cheap tests come first."""

from __future__ import annotations

import random
import re

from rulewright.rules.codegen.tabulated import table_of
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Slots
from rulewright.rules.model.instance import FiniteMap
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import may_clash
from rulewright.rules.static.dataflow import reads
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import any_move, linked, play_in_step

GARDEN = """
module garden:
    "Grows what the season lets grow, where there is soil."

space beds: square grid 5 x 5 of tiles
tiles plants:
    bean   x4
    rose   x4
    fern   x4
    {kinds}
state:
    shed: set of tiles
    done: 0..20

define soil(c in beds):
    = not (column(c) in 1..3 and row(c) in 1..3)
    wet: column(c) = 2 when row(c) = 2

define light(kind):
    = 0
    {cases}

define crowded(c in beds) =
    (count n in nearby(c) where occupied(n) and (some m in nearby(n) where m != c: at(m) = at(n))) > 2

action plant(c in beds, t in shed):
    require soil: soil(c)
    require room: not crowded(c)
    require vacant: not occupied(c)
    effect plant: put t at c from shed
    effect tally: done += 1

procedure set_up:
    all: move all box to shed

flow:
    set_up
    repeat until done > 18: choose plant or stop

score light: sum light(at(c)) for c in beds where occupied(c)
"""


def garden(kinds: int = 0) -> Engine:
    names = [f"weed_{number}" for number in range(kinds)]
    cases = ["bean: 1 when kind = bean", "rose: 3 when kind = rose", *(f"{n}: 2 when kind = {n}" for n in names)]
    return Engine.of(linked(GARDEN.format(kinds="\n    ".join(f"{n}  x1" for n in names), cases="\n    ".join(cases))), 1)


def text_of(engine: Engine) -> str:
    slots = Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, engine.unset))
    return write_game(engine.instance, slots, engine.flow, [engine.game.scores[0].value]).text


def test_what_no_state_changes_is_a_table() -> None:
    engine = garden()
    known = {name: table_of(engine.instance, found) for name, found in engine.game.definitions.items()}
    assert known["crowded"] is None
    soil, light = known["soil"], known["light"]
    assert isinstance(soil, FiniteMap) and isinstance(light, FiniteMap)
    assert [cell for cell in range(25) if not soil(cell)] == [6, 7, 8, 10, 11, 13, 14, 16, 17, 18]
    assert light.values == (0, 1, 3, 0)


ROADS = """
module roads:
    "A region lies on a board, so that what is said of it changes with the board."

players 1
terrain road
marker mill
space field: square grid 2 x 2 of tiles
tiles pieces:
    straight  x2    road N S (mill)

define joined(c in field) = region(c, N) = region(c, S) and number(region(c, N), mill) > 0

action lay(piece in pieces, to in field):
    require vacant: not occupied(to)
    effect put: put piece at to from box

flow:
    repeat until joined((1,1)): choose lay

score joined: count c in field where joined(c)
"""


def test_a_region_is_read_from_the_board() -> None:
    engine = Engine.of(linked(ROADS), 1)
    joined = engine.game.definitions["joined"]
    assert reads(engine.game, joined) == {"field"} and table_of(engine.instance, joined) is None
    after = engine.apply(engine.start(0), (0, 1, 2))
    assert [engine.scores[0](state) for state in (engine.start(0), after)] == [0, 1]


def test_cases_that_ask_for_one_value_each_are_not_compared() -> None:
    light = garden(5).game.definitions["light"]
    assert [may_clash(case, light.cases) for case in light.cases] == [(case,) for case in light.cases]


def test_tests_that_take_few_steps_come_first() -> None:
    listed = text_of(garden()).split("def legal_0(")[1].split("\ndef ")[0]
    tested = re.search(r"define_\d+\(|\bn\d+ = 0", listed)
    assert tested is not None and listed.index("T_definition") < tested.start()


def test_all_readings_agree_on_tables() -> None:
    engine = garden(2)
    agreement = Agreement(engine, compiled=False)
    for seed in range(3):
        assert sum(1 for _ in play_in_step(engine, seed, any_move, 12)) > 5
        agreement.play_on(engine.start(seed), random.Random(seed), 12)
    assert agreement.moves > 20 and agreement.faults == 0
