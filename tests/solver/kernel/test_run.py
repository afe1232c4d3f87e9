"""Searches slice by slice: in baseline code, in optimised code, and without threads or processes."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable

import pytest

from rulewright.puzzles.position import Position
from rulewright.solver.best import schedule
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel import compiled_game, run
from rulewright.solver.perft.count import LineCounter, total
from rulewright.solver.plans.optimal_plans import paths_by_length
from rulewright.solver.plans.plan_recorder import PlanRecorder
from rulewright.solver.result import Limits, Listener
from rulewright.solver.shortest.boosters import boosters_of
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.solver.shortest.search import ShortestSearch
from rulewright.solver.versus.best_play import answer_best_play
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.subset.program import as_python
from tests.puzzles.positions import CATALOGUE

LIMITS = Limits(20.0)


def best(position: Position) -> object:
    assert position.question is not None
    return schedule.search(Problem(position.asked, position.root, position.question), LIMITS, Listener(), lambda: None).score


def shortest(position: Position) -> object:
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.root, position.question)
    search = ShortestSearch(problem, time.monotonic() + 20, LIMITS)
    search.boosters = boosters_of(search)
    return search.answer().score


def versus(position: Position) -> object:
    assert position.question is not None
    return answer_best_play(MinimaxProblem(position.asked, position.root, position.question), LIMITS, Listener()).score


def counted(position: Position) -> object:
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.root, position.question)
    graph = PlanRecorder(problem, 11, LIMITS).graph()
    assert graph.gap is None
    return sum(paths_by_length(graph).values())


def lines(position: Position) -> object:
    counter = LineCounter.of(position.engine, position.state, 2, time.monotonic() + 20)
    counter._quick = 0.0
    return total(list(counter.rows()), 2)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that can start neither threads nor processes, and has no compiler."""

    def refuse(*given: object, **named: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(run, "HAS_THREADS", False)

    def no_compiler(*sources: object) -> None:
        raise ImportError("llvmlite is not installed")

    monkeypatch.setattr(run, "as_baseline_code", as_python)
    monkeypatch.setattr(run, "as_machine_code_by", lambda *given: no_compiler)
    monkeypatch.setattr(compiled_game, "is_kept", lambda *_: False)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("search", "puzzle", "answer"),
    [
        (best, "overboard", 7),
        (shortest, "missionaries_three", 11),
        (versus, "noughts_draw", 0),
        (counted, "missionaries_three", 4),
        (lines, "sudoku_last", (1, 2, 2)),
    ],
)
def test_the_calling_thread_alone_is_enough(search: Callable[[Position], object], puzzle: str, answer: object) -> None:
    assert search(CATALOGUE.position(puzzle)) == answer


def test_the_clock_ends_the_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    position = CATALOGUE.position("overboard")
    assert position.question is not None
    game = compiled_game.CompiledGame(position.asked, position.root, position.question.values, (), ("legal", "apply"))
    program, now = game.program(as_python), iter(range(100))
    monkeypatch.setattr(run.time, "monotonic", lambda: float(next(now)))
    slices = run.Run(game, 5.0, run.Here(), program, baseline_ends=1e9).slices()
    assert list(slices) == [run.OPTIMISED] * 5
