"""CP-SAT by itself: what the last board shows first bounds what the whole reading looks for."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.scenarios import Goal
from rulewright.rules.questions import Question
from rulewright.solver.cpsat import alone
from rulewright.solver.cpsat.task import Model, Task, task
from rulewright.solver.exact import search
from rulewright.solver.result import Status
from tests.rules.playing import shipped
from tests.solver.asking import engine_and_state, random_puzzle
from tests.solver.cpsat.running import worth

GAME = shipped("beacon_patrol")
ENGINE, STATE = engine_and_state(random_puzzle(random.Random(3), 1, 2)[0], GAME)
QUESTION = Question(Goal.MAXIMISE, tuple(score.value for score in GAME.scores))
BEST = search(ENGINE, STATE, QUESTION, 30).score


@pytest.mark.parametrize("over", [-1, 0, 5])
def test_nothing_is_worth_more_than_the_ceiling(over: int) -> None:
    assert BEST is not None
    found = alone.run(task(Model.READING, ENGINE, STATE, QUESTION, 60.0, ceiling=BEST + over))
    assert found.end.status == "optimal"
    assert found.value == BEST + min(over, 0)


def test_the_last_board_bounds_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Task]()
    run = alone.run

    def heard(one: Task) -> alone.Outcome:
        asked.append(one)
        return run(one)

    monkeypatch.setattr(alone, "run", heard)
    found = alone.solve(ENGINE, STATE, QUESTION, 60.0)
    assert [one.model for one in asked] == [Model.MASTER, Model.READING]
    assert BEST is not None
    assert asked[1].ceiling is not None
    assert asked[1].ceiling >= BEST
    assert (found.status, found.score, found.bound) == (Status.OPTIMAL, BEST, BEST)
    assert worth(ENGINE, STATE, QUESTION, found.plan) == BEST


def test_without_time_for_the_reading_the_last_board_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    run = alone.run
    monkeypatch.setattr(
        alone, "run", lambda one: run(one) if one.model is Model.MASTER else alone.Outcome(alone.Ended("unknown"))
    )
    found = alone.solve(ENGINE, STATE, QUESTION, 60.0)
    assert found.status is Status.UNKNOWN
    assert found.score is None
    assert BEST is not None
    assert found.bound is not None
    assert found.bound >= BEST
