"""What is derived of a question is kept: the same as derived anew, and never that of another root, question or rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.api.named import Named
from rulewright.base.records import evolve
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import Horizon
from rulewright.solver.best import bound_tables
from rulewright.solver.best.kernel_problem import KernelProblem
from rulewright.solver.best.problem import KernelTables, Problem
from rulewright.solver.inquiry import Inquiry

KEPT = Inquiry.kept

VARIANT = """\
module bright:
    "Lighthouses count more."
    extends beacon_patrol

change worth:
    replace lighthouse: 5 when at(c) has lighthouse
"""

DUAL_COSTS, GAINS_AND_TABLES = ("overboard", "bishops_eight"), ("market_two_days", "workers_two_days")


@pytest.fixture
def derived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[KernelTables]]:
    """The tables that are derived, with a cache of their own."""
    monkeypatch.setattr(Inquiry, "kept", KEPT)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    found: list[KernelTables] = []
    derive = bound_tables.kernel_tables

    def noting(problem: Problem, arrangement: Arrangement) -> KernelTables:
        found.append(derive(problem, arrangement))
        return found[-1]

    monkeypatch.setattr(bound_tables, "kernel_tables", noting)
    yield found


def problem_of(name: str, folder: Path, variant: str = "") -> Problem:
    position = Named(name, variant, folder).position
    assert position.question is not None
    return Problem(position.asked, position.root, position.question)


def words(tables: KernelTables) -> tuple[object, ...]:
    filled = [(one.words, one.room, one.given) for one in (tables.bound, tables.search)]
    return tables.most, tables.telling, tables.uses_chance, tables.cells, filled


def as_derived(problem: Problem) -> bool:
    """Whether the tables of a problem are those derived anew."""
    kernels = KernelProblem.of(problem)
    anew = bound_tables.kernel_tables(evolve(problem), kernels.game.arrangement)
    return words(anew)[:4] == words(kernels.derived)[:4] and anew.bound.words == kernels.derived.bound.words


@pytest.mark.parametrize("name", [*DUAL_COSTS, *GAINS_AND_TABLES])
def test_what_is_kept_is_what_would_be_derived(name: str, tmp_path: Path, derived: list[KernelTables]) -> None:
    anew = KernelProblem.of(problem_of(name, tmp_path))
    assert len(derived) == 1
    kept = KernelProblem.of(problem_of(name, tmp_path))
    assert len(derived) == 1
    assert words(kept.derived)[:4] == words(anew.derived)[:4]
    assert kept.bound_tables.items.tolist() == anew.bound_tables.items.tolist()
    assert kept.kind_sets.items.tolist() == anew.kind_sets.items.tolist()
    assert kept.derived.search.words == anew.derived.search.words


def others(folder: Path) -> Iterator[Problem]:
    """Problems that differ from the first in one thing each."""
    first = problem_of("overboard", folder)
    yield first
    state, engine = first.root, first.engine
    for move in engine.legal(state)[:2]:
        yield Problem(engine, engine.apply(state, move), first.question)
    yield Problem(engine, state, evolve(first.question, goal=Goal.MINIMISE))
    yield Problem(engine, state, evolve(first.question, goal=Goal.REACH, threshold=3))
    yield Problem(engine.with_horizon(Horizon("turn", 1)), state, first.question)
    yield problem_of("overboard", folder, "bright")


def test_another_question_has_its_own(tmp_path: Path, derived: list[KernelTables]) -> None:
    (tmp_path / "bright.rules").write_text(VARIANT)
    for number, problem in enumerate(others(tmp_path), 1):
        KernelProblem.of(problem)
        assert len(derived) == number
    derived.clear()
    assert all(map(as_derived, others(tmp_path)))


@pytest.mark.parametrize("left_out", ["root", "question", "engine"])
def test_a_key_that_leaves_something_out_is_noticed(
    left_out: str, tmp_path: Path, derived: list[KernelTables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted faults."""
    (tmp_path / "bright.rules").write_text(VARIANT)
    first = problem_of("overboard", tmp_path)

    def without(inquiry: Inquiry) -> str:
        given = {name: getattr(first if name == left_out else inquiry, name) for name in ("engine", "root", "question")}
        return Inquiry(**given)._digest

    monkeypatch.setattr(Problem, "_digest", property(without))
    assert not all(map(as_derived, others(tmp_path)))


def test_a_bound_of_ones_own_is_not_kept(tmp_path: Path, derived: list[KernelTables]) -> None:
    for _ in range(2):
        problem = evolve(problem_of("overboard", tmp_path), bound_by=lambda _: None)
        assert KernelProblem.of(problem).derived.most is None
    assert len(derived) == 2
