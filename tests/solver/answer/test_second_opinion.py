"""What the search has proved, proved again by CP-SAT; and children that say otherwise."""

from __future__ import annotations

import random

import pytest

from rulewright.base.choices import Engines
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.answer.portfolio import Disagreement, answer
from rulewright.solver.cpsat.process import standalone as alone
from rulewright.solver.result import Limits, Status
from tests.rules.playing import shipped
from tests.solver.asking import engine_and_state, random_puzzle

pytestmark = pytest.mark.nightly


def _asked(goal: Goal = Goal.MAXIMISE, threshold: int = 0):  # type: ignore[no-untyped-def]
    text, _ = random_puzzle(random.Random(5), 1, 2)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    return engine, state, Question(goal, tuple(score.value for score in game.scores), threshold)


def test_two_proofs() -> None:
    engine, state, question = _asked()
    alone = answer(engine, state, question, Limits(60, 2))
    both = answer(engine, state, question, Limits(60, 2, engines=Engines.BOTH))
    assert (alone.status, alone.proof) == (Status.OPTIMAL, "search")
    assert (both.status, both.score, both.proof) == (Status.OPTIMAL, alone.score, "search+cpsat")


def test_impossible_twice() -> None:
    engine, state, question = _asked(Goal.REACH, 99)
    both = answer(engine, state, question, Limits(60, 2, engines=Engines.BOTH))
    assert (both.status, both.proof) == (Status.IMPOSSIBLE, "search+cpsat")


def test_the_least_twice() -> None:
    engine, state, question = _asked(Goal.MINIMISE)
    both = answer(engine, state, question, Limits(60, 2, engines=Engines.BOTH))
    assert (both.status, both.proof) == (Status.OPTIMAL, "search+states")


def test_a_contradiction_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alone, "refuted", lambda *arguments: (False, "cpsat", ("CP-SAT has a plan for 99",)))
    engine, state, question = _asked()
    with pytest.raises(Disagreement, match="99"):
        answer(engine, state, question, Limits(60, 2, engines=Engines.BOTH))
