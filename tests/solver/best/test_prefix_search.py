"""Prefixes that a wide beam keeps, and a short exact search behind each. What is left off there is no proof."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import count, islice, repeat

import pytest
from attrs import define, evolve, field

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import State
from rulewright.solver.best import prefix_search, turn_search
from rulewright.solver.best.kernel_problem import SharedState, Worker
from rulewright.solver.best.parallel_search import Guidance, ParallelSearch
from rulewright.solver.best.prefix_search import BeamPrefixes, ElitePrefixes, PrefixSearch
from rulewright.solver.best.problem import Problem
from rulewright.solver.best.turn_search import RestrictedProblem, turns_of
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd
from rulewright.solver.result import Status
from rulewright.subset.program import Maker, as_baseline_code, as_python
from tests.solver.asking import by_kernels, worker_of
from tests.solver.best.test_threads import FAR, harbour
from tests.solver.best.test_turn_search import proved, whole_game

ROOM = 1 << 28
FEW = 3


def played(problem: Problem, moves: tuple[Move, ...]) -> State:
    state = problem.root
    for move in moves:
        assert move in problem.engine.legal(state)
        state = problem.engine.apply(state, move)
    return state


def coming(problem: Problem, state: State) -> int:
    columns = (problem.engine.layout.position(name, player) for name, player in (("draw", None), ("hand", 1), ("kept", 1)))
    return sum(len(state[column]) for column in columns)


@pytest.mark.parametrize(
    "make", [pytest.param(as_python, marks=pytest.mark.campaign), as_baseline_code], ids=["python", "machine"]
)
def test_prefixes_are_played_to_where_few_tiles_are_to_come(make: Maker) -> None:
    problem, _ = proved("begin_k06_s1")
    found = list(BeamPrefixes(RestrictedProblem.of(problem, make), ROOM, 600, FEW))
    assert len(set(found)) == len(found) > 10
    assert coming(problem, problem.root) > FEW
    assert all(coming(problem, played(problem, way)) <= FEW for way in found)


@pytest.mark.parametrize("name", ["mid_k06_s2_b16", "mid_k06_s3_b18"])
def test_plans_behind_prefixes_begin_with_them(name: str) -> None:
    problem, answer = proved(name)
    found = list(BeamPrefixes(RestrictedProblem.of(problem, as_baseline_code), ROOM, 600, FEW))
    worker = worker_of(problem)
    shared = SharedState.of(1, 1 << 10, -ENDLESS, 1 << 40)
    PrefixSearch(worker, found).run(shared, time.monotonic() + 60)
    assert worker.found == shared.best == answer
    end = played(problem, worker.plan)
    assert problem.engine.over(end) and problem.value(end) == answer
    assert any(worker.plan[: len(way)] == way for way in found)


@pytest.mark.parametrize("states", range(1, 12))
def test_what_was_left_behind_a_prefix_is_looked_at_again(states: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """See test_threads: after so many states something is done that hangs on what is not."""
    monkeypatch.setattr(prefix_search, "STATES", states)
    monkeypatch.setattr(ParallelSearch, "look", lambda search, seconds: False)
    monkeypatch.setattr(Worker, "beam_search", lambda worker, shared, seconds, room: None)
    result = by_kernels(harbour(), guidance=Guidance([()]))
    assert (result.status, result.score) == (Status.OPTIMAL, FAR)


def test_nothing_is_tried_once_it_is_stopped() -> None:
    worker = worker_of(harbour())
    trial = PrefixSearch(worker, [()])
    trial.stop()
    trial.run(SharedState.of(1 << 8, 1, -ENDLESS, 1 << 40), time.monotonic() + 60)
    assert worker.states == 0


def test_a_prefix_that_is_not_legal_leads_nowhere() -> None:
    problem = harbour()
    worker, (here, *_) = worker_of(problem), problem.engine.legal(problem.root)
    elsewhere = next(move for move in ((number,) for number in range(4)) if move != here)
    shared = SharedState.of(1 << 8, 1, -ENDLESS, 1 << 40)
    worker.begin((elsewhere,))
    worker.resume(shared, 1)
    assert (worker.status, worker.states) == (SearchEnd.DONE, 0)
    worker.begin((here,))
    worker.resume(shared, 1)
    assert (worker.status, worker.found) == (SearchEnd.DONE, FAR)
    assert worker.plan[0] == here


@pytest.mark.parametrize("make", [as_python, as_baseline_code], ids=["python", "machine"])
def test_ways_leave_the_plan_at_its_turns(make: Maker) -> None:
    problem, _ = proved("begin_k06_s1")
    plan = some_play(problem)
    small = RestrictedProblem.of(problem, make)
    found = list(islice(ElitePrefixes(small, plan, FEW - 1), 200))
    places = {
        start
        for start, _ in turns_of(small.problem, small.within(plan) or ())
        if coming(problem, played(problem, plan[:start])) > FEW - 1
    }
    assert {0} < places
    left = set()
    for way in found:
        assert coming(problem, played(problem, way)) <= FEW - 1
        left.add(max(start for start in places if way[:start] == plan[:start]))
    assert left == places


def test_a_better_plan_is_left_from_then_on() -> None:
    problem, _ = proved("begin_k06_s1")
    first, other = some_play(problem), some_play(problem, -1)
    small = RestrictedProblem.of(problem, as_baseline_code)
    place = turns_of(small.problem, small.within(other) or ())[1][0]
    elite = ElitePrefixes(small, first, FEW - 1)
    ways = iter(elite)
    assert first[:place] != other[:place] != next(ways)[:place]
    elite.take(other)
    assert any(way[:place] == other[:place] for way in islice(ways, 200))


def test_prefixes_around_a_plan_make_it_better() -> None:
    problem, answer = proved("mid_k06_s3_b18")
    plan = some_play(problem)
    worth = problem.value(played(problem, plan))
    assert worth < answer
    worker = worker_of(problem)
    shared = SharedState.of(1, 1 << 10, worth, answer)
    PrefixSearch(worker, (), ElitePrefixes(RestrictedProblem.of(problem, as_baseline_code), plan, FEW - 1)).run(
        shared, time.monotonic() + 60
    )
    assert worker.found == shared.best == answer
    assert problem.value(played(problem, worker.plan)) == answer


def test_there_is_no_way_once_it_is_stopped() -> None:
    problem, _ = proved("begin_k06_s1")
    elite = ElitePrefixes(RestrictedProblem.of(problem, as_baseline_code), some_play(problem), FEW - 1)
    elite.stop()
    assert list(elite) == []


@define
class Endless:
    """Nowhere in particular, again and again; notes what it is told."""

    taken: list[tuple[Move, ...]] = field(factory=list)

    def __iter__(self) -> Iterator[tuple[Move, ...]]:
        return repeat(())

    def take(self, plan: tuple[Move, ...]) -> None:
        self.taken.append(plan)

    def stop(self) -> None:
        pass


@pytest.mark.parametrize(("workers", "beyond"), [(1, None), (2, None), (1, 1), (2, 1)])
def test_plans_without_end_do_not_keep_from_the_proof(
    workers: int, beyond: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a thread that is alone, nor others when they are done, nor a question whose bound is not brought down."""
    problem, answer = proved("mid_k06_s2_b16")
    if beyond is not None:
        problem = Problem(problem.engine, problem.root, evolve(problem.question, goal=Goal.REACH, threshold=answer + beyond))
    monkeypatch.setattr(ParallelSearch, "look", lambda search, seconds: False)
    result = by_kernels(problem, 8, workers, guidance=Guidance((), Endless(), 0.0))
    assert result.status is (Status.OPTIMAL if beyond is None else Status.IMPOSSIBLE)


def test_what_goes_around_the_best_plan_is_told_of_better_ones() -> None:
    problem, answer = proved("mid_k06_s3_b18")
    worker, endless = worker_of(problem), Endless()
    PrefixSearch(worker, (), endless).run(SharedState.of(1, 1 << 10, -ENDLESS, answer), time.monotonic() + 60)
    worths = [problem.value(played(problem, plan)) for plan in endless.taken]
    assert worths == sorted(set(worths)) and worths[-1] == answer


def test_a_plan_that_leaves_the_small_window_is_not_left() -> None:
    problem = whole_game(5)
    small = RestrictedProblem.of(problem, as_baseline_code)
    assert small.narrow is not None
    found = small.turn_beam(turn_search.shared_words(1 << 40), 0).search(small.problem.root, 30, 0.0)
    assert found.value is not None
    kept, outside = found.plan, some_play(problem)  # ever to the north
    inside = small.widened(kept)
    assert small.within(inside) == kept != inside
    assert small.within(outside) is None
    assert ElitePrefixes(small, outside).plan == ()
    elite = ElitePrefixes(small, inside)
    elite.take(outside)
    assert elite.plan == kept


def some_play(problem: Problem, which: int = 0) -> tuple[Move, ...]:
    """To the end, always the first of the legal moves, or the last."""
    state, moves = problem.root, []
    while not problem.engine.over(state):
        moves.append(problem.engine.legal(state)[which])
        state = problem.engine.apply(state, moves[-1])
    return tuple(moves)


def test_a_sweep_for_prefixes_is_given_up_in_time() -> None:
    problem = whole_game(5)
    small = RestrictedProblem.of(problem, as_baseline_code)
    assert list(BeamPrefixes(small, ROOM, 0.01)) == []


def test_no_more_prefixes_are_told_once_they_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, _ = proved("mid_k06_s2_b16")
    small = RestrictedProblem.of(problem, as_baseline_code)
    whole = list(BeamPrefixes(small, ROOM, 60, FEW))
    source, widened, told = BeamPrefixes(small, ROOM, 60, FEW), RestrictedProblem.widened, count(1)

    def stopping(restricted: RestrictedProblem, plan: tuple[Move, ...]) -> tuple[Move, ...]:
        if next(told) == 59:
            source.stop()
        return widened(restricted, plan)

    monkeypatch.setattr(RestrictedProblem, "widened", stopping)
    assert list(source) == whole[:59] != whole
    assert list(source) == []


def test_a_beam_for_prefixes_ends_with_the_search() -> None:
    """It is stopped where it is, though its own time is long."""
    source = BeamPrefixes(RestrictedProblem.of(whole_game(5), as_baseline_code), ROOM, 600)
    trial, began = PrefixSearch(worker_of(harbour()), source), time.monotonic()
    threading.Timer(0.5, trial.stop).start()
    trial.run(SharedState.of(1 << 8, 1, -ENDLESS, 1 << 40), began + 600)
    assert time.monotonic() - began < 60 and trial.worker.states == 0
