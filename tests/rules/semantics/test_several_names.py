"""Sums, counts, extremes, quantifiers and loops over several names, held against the same said in Python."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.expressions import parse_expression
from tests.rules.playing import linked

GAME = """
module pairs:
    "Numbers and players."

space board: square grid 3 x 3
players 3

state:
    tally: 0..999
    purse of player: 0..9
    height of board: 0..9

define weight(a, b) = 10 * a + b

action count_up:
    effect both: for p in players, n in 1..3 where n != purse of p: purse of p += n
    effect cells: for a in board, b in around(a), c in around(b) where c != a:
        tally += 1
        height of b := 1

flow:
    repeat: choose count_up, or stop

score found: {value}
"""

EDGES = 24
"""Pairs of neighbours on a board of three by three cells, in both orders."""

PATHS = 4 * 2 * 1 + 4 * 3 * 2 + 4 * 3
"""Paths of three cells there, by the one in the middle: a corner, the middle of a side, the centre."""


def scored(value: str) -> int:
    engine = Engine.of(linked(GAME.replace("{value}", value)), 3)
    state = engine.start()
    assert ReferenceEngine(engine).score(state) == engine.score(state)
    return engine.score(state)


PAIRS = [(a, b) for a in range(1, 5) for b in range(a, 5)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sum weight(a, b) for a in 1..4, b in a..4", sum(10 * a + b for a, b in PAIRS)),
        ("sum weight(a, b) for a in 1..4, b in a..4 where a + b > 5", sum(10 * a + b for a, b in PAIRS if a + b > 5)),
        ("count a in 1..4, b in a..4", len(PAIRS)),
        ("count a in board, b in around(a)", EDGES),
        ("count a in 1..2, b in 1..2, c in 1..2 where a + b + c = 4", 3),
        ("least weight(a, b) for a in 1..4, b in a..4 where a + b > 5", 24),
        ("least weight(a, b) for a in 0..4, b in 1..a - 2", 31),
        ("greatest weight(a, b) for a in 0..4, b in 1..a where a + b = 4", 31),
        ("least a - b for a in 1..4, b in 4..1", 0),
        ("if every a in 1..4, b in a..4: b >= a then 1 else 0", 1),
        ("if every a in 1..4, b in a..4 where b != 3: b - a < 3 then 1 else 0", 0),
        ("if some a in 1..4, b in a..4 where a > 1: a * b = 12 then 1 else 0", 1),
        ("if some a in 1..4, b in a..4 where a = b: a * b = 12 then 1 else 0", 0),
        ("max(count a in 1..4, b in a..4, 3)", len(PAIRS)),
        ("size({(count a in board), 4})", 2),
    ],
)  # fmt: skip
def test_values(text: str, value: int) -> None:
    assert scored(text) == value


def test_loops_go_through_the_second_name_for_each_of_the_first() -> None:
    engine = Engine.of(linked(GAME.replace("{value}", "tally")), 3)
    state = engine.apply(engine.start(), engine.legal(engine.start())[0])
    purse = 0
    for number in (1, 2, 3):
        purse += number if number != purse else 0
    assert state[engine.layout.position("purse", 2)] == purse
    assert engine.score(state) == PATHS


@pytest.mark.parametrize(
    "text",
    [
        "max((count a in b), c in d)",
        "{(some a in b: c), (e in f) and g}",
        "max(count a in b, c in d where e)",
        "f(a in b, c in d)",
    ],
)
def test_a_form_does_not_take_in_what_follows_a_comma_unless_it_binds_it(text: str) -> None:
    tree = parse_expression(text, "text")
    assert parse_expression(print_expression(tree), "printed") == tree


def test_which_element_is_least_is_asked_of_one_name() -> None:
    with pytest.raises(RulesError) as error:
        scored("least a in 1..3, b in 1..3 by a * b")
    assert {(found.code, found.span.column) for found in error.value.diagnostics if found.span} == {("RW146", 31)}
