"""Threads that share the states seen: nobody is done before all are."""

from __future__ import annotations

import threading

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.resources import resources_of
from rulewright.solver.best.kernel_problem import KernelProblem, SharedState, Worker
from rulewright.solver.best.parallel_search import ParallelSearch
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd
from rulewright.solver.result import Status
from rulewright.subset.program import as_baseline_code
from tests.rules.playing import linked
from tests.solver.asking import by_kernels

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


def harbour() -> Problem:
    game = linked(HARBOUR)
    engine = Engine.of(game, 1)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    problem = Problem(engine, engine.start(), question)
    assert resources_of(problem.analysis) == {"fuel": True}
    return problem


@pytest.mark.parametrize("pause", range(1, 12))
def test_who_has_passed_over_what_another_is_at_may_end_first(pause: int) -> None:
    """Back at the gate with more fuel, the first thread comes upon the quay it is in, and is done there; the second thread then
    passes over the gate, and never sees the mole."""
    kernels = KernelProblem.of(harbour())
    program = kernels.game.program(as_baseline_code)
    one, other, shared = (
        kernels.worker(kernels.game.machine(program)),
        kernels.worker(kernels.game.machine(program)),
        SharedState.of(1 << 8, 1, -ENDLESS, 1 << 40),
    )
    one.begin()
    one.resume(shared, 1, pause)
    other.begin()
    other.resume(shared, 2)
    assert other.status == SearchEnd.DONE
    assert (shared.best < FAR) == (pause == INSIDE)
    one.resume(shared, 1)
    assert (one.status, shared.best) == (SearchEnd.DONE, FAR)


def test_the_answer_waits_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    paused, ended, resume = threading.Event(), threading.Event(), Worker.resume

    def in_turn(worker: Worker, shared: SharedState, number: int, states: int) -> None:
        if number == 2:
            resume(worker, shared, number, INSIDE)
            paused.set()
            assert ended.wait(60)
        else:
            assert paused.wait(60)
            resume(worker, shared, number, 1 << 30)
            ended.set()

    monkeypatch.setattr(ParallelSearch, "look", lambda search, seconds: False)
    monkeypatch.setattr(Worker, "beam_search", lambda worker, shared, seconds, room: None)
    monkeypatch.setattr(Worker, "resume", in_turn)
    result = by_kernels(harbour(), workers=2)
    assert (result.status, result.score) == (Status.OPTIMAL, FAR)
