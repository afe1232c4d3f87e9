"""What is lowered, and when: parts of a game on demand, sets that are used several times once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rulewright.base.records import define, field
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.core.interpreter import Columns, Interpreter, Locals, Reading
from rulewright.rules.core.lower import Lowering
from rulewright.rules.core.terms import Compare, Constant, Filter, Interval, Local, Read
from rulewright.rules.model import terms, types
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.rules.playing import shipped


@define(eq=False)
class Counting(Interpreter):
    """An interpreter that counts the calls of definitions."""

    calls: Counter[str] = field(factory=Counter)

    def called(self, name: str, given: Locals, state: Columns) -> Any:
        self.calls[name] += 1
        return Interpreter.called(self, name, given, state)


def test_a_game_is_lowered_as_far_as_it_is_played() -> None:
    engine = Engine.of(shipped("penguin_pirates"), 3)
    lowering = engine.interpreted.lowering
    ReferenceEngine(engine).set_up(0)
    assert not lowering._actions
    assert 0 < len(lowering._nodes) < lowering.nodes.number
    assert len(lowering.core({}).actions) == len(engine.game.actions)


def test_neighbours_are_computed_for_the_cells_that_are_asked_for() -> None:
    engine = Engine.of(shipped("beacon_patrol"), 2)
    near = Lowering(engine.instance)
    for action in range(len(engine.game.actions)):
        near.action(action)
    (name, rows), *_ = [(name, rows) for name, rows in near.tables.rows.items() if "_next_" in name]
    window = engine.instance.windows[name.partition("_")[0]]
    assert len(rows) == window.size + 1
    assert rows[window.nowhere] == window.near(window.around, window.nowhere)
    with pytest.raises(IndexError):
        rows[len(rows)]


def test_each_set_of_a_union_is_computed_once() -> None:
    engine = Engine.of(shipped("classics.chess"), 2)
    made: list[Counting] = []

    def counting(lowering: Lowering) -> Counting:
        made.append(Counting(lowering))
        return made[-1]

    straight = engine.game.definitions["straight"]
    cells = terms.Local("c", types.Cell("board"))
    seen = Reading(engine.instance, counting).value(
        terms.Invoke("straight", (cells,), type=straight.type), engine.start(), {"c": 27}
    )
    assert len(seen) == 12
    assert made[0].calls["ray"] == 4


@pytest.mark.parametrize("last", [3, 8])
def test_only_all_occupied_cells_of_a_board_are_found_at_once(last: int) -> None:
    engine = Engine.of(shipped("classics.noughts_and_crosses"), 2)
    board = engine.layout.columns["board"]
    state = list(engine.start())
    state[board.start] = bytes([0, 1, 0, 2, 0, 1, 0, 0, 1, 0])
    cells = Filter(
        0,
        Interval(Constant(0), Constant(last)),
        Compare(Comparison.UNEQUAL, Read("board", Local(0)), Constant(0)),
    )
    found = engine.interpreted.interpreter.value(cells, state)
    assert list(found) == [cell for cell in (1, 3, 5, 8) if cell <= last]
