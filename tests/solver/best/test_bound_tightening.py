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
from rulewright.solver.kernel.game_interface import ENDLESS
from tests.paths import OPEN, PROVED
from tests.solver.asking import worker_of
from tests.solver.best.test_threads import FAR, harbour

UNSOLVED, PLAYED = OPEN / "mid_k18_s1.puzzle", 16
"""A position that has not been proved in two minutes, and what a plan for it is worth."""

NOTHING = -(1 << 40)


def descent(name: str, buckets: int = 1 << 16, workers: int = 1) -> tuple[BoundTightening, int]:
    """From the bound of the root, and the proved answer."""
    found, answer = descent_of(PROVED / f"{name}.puzzle", buckets, workers)
    assert answer is not None
    return found, answer


def descent_of(path: Path, buckets: int = 1 << 16, workers: int = 1) -> tuple[BoundTightening, int | None]:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    problem = Problem(position.asked, position.state, position.question)
    crew = [worker_of(problem) for _ in range(workers)]
    assert problem.most is not None
    return BoundTightening(crew, crew[0].bound(problem.most), buckets), position.puzzle.answer


def together(found: BoundTightening, shared: SharedState, states: int = ENDLESS) -> None:
    """Run all workers to the end, each in a thread, in pieces of so many states."""

    def work(number: int) -> None:
        while not shared.stopped:
            found.run(shared, states, number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, len(found.workers) + 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize(
    ("buckets", "workers", "states"), [(4, 1, ENDLESS), (1 << 16, 1, ENDLESS), (64, 2, 7), (1 << 16, 3, 1000)]
)
@pytest.mark.parametrize("name", ["mid_k06_s1_b10", "mid_k06_s2_b16", "begin_k06_s1"])
def test_it_ends_at_the_best_plan(name: str, buckets: int, workers: int, states: int) -> None:
    found, answer = descent(name, buckets, workers)
    assert found.bound >= answer
    shared = SharedState.of(1, 1 << 12, NOTHING, 1 << 40)
    together(found, shared, states)
    assert (found.bound, shared.best, shared.stopped) == (answer, answer, FINISHED)
    assert max(worker.found or 0 for worker in found.workers) == answer


@pytest.mark.parametrize("pause", range(1, 12))
def test_a_goal_is_refuted_once_all_have_left_the_root(pause: int) -> None:
    """See test_threads: after so many states one worker is done, and has passed over what another is still at."""
    problem = harbour()
    found = BoundTightening([worker_of(problem), worker_of(problem)], FAR, 1 << 8)
    shared = SharedState.of(1, 1, -ENDLESS, 1 << 40)
    found.run(shared, pause, 1)
    other = threading.Thread(target=found.run, args=(shared, ENDLESS, 2))
    other.start()
    other.join(0.1)
    found.run(shared, ENDLESS, 1)
    other.join(60)
    assert not other.is_alive()
    assert (found.bound, shared.best, shared.stopped) == (FAR, FAR, FINISHED)


def test_a_plan_that_others_have_is_shown_to_be_the_best() -> None:
    found, answer = descent("mid_k06_s3_b18")
    shared = SharedState.of(1, 1 << 12, answer, 1 << 40)
    found.run(shared)
    assert (found.bound, shared.stopped, found.workers[0].found) == (answer, FINISHED, None)


@pytest.mark.parametrize("workers", [1, 2])
def test_when_stopped_it_claims_nothing_more(workers: int) -> None:
    found, _ = descent_of(UNSOLVED, workers=workers)
    shared = SharedState.of(1, 1 << 12, NOTHING, 1 << 40)
    threads = [threading.Thread(target=found.run, args=(shared, ENDLESS, number + 1)) for number in range(workers)]
    for thread in threads:
        thread.start()
    threads[0].join(0.5)
    found.stop()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert found.bound >= PLAYED
    assert shared.stopped == 0


@pytest.mark.parametrize("states", [1, 7, 1000])
def test_in_pieces_it_does_the_same(states: int) -> None:
    found, answer = descent("mid_k06_s1_b10")
    shared, pieces = SharedState.of(1, 1 << 12, NOTHING, 1 << 40), 0
    while not shared.stopped:
        before = found.workers[0].states
        found.run(shared, states)
        assert found.workers[0].states - before <= states
        pieces += 1
    whole, _ = descent("mid_k06_s1_b10")
    whole.run(SharedState.of(1, 1 << 12, NOTHING, 1 << 40))
    assert (found.bound, shared.best, found.workers[0].found) == (answer, answer, answer)
    assert found.workers[0].states == whole.workers[0].states
    assert pieces >= found.workers[0].states // states


def test_what_was_stopped_does_nothing() -> None:
    found, _ = descent("mid_k06_s1_b10")
    found.stop()
    shared = SharedState.of(1, 1 << 12, NOTHING, 1 << 40)
    bound = found.bound
    found.run(shared)
    assert (found.bound, shared.best, shared.stopped) == (bound, NOTHING, 0)
