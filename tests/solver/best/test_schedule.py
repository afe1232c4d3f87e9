"""Who searches: the kernels compiled in haste first, optimised for what takes longer, the fallback where they cannot."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import rulewright.subset
from rulewright.base.diagnostics import RulesError
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.best import schedule
from rulewright.solver.best.kernel_problem import KernelProblem, Worker
from rulewright.solver.best.parallel_search import Guidance, ParallelSearch, Unfit
from rulewright.solver.best.prefix_search import BeamPrefixes
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel import run
from rulewright.solver.result import Incumbent, Limits, Result, Status
from rulewright.subset import compile_process, program
from rulewright.subset.program import as_python
from rulewright.subset.refusal import CannotCompile
from tests.paths import OPEN, PROVED
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import by_kernels, engine_and_state, greatest_score, random_puzzle, replayed, run_by
from tests.solver.best.test_fallback import RACE
from tests.solver.exhaustive import enumerate_all

UNSOLVED, PLAYED = OPEN / "mid_k18_s1.puzzle", 16
"""A position that has not been proved in two minutes, and what a plan for it is worth."""


def position_of(name: str) -> Position:
    return Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")


def answered(position: Position, limits: Limits) -> Result:
    assert position.question is not None
    return answer(position.asked, position.state, position.question, limits)


@pytest.fixture
def no_machine_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty cache, and nobody may optimise."""

    def refuse(*arguments: object) -> None:
        raise AssertionError("optimised code was asked for")

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    for module in (schedule, run):
        monkeypatch.setattr(module, "as_machine_code_by", refuse)


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    program._machine_code.cache_clear()


def test_nothing_is_optimised_for_what_is_settled_soon(no_machine_code: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "SOON", 30.0)
    text, _ = random_puzzle(random.Random(5), 1, 2)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    result = answer(engine, state, greatest_score(game), Limits(60, 2))
    assert (result.status, result.remarks) == (Status.OPTIMAL, ())


def told(calls: list[str], name: str, method: Callable[..., None]) -> Callable[..., None]:
    """A method that notes each call."""

    def noting(*arguments: object) -> None:
        calls.append(name)
        method(*arguments)

    return noting


@pytest.mark.parametrize("workers", [1, 2])
def test_machine_code_goes_on_where_python_stands(workers: int, monkeypatch: pytest.MonkeyPatch, empty_cache: None) -> None:
    """On the same arrays, so that nothing is looked at twice."""
    changed: list[tuple[int, int]] = []
    dug: list[str] = []
    for name in ("begin", "resume"):
        monkeypatch.setattr(Worker, name, told(dug, name, getattr(Worker, name)))
    optimise = ParallelSearch.optimise

    def noting(search: ParallelSearch) -> None:
        optimise(search)
        changed.append((search.states, len(search.workers)))

    monkeypatch.setattr(ParallelSearch, "optimise", noting)
    monkeypatch.setattr(run, "as_baseline_code", as_python)  # slow enough to be overtaken
    look = ParallelSearch.look
    monkeypatch.setattr(ParallelSearch, "look", lambda search, _: look(search, 60.0 if search.run.is_optimised else 0.1))
    position = position_of("mid_k09_s2_b16")
    result = answered(position, Limits(120, workers))
    assert (result.status, result.score, result.proof) == (Status.OPTIMAL, position.puzzle.answer, "search")
    assert replayed(position.asked, position.state, result) == result.score
    ((states, threads),) = changed
    assert 0 < states < result.states and threads == 1
    looks = [made for made in dug if made == "begin"]
    assert looks == ["begin"] and len(dug) > 1


def test_a_look_goes_on_where_the_last_one_ended() -> None:
    position = position_of("mid_k06_s2_b16")
    assert position.question is not None
    kernels = KernelProblem.of(Problem(position.asked, position.state, position.question))
    whole, parts = (ParallelSearch(kernels, run_by(kernels.game, as_python, 120)) for _ in range(2))
    assert whole.look(60)
    looks = 1
    while not parts.look(0.05):
        looks += 1
    assert looks > 1 and (parts.states, parts.best) == (whole.states, whole.best)


def test_plans_first_where_much_is_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact search begins with the best plan of the turns played anew, and prefixes, and tightens the bound at once; it
    goes on around the best plan."""
    position = position_of("mid_k06_s2_b16")
    begun: list[tuple[int | None, float, bool, bool]] = []
    at_length = ParallelSearch.at_length

    def noting(search: ParallelSearch, guidance: Guidance) -> bool:
        begun.append(
            (search.best.value, guidance.from_above, isinstance(guidance.prefixes, BeamPrefixes), guidance.around is not None)
        )
        return at_length(search, guidance)

    monkeypatch.setattr(ParallelSearch, "at_length", noting)
    monkeypatch.setattr(ParallelSearch, "look", lambda search, *how_long: False)
    monkeypatch.setattr(schedule, "plans_share", lambda problem: 0.2)
    result = answered(position, Limits(60, 2))
    ((known, *guidance),) = begun
    # How good it is depends on the time there was.
    assert known is not None and known <= position.puzzle.answer  # type: ignore[operator]
    assert guidance == [0.0, True, True]
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)
    assert replayed(position.asked, position.state, result) == result.score


def test_the_plan_that_is_known_is_kept() -> None:
    """When that is the best there is, the search finds none that is better."""
    position = position_of("mid_k06_s2_b16")
    best = answered(position, Limits(60, 1))
    assert position.question is not None
    problem = Problem(position.asked, position.state, position.question)
    result = by_kernels(problem, incumbent=Incumbent(best.score, best.plan))
    assert (result.status, result.score, result.plan) == (Status.OPTIMAL, best.score, best.plan)


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, empty_cache: None) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    monkeypatch.delitem(sys.modules, "rulewright.subset.llvm", raising=False)
    monkeypatch.delattr(rulewright.subset, "llvm", raising=False)


def test_who_has_no_compiler_is_not_told_when_it_would_not_help(no_compiler: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "SOON", 60.0)
    position = position_of("mid_k06_s2_b16")
    result = answered(position, Limits(60, 1))
    assert (result.status, result.score, result.remarks) == (Status.OPTIMAL, position.puzzle.answer, ())


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.campaign)])
def test_without_the_compiler(workers: int, no_compiler: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "SOON", 0.05)
    position = position_of("mid_k06_s2_b16")
    result = answered(position, Limits(60, workers))
    assert result.remarks.count(schedule.NO_COMPILER) == 1
    assert result.score is not None and replayed(position.asked, position.state, result) == result.score


def test_a_whole_game_without_the_compiler(no_compiler: None) -> None:
    engine = Engine.of(shipped("beacon_patrol"), 1)
    began = time.monotonic()
    result = answer(engine, engine.start(1), greatest_score(engine.game), Limits(6, 1))
    assert time.monotonic() - began < 60  # on a busy machine
    assert result.status is Status.FEASIBLE and schedule.NO_COMPILER in result.remarks
    assert result.score is not None and replayed(engine, engine.start(1), result) == result.score


def test_what_is_not_compiled_in_time_goes_on_in_python(monkeypatch: pytest.MonkeyPatch, empty_cache: None) -> None:
    def fail(*arguments: object) -> None:
        raise CannotCompile("it was not compiled in time")

    monkeypatch.setattr(schedule, "SOON", 0.01)
    monkeypatch.setattr(compile_process, "to_object", fail)
    position = position_of("mid_k06_s2_b16")
    result = answered(position, Limits(60, 1))
    assert (result.status, result.score, result.remarks) == (Status.OPTIMAL, position.puzzle.answer, ())


@pytest.mark.parametrize(
    ("owner", "name", "failure"), [(KernelProblem, "of", CannotCompile("too large")), (ParallelSearch, "look", Unfit())]
)
def test_what_the_kernels_do_not_take(owner: type, name: str, failure: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise failure

    monkeypatch.setattr(owner, name, fail)
    position = position_of("mid_k03_s2_b16")
    result = answered(position, Limits(60, 1))
    assert (result.status, result.score, result.remarks) == (Status.OPTIMAL, position.puzzle.answer, ())


def test_a_fault_of_the_rules_is_explained() -> None:
    """The kernels come upon it, and the engine says what it is."""
    game = linked(variant("change jettison:\n    effect broken: tokens of player := 10"))
    engine, state = engine_and_state(random_puzzle(random.Random(5), 1, 3)[0], game)
    with pytest.raises(RulesError) as error:
        answer(engine, state, greatest_score(game), Limits(60, 1))
    assert error.value.diagnostics[0].code.startswith("RW36")


def test_an_interrupt_ends_all_of_it(monkeypatch: pytest.MonkeyPatch, no_machine_code: None) -> None:
    def interrupted(search: ParallelSearch, *how_long: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(ParallelSearch, "look", interrupted)
    began = time.monotonic()
    result = answered(position_of("mid_k09_s1_b12"), Limits(60, 1))
    assert result.status is Status.UNKNOWN and result.bound is not None
    assert time.monotonic() - began < 50


def test_the_time_is_kept() -> None:
    position = Catalogue(Project(UNSOLVED.parent)).position(UNSOLVED)
    began = time.monotonic()
    result = answered(position, Limits(5, 2))
    assert result.status is Status.FEASIBLE and time.monotonic() - began < 60  # on a busy machine
    assert result.score is not None and result.bound is not None
    assert result.score <= result.bound and result.bound >= PLAYED


def test_a_game_without_tiles_is_searched_to_its_end() -> None:
    """Its end is within reach; the comparator agrees."""
    engine = Engine.of(linked(RACE), 2)
    result = answer(engine, engine.start(), greatest_score(engine.game), Limits(60))
    assert result.score == enumerate_all(engine, engine.start(), engine.score)
