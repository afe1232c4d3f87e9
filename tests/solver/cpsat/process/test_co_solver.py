"""Company of a search: how far its children let the search go first."""

from __future__ import annotations

import time

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.budget import Limits
from rulewright.solver.cpsat.process import client, co_solver
from rulewright.solver.cpsat.process.co_solver import NICENESS, Company
from rulewright.solver.cpsat.process.job import Model, Task
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED
from tests.rules.playing import shipped
from tests.solver.asking import engine_and_state


class Silent:
    """A child that is asked, and says nothing."""

    asked: list[Task]

    def __init__(self, asked: Task) -> None:
        self.asked.append(asked)

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def news(self) -> None:
        return None


@pytest.mark.parametrize(("goal", "model"), [(Goal.MAXIMISE, Model.MASTER), (Goal.MINIMISE, Model.READING)])
@pytest.mark.parametrize("takes_all", [False, True])
def test_children_let_a_search_that_takes_all_processors_go_first(
    goal: Goal, model: Model, takes_all: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(PROVED[6][2][0], game)
    question = Question(goal, tuple(score.value for score in game.scores))
    monkeypatch.setattr(Silent, "asked", [], raising=False)
    monkeypatch.setattr(client, "Child", Silent)
    long_ago = time.monotonic() - co_solver.LONG
    beside = Company(engine, state, question, Limits(workers=2), 1 if goal is Goal.MAXIMISE else -1, began=long_ago)
    if takes_all:
        beside.wait_longer()
    beside.settled(None)
    assert [(asked.model, asked.niceness) for asked in Silent.asked] == [(model, NICENESS[model] if takes_all else 0)]
    assert 0 < NICENESS[model] <= 19
