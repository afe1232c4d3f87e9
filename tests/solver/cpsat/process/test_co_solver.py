"""CP-SAT beside a search: how far its workers let the search go first."""

from __future__ import annotations

import time

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.budget import Limits
from rulewright.solver.cpsat.process import client, co_solver
from rulewright.solver.cpsat.process.co_solver import NICENESS, CoSolver
from rulewright.solver.cpsat.process.job import Job, ModelKind
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED
from tests.rules.playing import shipped
from tests.solver.asking import engine_and_state


class Silent:
    """A child that is asked, and says nothing."""

    asked: list[Job]

    def __init__(self, asked: Job) -> None:
        self.asked.append(asked)

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def report(self) -> None:
        return None


@pytest.mark.parametrize(("goal", "kind"), [(Goal.MAXIMISE, ModelKind.FINAL_BOARD), (Goal.MINIMISE, ModelKind.UNROLLED)])
@pytest.mark.parametrize("takes_all", [False, True])
def test_children_let_a_search_that_takes_all_processors_go_first(
    goal: Goal, kind: ModelKind, takes_all: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(PROVED[6][2][0], game)
    question = Question(goal, tuple(score.value for score in game.scores))
    monkeypatch.setattr(Silent, "asked", [], raising=False)
    monkeypatch.setattr(client, "WorkerProcess", Silent)
    long_ago = time.monotonic() - co_solver.DELAY_BESIDE_KERNELS
    beside = CoSolver(engine, state, question, Limits(workers=2), 1 if goal is Goal.MAXIMISE else -1, began=long_ago)
    if takes_all:
        beside.wait_longer()
    beside.settled(None)
    assert [(asked.kind, asked.niceness) for asked in Silent.asked] == [(kind, NICENESS[kind] if takes_all else 0)]
    assert 0 < NICENESS[kind] <= 19
