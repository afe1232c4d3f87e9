"""CP-SAT by itself: the bound of the final board limits what the unrolled model looks for."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from attrs import evolve

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.cpsat.process import standalone
from rulewright.solver.cpsat.process.job import Job, ModelKind, Report, WorkerStatus
from rulewright.solver.result import Incumbent, Limits, Listener, SoFar, Status
from tests.rules.playing import shipped
from tests.solver.asking import engine_and_state, random_puzzle, searched
from tests.solver.cpsat.process.test_listing import walk
from tests.solver.cpsat.running import worth
from tests.solver.shortest.questions import asked as asked_of


@cache
def asked() -> tuple[Engine, State, Question, int]:
    """A position, what is asked of it, and the answer."""
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(random_puzzle(random.Random(3), 1, 2)[0], game)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    best = searched(engine, state, question, 30).score
    assert best is not None
    return engine, state, question, best


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The tasks that children were given."""
    given = list[Job]()
    run = standalone.run

    def heard(one: Job, *tell: Any) -> Report:
        given.append(one)
        return run(one, *tell)

    monkeypatch.setattr(standalone, "run", heard)
    return given


@pytest.fixture
def without_rounds_and_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the rules were not shown to be played in rounds, and too many states could be reached."""
    refused, unsaid = standalone.ruled_out, Report(status=WorkerStatus.UNSUPPORTED)
    left_out = {ModelKind.ROUNDS: unsaid, ModelKind.STATES: unsaid}
    monkeypatch.setattr(standalone, "ruled_out", lambda *asked: left_out | refused(*asked))


@pytest.mark.parametrize("over", [-1, 0, 5])
def test_nothing_is_worth_more_than_the_ceiling(over: int) -> None:
    engine, state, question, best = asked()
    found = standalone.run(Job(ModelKind.UNROLLED, engine, state, question, 60.0, ceiling=best + over))
    assert found.status == "optimal"
    assert found.value == best + min(over, 0)


def test_plans_by_rounds_are_tried_first(ran: list[Job]) -> None:
    engine, state, question, best = asked()
    found = standalone.solve(engine, state, question, Limits(60, 2))
    assert [one.kind for one in ran] == [ModelKind.ROUNDS]
    assert (found.status, found.score, found.bound, found.proof) == (Status.OPTIMAL, best, best, "cpsat")
    assert worth(engine, state, question, found.plan) == best


def test_rounds_begin_with_a_plan_and_prove_it_or_find_a_better_one() -> None:
    engine, state, question, best = asked()
    plan = searched(engine, state, question, 30).plan
    found = standalone.solve(engine, state, question, Limits(60, 2), first_plan=lambda: Incumbent(best, plan))
    assert (found.status, found.score, found.bound, found.plan) == (Status.OPTIMAL, best, best, plan)
    found = standalone.solve(engine, state, question, Limits(60, 2), first_plan=lambda: Incumbent(best - 1, ()))
    assert (found.status, found.score, found.bound) == (Status.OPTIMAL, best, best)
    assert worth(engine, state, question, found.plan) == best


def test_what_takes_long_to_find_is_kept_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, state, question, _ = asked()

    def late(job: Job, tell: Any = None, completed: Any = None) -> Report:
        if completed is not None:
            completed(job)
        return Report(status=WorkerStatus.UNKNOWN, bound=9)

    monkeypatch.setattr(standalone, "run", late)
    found = standalone.solve(engine, state, question, Limits(60, 2), first_plan=lambda: Incumbent(1, ((0,),)))
    assert (found.status, found.score, found.bound, found.plan) == (Status.FEASIBLE, 1, 9, ((0,),))


def test_a_stop_while_the_first_plan_is_looked_for_leaves_an_answer() -> None:
    engine, state, question, _ = asked()
    so_far: list[SoFar] = []

    def interrupted() -> Incumbent:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        standalone.solve(engine, state, question, Limits(60, 2), Listener(on_stop=so_far.append), interrupted)
    found = so_far[-1]()
    assert (found.status, found.score) == (Status.UNKNOWN, None)


def test_a_stop_once_the_first_plan_is_found_leaves_it_as_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, state, question, _ = asked()
    so_far: list[SoFar] = []

    def interrupted(job: Job, tell: Any = None, completed: Any = None) -> Report:
        completed(job)
        raise KeyboardInterrupt

    monkeypatch.setattr(standalone, "run", interrupted)
    listener = Listener(on_stop=so_far.append)
    with pytest.raises(KeyboardInterrupt):
        standalone.solve(engine, state, question, Limits(60, 2), listener, lambda: Incumbent(1, ((0,),)))
    found = so_far[-1]()
    assert (found.status, found.score, found.plan) == (Status.FEASIBLE, 1, ((0,),))


@pytest.mark.usefixtures("without_rounds_and_states")
def test_the_final_board_bounds_the_unrolled_model(ran: list[Job]) -> None:
    engine, state, question, best = asked()
    found = standalone.solve(engine, state, question, Limits(60, 2))
    assert [one.kind for one in ran] == [ModelKind.FINAL_BOARD, ModelKind.UNROLLED]
    assert ran[1].ceiling is not None
    assert ran[1].ceiling >= best
    assert (found.status, found.score, found.bound) == (Status.OPTIMAL, best, best)
    assert worth(engine, state, question, found.plan) == best


@pytest.mark.usefixtures("without_rounds_and_states")
@pytest.mark.parametrize("bound", [None, 3, 500])
def test_of_both_bounds_the_lower_one_counts(bound: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, state, question, _ = asked()
    ends = {ModelKind.FINAL_BOARD: Report(status=WorkerStatus.UNKNOWN, bound=7)}
    late = Report(status=WorkerStatus.UNKNOWN, bound=bound)
    monkeypatch.setattr(standalone, "run", lambda one, *tell: ends.get(one.kind, late))
    found = standalone.solve(engine, state, question, Limits(60, 2))
    assert (found.status, found.score, found.bound) == (Status.UNKNOWN, None, min(7, bound or 7))


@pytest.mark.usefixtures("without_rounds_and_states")
@pytest.mark.parametrize("goal", [Goal.MINIMISE, Goal.REACH])
def test_the_final_board_is_not_asked_what_it_cannot_bound(goal: Goal, ran: list[Job]) -> None:
    engine, state, question, best = asked()
    found = standalone.solve(engine, state, evolve(question, goal=goal, threshold=best), Limits(60, 2))
    assert [(one.kind, one.ceiling) for one in ran] == [(ModelKind.UNROLLED, None)]
    assert found.status is Status.OPTIMAL


def test_the_fewest_moves_are_read_off_all_states_first(ran: list[Job]) -> None:
    position = asked_of(shipped("classics.missionaries"), "fewest moves until across")
    assert position.question is not None
    result = standalone.solve(position.asked, position.root, position.question, Limits(60, 2))
    assert [job.kind for job in ran] == [ModelKind.STATES]
    assert (result.status, result.score, result.proof, result.remarks) == (Status.OPTIMAL, 11, "states", ())
    assert standalone.refuted(position.asked, position.root, position.question, -10, 60, Limits(60, 2)) == (True, "states", ())


@pytest.mark.parametrize("status", [WorkerStatus.UNSUPPORTED, WorkerStatus.UNKNOWN])
def test_plans_of_limited_length_follow_where_states_are_too_many_or_late(
    status: WorkerStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = asked_of(shipped("classics.missionaries"), "fewest moves until across")
    assert position.question is not None
    shares = dict[ModelKind, float]()
    answers = {ModelKind.STATES: Report(status=status), ModelKind.SHORTEST: Report(bound=-11, status=WorkerStatus.INFEASIBLE)}

    def quick(job: Job, *tell: Any) -> Report:
        shares[job.kind] = job.seconds
        return answers[job.kind]

    monkeypatch.setattr(standalone, "run", quick)
    result = standalone.solve(position.asked, position.root, position.question, Limits(60, 2))
    assert (result.status, result.remarks) == (Status.IMPOSSIBLE, ())
    assert shares.keys() == answers.keys() and shares[ModelKind.STATES] < 31 < shares[ModelKind.SHORTEST]
    assert standalone.refuted(position.asked, position.root, position.question, -10, 60, Limits(60, 2)) == (True, "cpsat", ())


def test_no_process_is_started_for_what_a_glance_rules_out(ran: list[Job]) -> None:
    """A walk has an order, and how far it leads is no sum over a board."""
    position = walk()
    assert position.question is not None
    standalone.solve(position.asked, position.root, position.question, Limits(60, 2))
    assert [job.kind for job in ran] == [ModelKind.STATES]
