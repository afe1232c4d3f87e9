"""The exact search in machine code: proved answers, the search in Python, changed rules, small tables, several threads."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best import parallel_search as native
from rulewright.solver.best.fallback import FallbackSearch
from rulewright.solver.best.kernel_problem import Worker
from rulewright.solver.best.kernels.transposition_table import MOST_THREADS
from rulewright.solver.best.parallel_search import FROM_ABOVE, BoundTightening, Guidance, ParallelSearch, Unfit
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import Listener, Result, Status
from rulewright.subset.program import Maker, as_baseline_code, as_machine_code
from tests.expressions import parse_expression
from tests.games.beacon_patrol.oracle import base_game as oracle
from tests.paths import OPEN, PROVED, ROOT
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import by_kernels, engine_and_state, random_position, random_puzzle, replayed
from tests.solver.best.test_fallback import LEAST, RACE, VARIANTS
from tests.solver.exhaustive import best_value, enumerate_all

POSITIONS = sorted(PROVED.glob("*.puzzle"))
UNSOLVED, PLAYED = OPEN / "mid_k18_s1.puzzle", 16
"""A position that has not been proved in two minutes, and what a plan for it is worth."""

LARGE = sorted((ROOT / "puzzles" / "library" / "castles_by_the_sea").glob("*.puzzle"))
"""Each takes seconds to be compiled; the tests of the game enumerate them."""
SHIPPED = sorted({path for path in (ROOT / "puzzles" / "library").rglob("*.puzzle") if path.parent.name != "made"} - set(LARGE))


def one_of_each_rules(paths: Sequence[Path]) -> list[Path]:
    """The first puzzle under each list of modules, by the line that has it."""
    first: dict[str, Path] = {}
    for path in paths:
        line = next(line for line in path.read_text("utf-8").splitlines() if line.startswith("    rules "))
        first.setdefault(line, path)
    return list(first.values())


FIRST = one_of_each_rules(SHIPPED)
SOON = [path for path in POSITIONS if "k12" not in path.stem]
BEYOND = ("three_evenings",)
"""It takes this search alone ten seconds and more."""

MOST_STATES = 400_000
"""Of an enumeration."""


def search(engine: Engine, state: State, question: Question, seconds: float, room: int = 16 << 20, **more) -> Result:  # type: ignore[no-untyped-def]
    return by_kernels(Problem(engine, state, question), seconds, room=room, **more)


def value_at_the_end(engine: Engine, state: State, question: Question, result: Result) -> int:
    """What a plan comes to, each move of it legal."""
    for move in result.plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state)
    return sum(engine.value(value, state) for value in question.values)


@pytest.mark.parametrize("path", SOON, ids=lambda path: path.stem)
def test_proved_answers(path: Path) -> None:
    proved(path, workers=1)


@pytest.mark.campaign
@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_proved_answers_of_all(path: Path) -> None:
    proved(path, workers=2, make=as_machine_code)


def proved(path: Path, workers: int, make: Maker = as_baseline_code) -> None:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = search(position.asked, position.root, position.question, 120, workers=workers, room=64 << 20, make=make)
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)
    assert value_at_the_end(position.asked, position.root, position.question, result) == result.score


@pytest.mark.parametrize(
    "path",
    [*FIRST, *(pytest.param(path, marks=pytest.mark.campaign) for path in [*SHIPPED, *LARGE] if path not in FIRST)],
    ids=lambda path: path.stem,
)
def test_shipped_puzzles(path: Path) -> None:
    """All compile, and all but those named are settled: with the answer that the puzzle gives, the plan counted anew.

    Shortest plans, chance and opponents have searches of their own (tests/solver/answer, tests/solver/versus).
    """
    position = Catalogue(Project(path.parent)).position(path)
    question, expected = position.question, position.puzzle.answer
    if question is None or question.goal is Goal.LEAST or question.in_expectation or question.is_against:
        return
    late = path.stem in BEYOND
    result = search(position.asked, position.root, question, 2 if late else 60, room=128 << 20)
    if late and result.status in (Status.FEASIBLE, Status.UNKNOWN):
        sign = -1 if question.goal is Goal.MINIMISE else 1
        if isinstance(expected, int):
            assert result.score is None or sign * result.score <= sign * expected
            assert result.bound is None or sign * expected <= sign * result.bound
        return
    if result.status is Status.IMPOSSIBLE:
        # There is no plan to count anew.
        by_engine = FallbackSearch(Problem(position.asked, position.root, question), time.monotonic() + 60).run()
        assert by_engine.status is Status.IMPOSSIBLE
        return
    assert result.status is Status.OPTIMAL
    assert expected is None or question.goal in (Goal.REACH, Goal.COUNT_BEST) or result.score == expected
    assert value_at_the_end(position.asked, position.root, question, result) == result.score


@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_the_judge(seed: int) -> None:
    rng = random.Random(seed)
    text, known = random_puzzle(rng, 1 + seed % 2, 1 + seed % 3)
    engine, state = engine_and_state(text, shipped("beacon_patrol"))
    result = search(engine, state, most_of(engine), 60)
    assert (result.status, result.score) == (Status.OPTIMAL, oracle.best_score(known))
    assert replayed(engine, state, result) == result.score


@pytest.mark.parametrize("change", VARIANTS)
def test_changed_rules(change: str) -> None:
    assert agrees(VARIANTS[change], seed=3, coming=2)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("change", VARIANTS)
def test_changed_rules_at_length(change: str, seed: int) -> None:
    agrees(VARIANTS[change], seed=70 + seed, coming=2 + seed % 4)


def agrees(change: str, seed: int, coming: int) -> bool:
    engine, state = random_position(random.Random(seed), linked(variant(change)), 1, coming)
    result = search(engine, state, most_of(engine), 120)
    assert result.status is Status.OPTIMAL
    expected = best_value(engine, state, most_of(engine), MOST_STATES)
    assert expected is None or result.score == expected
    assert replayed(engine, state, result) == result.score
    return expected is not None


def most_of(engine: Engine) -> Question:
    return Question(Goal.MAXIMISE, tuple(score.value for score in engine.game.scores))


@pytest.mark.parametrize("asked", LEAST)
def test_the_least(asked: str) -> None:
    text, _ = random_puzzle(random.Random(5), 1, 2)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    question = Question(Goal.MINIMISE, (resolve_question(game, parse_expression(asked, "here")),))
    result = search(engine, state, question, 60)
    expected = enumerate_all(engine, state, lambda s: engine.value(question.values[0], s), min)
    assert (result.status, result.score) == (Status.OPTIMAL, expected)


def test_reach() -> None:
    path = next(path for path in POSITIONS if path.stem == "mid_k06_s2_b16")
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    values = position.question.values
    reached = search(position.asked, position.root, Question(Goal.REACH, values, 17), 60)
    assert reached.status is Status.OPTIMAL and replayed(position.asked, position.root, reached) >= 17
    beyond = search(position.asked, position.root, Question(Goal.REACH, values, 18), 60)
    assert (beyond.status, beyond.score, beyond.plan) == (Status.IMPOSSIBLE, None, ())


@pytest.mark.parametrize("workers", [1, 3])
def test_forgetting_costs_time_and_nothing_else(workers: int) -> None:
    """With next to no memory most states are forgotten, and looked at again. A first look would have tables of its own."""
    path = next(path for path in POSITIONS if path.stem == "mid_k06_s3_b18")
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = search(position.asked, position.root, position.question, 120, workers=workers, room=0, first_look=0.0)
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)


@pytest.mark.parametrize("share", [0.0, 1e-9])
@pytest.mark.parametrize("workers", [1, 2])
def test_no_more_threads_than_workers(workers: int, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the bound is brought down from above from the beginning on."""
    monkeypatch.setattr(native, "SLICE", 1 << 4)
    at_work: set[int] = set()
    most, descents = [0], [0]
    resume, run = Worker.resume, BoundTightening.run

    def digging(worker: Worker, *arguments: int) -> None:
        at_work.add(id(worker))
        most[0] = max(most[0], len(at_work))
        resume(worker, *arguments)
        at_work.discard(id(worker))

    def descending(descent: BoundTightening, *arguments: int) -> None:
        descents[0] += 1
        run(descent, *arguments)

    monkeypatch.setattr(Worker, "resume", digging)
    monkeypatch.setattr(BoundTightening, "run", descending)
    at_once = Guidance(from_above=share)
    path = next(path for path in POSITIONS if path.stem == "mid_k09_s2_b16")
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = search(
        position.asked, position.root, position.question, 120, workers=workers, room=64 << 20, guidance=at_once, first_look=0.0
    )
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)
    assert most[0] == workers and descents[0] > 0


def test_more_workers_than_numbers_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread whose number does not fit would pass for nobody."""
    threads: list[int] = []

    def noting(search: ParallelSearch, tasks: Sequence[object], *more: object) -> None:
        threads.append(len(tasks))

    monkeypatch.setattr(ParallelSearch, "_work", noting)
    position = Catalogue(Project(PROVED)).position(PROVED / "mid_k09_s1_b12.puzzle")
    assert position.question is not None
    search(position.asked, position.root, position.question, 60, workers=MOST_THREADS + 5)
    assert threads == [1, MOST_THREADS]


def test_a_game_without_tiles() -> None:
    engine = Engine.of(linked(RACE), 2)
    result = search(engine, engine.start(), most_of(engine), 60)
    assert (result.status, result.score) == (Status.OPTIMAL, enumerate_all(engine, engine.start(), engine.score))


def test_time_runs_out() -> None:
    position = Catalogue(Project(OPEN)).position(UNSOLVED)
    assert position.question is not None
    result = search(position.asked, position.root, position.question, 5.0)
    assert result.status is Status.FEASIBLE and result.proof == ""
    assert result.score is not None and result.bound is not None
    assert result.score <= result.bound and result.bound >= PLAYED
    assert replayed(position.asked, position.root, result) == result.score


def test_settled_elsewhere() -> None:
    position = Catalogue(Project(OPEN)).position(UNSOLVED)
    assert position.question is not None
    result = search(
        position.asked, position.root, position.question, 60, listener=Listener(is_settled=lambda best: best is not None)
    )
    assert result.status is Status.FEASIBLE and result.seconds < 30


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("share", [FROM_ABOVE, 0.0])
def test_a_fault_of_the_rules_is_not_for_machine_code(share: float, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "beam_search", lambda worker, shared, seconds, room: None)
    game = linked(variant("change jettison:\n    effect broken: tokens of player := 10"))
    text, _ = random_puzzle(random.Random(5), 1, 3)
    engine, state = engine_and_state(text, game)
    began = time.monotonic()
    with pytest.raises(Unfit):
        search(engine, state, most_of(engine), 60, workers=workers, guidance=Guidance(from_above=share), first_look=0.0)
    assert time.monotonic() - began < 30
