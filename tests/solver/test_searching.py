"""Who searches: the plain reading first, machine code for what takes longer, the plain reading again where that cannot be."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import pytest

import rulewright.rules.native
from rulewright.grammar.scenarios import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.engine import Engine
from rulewright.rules.loading import Project
from rulewright.rules.native.text import CannotCompile
from rulewright.rules.questions import Question
from rulewright.solver import neighbourhood, searching
from rulewright.solver.limits import Limits
from rulewright.solver.native import exact as native
from rulewright.solver.portfolio import answer
from rulewright.solver.result import Result, Status
from tests.rules.playing import linked, shipped
from tests.solver.asking import engine_and_state, random_puzzle, replayed
from tests.solver.test_exact import RACE

DATA = Path(__file__).parents[1] / "puzzles" / "data"
PROVED = DATA / "proved"
OPEN, PLAYED = DATA / "open" / "mid_k18_s1.puzzle", 16
"""A position that has not been proved in two minutes, and what a plan for it is worth."""


def position_of(name: str) -> Position:
    return Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")


def answered(position: Position, limits: Limits) -> Result:
    assert position.question is not None
    return answer(position.asked, position.state, position.question, limits)


@pytest.fixture
def no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("machine code was asked for")

    monkeypatch.setattr(native.Layout, "of", refuse)


def test_nothing_is_compiled_for_what_is_settled_soon(no_machine_code: None) -> None:
    text, _ = random_puzzle(random.Random(5), 1, 2)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    result = answer(engine, state, Question(Goal.MAXIMISE, tuple(score.value for score in game.scores)), Limits(60, 2))
    assert (result.status, result.remarks) == (Status.OPTIMAL, ())


@pytest.mark.parametrize("workers", [1, 2])
def test_machine_code_goes_on(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    search = native.search

    def noting(*arguments, **more):  # type: ignore[no-untyped-def]
        called.append(arguments)
        return search(*arguments, **more)

    monkeypatch.setattr(native, "search", noting)
    position = position_of("mid_k09_s2_b16")
    result = answered(position, Limits(120, workers))
    assert len(called) == 1
    assert (result.status, result.score, result.proof) == (Status.OPTIMAL, position.puzzle.answer, "search")
    assert replayed(position.asked, position.state, result) == result.score


def test_a_look_is_not_begun_again_when_there_is_more_time() -> None:
    position = position_of("mid_k06_s2_b16")
    problem = searching.Problem.of(position.asked, position.state, position.question)
    whole, granted = searching.Search(problem, position.question), searching.Search(problem, position.question)
    assert whole.look(60)
    assert granted.look(-1.0, lambda: 60.0)
    assert (granted.states, granted.best) == (whole.states, whole.best)
    refused = searching.Search(problem, position.question)
    assert not refused.look(-1.0)
    assert refused.states == 1


def no_look(first: searching.Search, *how_long: object) -> bool:
    return False


def test_plans_first_where_much_is_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact search begins with the best plan of the turns played anew, and openings, and brings the bound down at once; it
    goes on around the best plan."""
    position = position_of("mid_k06_s2_b16")
    begun: list[tuple[int, float, bool, bool]] = []
    search = native.search

    def noting(*arguments, **more):  # type: ignore[no-untyped-def]
        begun.append((more["known"][0], more["from_above"], len(more["openings"]) > 0, more["around"] is not None))
        return search(*arguments, **more)

    monkeypatch.setattr(native, "search", noting)
    monkeypatch.setattr(searching.Search, "look", no_look)
    monkeypatch.setattr(neighbourhood, "plans_share", lambda problem, question: 0.2)
    result = answered(position, Limits(60, 2))
    assert begun == [(position.puzzle.answer, 0.0, True, True)]
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)
    assert replayed(position.asked, position.state, result) == result.score


def test_the_plan_of_the_first_look_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """When that is the best there is, machine code finds none that is better."""
    position = position_of("mid_k06_s2_b16")
    plain = answered(position, Limits(60, 1))
    monkeypatch.setattr(searching.Search, "look", no_look)
    monkeypatch.setattr(
        searching.Search,
        "__attrs_post_init__",
        lambda first: (setattr(first, "best", plain.score), setattr(first, "plan", plain.plan)),
    )
    result = answered(position, Limits(60, 1))
    assert (result.status, result.score, result.plan) == (Status.OPTIMAL, plain.score, plain.plan)


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    monkeypatch.delitem(sys.modules, "rulewright.rules.native.machine_code", raising=False)
    monkeypatch.delattr(rulewright.rules.native, "machine_code", raising=False)


def test_who_has_no_compiler_is_not_told_when_it_would_not_help(no_compiler: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "SOON", 0.0)
    monkeypatch.setattr(searching, "FIRST_LOOK", 30.0)
    position = position_of("mid_k06_s2_b16")
    result = answered(position, Limits(60, 1))
    assert (result.status, result.score, result.remarks) == (Status.OPTIMAL, position.puzzle.answer, ())


def test_without_the_compiler(no_compiler: None) -> None:
    position = position_of("mid_k09_s1_b12")
    result = answered(position, Limits(6, 1))
    assert searching.NO_COMPILER in result.remarks
    assert result.score is not None and replayed(position.asked, position.state, result) == result.score


@pytest.mark.parametrize("failure", [CannotCompile("too large"), native.Unfit()])
def test_what_cannot_be_compiled(failure: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **more: object) -> None:
        raise failure

    monkeypatch.setattr(native, "search", fail)
    monkeypatch.setattr(searching, "FIRST_LOOK", 0.3)
    position = position_of("mid_k06_s2_b16")
    monkeypatch.setattr(searching, "SOON", 0.01)
    result = answered(position, Limits(60, 1))
    assert (result.status, result.score, result.remarks) == (Status.OPTIMAL, position.puzzle.answer, ())


def test_an_interrupt_ends_all_of_it(monkeypatch: pytest.MonkeyPatch, no_machine_code: None) -> None:
    def interrupted(first: searching.Search, *how_long: object) -> bool:
        first.interrupted = True
        return False

    monkeypatch.setattr(searching.Search, "look", interrupted)
    began = time.monotonic()
    result = answered(position_of("mid_k09_s1_b12"), Limits(60, 1))
    assert result.status is Status.UNKNOWN and result.bound is not None
    assert time.monotonic() - began < 20


def test_the_time_is_kept() -> None:
    position = Catalogue(Project(OPEN.parent)).position(OPEN)
    began = time.monotonic()
    result = answered(position, Limits(8, 2))
    assert result.status is Status.FEASIBLE and time.monotonic() - began < 12  # on a busy machine
    assert result.score is not None and result.bound is not None
    assert result.score <= result.bound and result.bound >= PLAYED


def test_no_end_is_an_error_in_machine_code_too() -> None:
    """A game without tiles, its end within reach: both agree."""
    game = linked(RACE)
    engine = Engine.of(game, 2)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    problem = searching.Problem.of(engine, engine.start(), question)
    layout = native.Layout.of(native.Draft.of(problem, question))
    plain = searching.Search(problem, question)
    assert plain.look(60)
    assert native.search(layout, question).score == plain.result(True).score
