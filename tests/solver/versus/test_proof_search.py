"""Search by proof numbers: small tables, positions that come again, and in turn with null windows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.model.state import Move
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.kernel.run import Run
from rulewright.solver.result import Limits, Status
from rulewright.solver.versus import best_play, proof_search
from rulewright.solver.versus.kernel import BUCKET
from rulewright.solver.versus.kernel_search import KernelSearch
from rulewright.solver.versus.problem import MinimaxProblem, OutOfReach, Repeats
from rulewright.solver.versus.proof_search import BothSearches, ProofSearch
from tests.solver.versus.endgames import Searches, compare, engine_of, question, random_endgames
from tests.solver.versus.test_best_play import walk


def problem_of(name: str, ask: str) -> MinimaxProblem:
    engine = engine_of(name)
    return MinimaxProblem(engine, engine.start(), question(name, ask))


@pytest.mark.parametrize("buckets", [1, 8])
def test_a_table_that_forgets_most_of_what_it_learns(buckets: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProofSearch, "_most", lambda *_: BUCKET * buckets)
    for name, state, asked in random_endgames(2, 6):
        compare(name, state, asked)


def test_a_position_that_comes_again_is_told() -> None:
    problem = MinimaxProblem(*walk("win for 1"))
    with pytest.raises(Repeats):
        ProofSearch(problem, time.monotonic() + 60, Limits()).judge((), 1, lambda: None)


@pytest.mark.parametrize("workers", [1, 2])
def test_both_in_turn_and_at_the_same_time(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns so short that both have some: the values are those of the enumeration."""
    monkeypatch.setattr(proof_search, "FIRST_TURN", 8)
    monkeypatch.setattr(best_play, "FIRST_TURN", 64)
    seen = list[type]()
    advance = KernelSearch.advance

    def noted(search: KernelSearch, states: int, heard: Callable[[], None]) -> int | None:
        bound = advance(search, states, heard)
        seen.append(type(search)) if bound is not None else None
        return bound

    monkeypatch.setattr(KernelSearch, "advance", noted)
    for name, state, asked in random_endgames(2, 7):
        compare(name, state, asked, Searches(kernel=lambda *given: BothSearches.of(*given[:2], Limits(workers=workers))))
    assert {KernelSearch, ProofSearch} <= set(seen)


@pytest.mark.parametrize("trouble", [Repeats, OutOfReach, partial(GameFault, "no")])
def test_proof_numbers_are_given_up_where_they_cannot_go_on(trouble: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_search, "FIRST_TURN", 8)
    monkeypatch.setattr(Run, "slice", 8)

    tried = list[int]()

    def refused(self: ProofSearch, path: Sequence[Move], goal: int, most: int | None = None) -> None:
        tried.append(goal)
        raise trouble()

    monkeypatch.setattr(ProofSearch, "begin", refused)
    problem = problem_of("noughts_and_crosses", "win for 2")
    found = answer(problem.engine, problem.root, problem.question, Limits(60))
    assert (found.status, found.score, len(tried)) == (Status.OPTIMAL, 0, 1)


def test_questions_with_a_clock_are_left_to_null_windows() -> None:
    problem = problem_of("noughts_and_crosses", "win for 1 in 3 moves")
    assert [type(search) for search in BothSearches.of(problem, 0.0, Limits()).searches] == [KernelSearch]
