"""Numbers of more than 32 bits, which slots, moves and lists in memory cannot hold: answered without machine code."""

from __future__ import annotations

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.codegen.intervals import Interval
from rulewright.rules.linking.questions import Question
from rulewright.rules.machine.memory_layout import require_int32
from rulewright.rules.play.engine import Engine
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Status
from rulewright.subset.refusal import CannotCompile
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked

GAME = """module large:
    "A number grows until it is above three."

players 1

state:
    n: 0..6

action grow(k in {domain}):
    effect grow: n += if k > 2 then 3 else 1

flow:
    repeat until n > 3: choose grow

score total: {score}
"""

WIDE = {
    "a set of values": ("1..3", "sum x for x in (those k * n * 3000 * 1000000 for k in 1..3)", 108 * 10**9),
    "the greatest of a set": ("1..3", "greatest x for x in (those (k * n + 1) * 65536 * 65536 for k in 1..3)", 19 << 32),
    "a set that counts": ("1..3", "count x in (those (k * n + 1) * 65536 * 65536 for k in 1..3) where x > 5", 3),
    "arguments": ("(those k * 1000000 * 3000 for k in -1..1)", "n", 6),
}


@pytest.mark.parametrize("kind", WIDE)
def test_wide_numbers_are_answered_without_machine_code(kind: str) -> None:
    domain, score, value = WIDE[kind]
    engine = Engine.of(linked(GAME.format(domain=domain, score=score)), 1)
    with pytest.raises(CannotCompile, match="more than 32 bits"):
        Agreement(engine, compiled=False)
    result = answer(engine, engine.start(), Question(Goal.MAXIMISE, (engine.game.scores[0].value,)), Limits(20.0))
    assert (result.status, result.score) == (Status.OPTIMAL, value)


def test_wide_scores_alone_are_compiled() -> None:
    engine = Engine.of(linked(GAME.format(domain="1..3", score="n * 3000 * 1000000 - sum k * 65536 * 65536 for k in 1..n")), 1)
    agreement = Agreement(engine, compiled=True)
    agreement.game_of(1, 20)
    result = answer(engine, engine.start(), Question(Goal.MAXIMISE, (engine.game.scores[0].value,)), Limits(20.0))
    assert (result.status, result.score) == (Status.OPTIMAL, 4 * 3 * 10**9 - (10 << 32))


def test_the_bounds_of_a_slot() -> None:
    require_int32(Interval(-(1 << 31), (1 << 31) - 1), "numbers")
    for low, high in ((0, 1 << 31), (-(1 << 31) - 1, 0)):
        with pytest.raises(CannotCompile):
            require_int32(Interval(low, high), "numbers")
