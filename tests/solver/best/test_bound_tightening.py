"""The bound brought down from above, until it meets the best plan."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.best.kernel_problem import FINISHED, SharedState
from rulewright.solver.best.parallel_search import BoundTightening
from rulewright.solver.best.problem import Problem
from tests.paths import OPEN, PROVED
from tests.solver.asking import worker_of

UNSOLVED, PLAYED = OPEN / "mid_k18_s1.puzzle", 16
"""A position that has not been proved in two minutes, and what a plan for it is worth."""

NOTHING = -(1 << 40)


def descent(name: str, buckets: int = 1 << 16) -> tuple[BoundTightening, int]:
    """From the bound of the root, and the proved answer."""
    found, answer = descent_of(PROVED / f"{name}.puzzle", buckets)
    assert answer is not None
    return found, answer


def descent_of(path: Path, buckets: int = 1 << 16) -> tuple[BoundTightening, int | None]:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    problem = Problem(position.asked, position.state, position.question)
    worker = worker_of(problem)
    assert problem.most is not None
    return BoundTightening(worker, worker.bound(problem.most), buckets), position.puzzle.answer


@pytest.mark.parametrize("buckets", [4, 1 << 16])
@pytest.mark.parametrize("name", ["mid_k06_s1_b10", "mid_k06_s2_b16", "begin_k06_s1"])
def test_it_ends_at_the_best_plan(name: str, buckets: int) -> None:
    found, answer = descent(name, buckets)
    assert found.bound >= answer
    shared = SharedState.of(1, 1 << 12, NOTHING, 1 << 40)
    found.run(shared)
    assert (found.bound, shared.best, shared.stopped) == (answer, answer, FINISHED)
    assert found.worker.found == answer


def test_a_plan_that_others_have_is_shown_to_be_the_best() -> None:
    found, answer = descent("mid_k06_s3_b18")
    shared = SharedState.of(1, 1 << 12, answer, 1 << 40)
    found.run(shared)
    assert (found.bound, shared.stopped, found.worker.found) == (answer, FINISHED, None)


def test_when_stopped_it_claims_nothing_more() -> None:
    found, _ = descent_of(UNSOLVED)
    shared = SharedState.of(1, 1 << 12, NOTHING, 1 << 40)
    thread = threading.Thread(target=found.run, args=(shared,))
    thread.start()
    thread.join(0.5)
    found.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert found.bound >= PLAYED
    assert shared.stopped == 0


@pytest.mark.parametrize("states", [1, 7, 1000])
def test_in_pieces_it_does_the_same(states: int) -> None:
    found, answer = descent("mid_k06_s1_b10")
    shared, pieces = SharedState.of(1, 1 << 12, NOTHING, 1 << 40), 0
    while not shared.stopped:
        before = found.worker.states
        found.run(shared, states)
        assert found.worker.states - before <= states
        pieces += 1
    whole, _ = descent("mid_k06_s1_b10")
    whole.run(SharedState.of(1, 1 << 12, NOTHING, 1 << 40))
    assert (found.bound, shared.best, found.worker.found) == (answer, answer, answer)
    assert found.worker.states == whole.worker.states
    assert pieces >= found.worker.states // states


def test_what_was_stopped_does_nothing() -> None:
    found, _ = descent("mid_k06_s1_b10")
    found.stop()
    shared = SharedState.of(1, 1 << 12, NOTHING, 1 << 40)
    bound = found.bound
    found.run(shared)
    assert (found.bound, shared.best, shared.stopped) == (bound, NOTHING, 0)
