"""Openings: ways that a wide beam keeps, and a short exact search behind each. What is left off there is no proof."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count, islice, repeat
from types import SimpleNamespace

import pytest
from attrs import define, evolve, field

from rulewright.grammar.scenarios import Goal
from rulewright.rules.engine import Move, State
from rulewright.rules.native.program import Maker, as_machine_code, as_python
from rulewright.solver.native import depth_first, turns, ways
from rulewright.solver.native import openings as kept
from rulewright.solver.native.exact import NOTHING, Draft, Layout, Run, search
from rulewright.solver.native.openings import Openings
from rulewright.solver.native.turns import Small
from rulewright.solver.native.ways import Leaving, promising
from rulewright.solver.native.workers import Blackboard, Worker
from rulewright.solver.neighbourhood import turns_of
from rulewright.solver.problem import Problem
from rulewright.solver.result import Status
from tests.solver.native.test_threads import FAR, harbour
from tests.solver.native.test_turns import proved, whole_game

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


@pytest.mark.parametrize("make", [as_python, as_machine_code], ids=["python", "machine"])
def test_openings_are_played_to_where_few_tiles_are_to_come(make: Maker) -> None:
    problem, question, _ = proved("begin_k06_s1")
    found = promising(Small.of(problem, question, make), ROOM, 60, FEW)
    assert len(set(found)) == len(found) > 10
    assert coming(problem, problem.root) > FEW
    assert all(coming(problem, played(problem, way)) <= FEW for way in found)


@pytest.mark.parametrize("name", ["mid_k06_s2_b16", "mid_k06_s3_b18"])
def test_plans_behind_openings_begin_with_them(name: str) -> None:
    problem, question, answer = proved(name)
    found = promising(Small.of(problem, question), ROOM, 60, FEW)
    worker = Layout.of(Draft.of(problem, question)).worker()
    shared = Blackboard.of(1, 1 << 10, NOTHING, 1 << 40)
    Openings(worker, found).run(shared, time.monotonic() + 60)
    assert worker.found == shared.best == answer
    end = played(problem, worker.plan)
    assert problem.engine.over(end) and problem.value(end) == answer
    assert any(worker.plan[: len(way)] == way for way in found)


@pytest.mark.parametrize("states", range(1, 12))
def test_what_was_left_behind_an_opening_is_looked_at_again(states: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """See test_threads: after so many states something is done that hangs on what is not."""
    monkeypatch.setattr(kept, "STATES", states)
    monkeypatch.setattr(Run, "first_look", lambda run: False)
    monkeypatch.setattr(Worker, "scan", lambda worker, shared, seconds, room: None)
    layout, question = harbour()
    result = search(layout, question, openings=[()])
    assert (result.status, result.score) == (Status.OPTIMAL, FAR)


def test_nothing_is_tried_once_it_is_stopped() -> None:
    layout, _ = harbour()
    worker = layout.worker()
    trial = Openings(worker, [()])
    trial.stop()
    trial.run(Blackboard.of(1 << 8, 1, NOTHING, 1 << 40), time.monotonic() + 60)
    assert worker.states == 0


def test_an_opening_that_is_not_legal_leads_nowhere() -> None:
    layout, _ = harbour()
    worker, (here, *_) = layout.worker(), layout.problem.engine.legal(layout.problem.root)
    elsewhere = next(move for move in ((number,) for number in range(4)) if move != here)
    shared = Blackboard.of(1 << 8, 1, NOTHING, 1 << 40)
    worker.dig(shared, 1, opening=(elsewhere,))
    assert (worker.status, worker.states) == (depth_first.ENDED, 0)
    worker.dig(shared, 1, opening=(here,))
    assert (worker.status, worker.found) == (depth_first.ENDED, FAR)
    assert worker.plan[0] == here


@pytest.mark.parametrize("make", [as_python, as_machine_code], ids=["python", "machine"])
def test_ways_leave_the_plan_at_its_turns(make: Maker) -> None:
    problem, question, _ = proved("begin_k06_s1")
    plan = some_play(problem)
    small = Small.of(problem, question, make)
    found = list(islice(Leaving(small, plan, FEW - 1), 200))
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
    problem, question, _ = proved("begin_k06_s1")
    first, other = some_play(problem), some_play(problem, -1)
    small = Small.of(problem, question)
    place = turns_of(small.problem, small.within(other) or ())[1][0]
    leaving = Leaving(small, first, FEW - 1)
    ways = iter(leaving)
    assert first[:place] != other[:place] != next(ways)[:place]
    leaving.take(other)
    assert any(way[:place] == other[:place] for way in islice(ways, 200))


def test_openings_around_a_plan_make_it_better() -> None:
    problem, question, answer = proved("mid_k06_s3_b18")
    plan = some_play(problem)
    worth = problem.value(played(problem, plan))
    assert worth < answer
    worker = Layout.of(Draft.of(problem, question)).worker()
    shared = Blackboard.of(1, 1 << 10, worth, answer)
    Openings(worker, (), Leaving(Small.of(problem, question), plan, FEW - 1)).run(shared, time.monotonic() + 60)
    assert worker.found == shared.best == answer
    assert problem.value(played(problem, worker.plan)) == answer


def test_there_is_no_way_once_it_is_stopped() -> None:
    problem, question, _ = proved("begin_k06_s1")
    leaving = Leaving(Small.of(problem, question), some_play(problem), FEW - 1)
    leaving.stop()
    assert list(leaving) == []


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
    problem, question, answer = proved("mid_k06_s2_b16")
    if beyond is not None:
        question = evolve(question, goal=Goal.REACH, threshold=answer + beyond)
    monkeypatch.setattr(Run, "first_look", lambda run: False)
    layout = Layout.of(Draft.of(problem, question))
    result = search(layout, question, seconds=12, workers=workers, from_above=0.0, around=Endless())
    assert result.status is (Status.OPTIMAL if beyond is None else Status.IMPOSSIBLE)
    assert result.seconds < 9


def test_what_goes_around_the_best_plan_is_told_of_better_ones() -> None:
    problem, question, answer = proved("mid_k06_s3_b18")
    worker, endless = Layout.of(Draft.of(problem, question)).worker(), Endless()
    Openings(worker, (), endless).run(Blackboard.of(1, 1 << 10, NOTHING, answer), time.monotonic() + 60)
    worths = [problem.value(played(problem, plan)) for plan in endless.taken]
    assert worths == sorted(set(worths)) and worths[-1] == answer


def test_a_plan_that_leaves_the_small_window_is_not_left() -> None:
    problem, question = whole_game(5)
    small = Small.of(problem, question)
    assert small.narrow is not None
    swept = small.sweeper(turns.board(1 << 40), 0).sweep(small.problem.root, 30, 0.0)
    assert swept is not None
    kept, outside = swept[1], some_play(problem)  # ever to the north
    inside = small.widened(kept)
    assert small.within(inside) == kept != inside
    assert small.within(outside) is None
    assert Leaving(small, outside).plan == ()
    leaving = Leaving(small, inside)
    leaving.take(outside)
    assert leaving.plan == kept


def some_play(problem: Problem, which: int = 0) -> tuple[Move, ...]:
    """To the end, always the first of the legal moves, or the last."""
    state, moves = problem.root, []
    while not problem.engine.over(state):
        moves.append(problem.engine.legal(state)[which])
        state = problem.engine.apply(state, moves[-1])
    return tuple(moves)


def test_a_sweep_for_openings_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the stop can end it: by the clock that is looked at between openings no time goes by."""
    problem, question = whole_game(5)
    small = Small.of(problem, question)
    monkeypatch.setattr(ways, "time", SimpleNamespace(monotonic=lambda: 0.0))
    assert promising(small, ROOM, 0.01) == []


def test_no_more_openings_are_told_than_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, question, _ = proved("mid_k06_s2_b16")
    small = Small.of(problem, question)
    whole = promising(small, ROOM, 60, FEW)
    clock = count()
    monkeypatch.setattr(ways, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert promising(small, ROOM, 60, FEW) == whole[:59] != whole
