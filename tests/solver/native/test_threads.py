"""Threads that share the states seen: nobody is done before all are."""

from __future__ import annotations

import threading

import pytest

from rulewright.grammar.scenarios import Goal
from rulewright.rules.engine import Engine
from rulewright.rules.questions import Question
from rulewright.solver.native import depth_first
from rulewright.solver.native.exact import NOTHING, Draft, Layout, Run, search
from rulewright.solver.native.workers import Blackboard, Worker
from rulewright.solver.problem import Problem
from rulewright.solver.result import Status
from tests.rules.playing import linked

HARBOUR = """
module harbour:
    "From the gate to the quay, where fuel is filled up; from there back to the gate, or on to the end of the mole."

players 1

state:
    at:   0..5
    fuel: 0..5 = 1

action enter:
    require here: at = 0
    effect go: at := 1

action moor:
    require here: at = 1
    effect go:   at := 2
    effect fill: fuel := 5

action back:
    require here: at = 2
    require fuel: fuel >= 2
    effect burn: fuel -= 2
    effect go:   at := 1

action walk:
    require here: 2 <= at and at <= 4
    effect go: at += 1

flow:
    repeat until at = 5:
        turn: choose enter, moor, back, walk, or stop

score place: at
"""
FAR = 5
"""The end of the mole."""

INSIDE = 5
"""After so many states the thread that went back and found nothing new there is still on its way along the mole."""


def harbour() -> tuple[Layout, Question]:
    game = linked(HARBOUR)
    engine = Engine.of(game, 1)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    problem = Problem.of(engine, engine.start(), question)
    assert problem.analysis.resources == {"fuel": True}
    return Layout.of(Draft.of(problem, question)), question


@pytest.mark.parametrize("pause", range(1, 12))
def test_who_has_passed_over_what_another_is_at_may_end_first(pause: int) -> None:
    """Back at the gate with more fuel, the first thread comes upon the quay it is in, and is done there; the second thread then
    passes over the gate, and never sees the mole."""
    layout, _ = harbour()
    one, other, shared = layout.worker(), layout.worker(), Blackboard.of(1 << 8, 1, NOTHING, 1 << 40)
    one.dig(shared, 1, pause)
    other.dig(shared, 2)
    assert other.status == depth_first.ENDED
    assert (shared.best < FAR) == (pause == INSIDE)
    one.dig_on(shared, 1)
    assert (one.status, shared.best) == (depth_first.ENDED, FAR)


def test_the_answer_waits_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    paused, ended, dig = threading.Event(), threading.Event(), Worker.dig

    def in_turn(worker: Worker, shared: Blackboard, number: int, states: int) -> None:
        if number == 2:
            dig(worker, shared, number, INSIDE)
            paused.set()
            assert ended.wait(60)
            worker.dig_on(shared, number, states)
        else:
            assert paused.wait(60)
            dig(worker, shared, number, states)
            ended.set()

    monkeypatch.setattr(Run, "first_look", lambda run: False)
    monkeypatch.setattr(Worker, "scan", lambda worker, shared, seconds, room: None)
    monkeypatch.setattr(Worker, "dig", in_turn)
    layout, question = harbour()
    result = search(layout, question, workers=2)
    assert (result.status, result.score) == (Status.OPTIMAL, FAR)
