"""Measuring: runs are told apart, differences are refused, and the page says what was run."""

from __future__ import annotations

from pathlib import Path

import pytest
import reach
from attrs import evolve
from instances import Class, instance
from proofs import OURS, refuse_differences, report
from runs import SOLVERS, Run, run


def made(solver: str, score: int, proved: bool = True, name: str = "a", bound: int | None = None, solve: float = 1.0) -> Run:
    return Run(solver, "mid_k03", name, 10.0, proved, score, score if proved else bound, solve, solve + 0.5, solve)


def test_a_run_tells_what_was_found(tmp_path: Path) -> None:
    one = instance(Class(3), 1)
    runs = [run(SOLVERS[name], one, tmp_path, 20) for name in ("search", OURS)]
    assert all(done.proved and not done.failure and 0 < done.solve < done.process for done in runs)
    assert runs[0].score == runs[1].score
    refuse_differences(runs)


def test_a_run_that_fails_proves_nothing(tmp_path: Path) -> None:
    failing = type(SOLVERS["search"])("none", lambda puzzle, seconds: ["false"], SOLVERS["search"].read)
    done = run(failing, instance(Class(3), 1), tmp_path, 5)
    assert not done.proved and done.score is None and done.failure


def test_different_proofs_are_refused() -> None:
    with pytest.raises(SystemExit, match="proves 4"):
        refuse_differences([made("search", 4), made("clingo", 5)])
    with pytest.raises(SystemExit, match="finds 5"):
        refuse_differences([made("search", 4), made("clingo", 5, proved=False)])
    refuse_differences([made("search", 4), made("clingo", 3, proved=False), made("clingo", 7, name="b")])


def test_the_report_counts_what_was_not_proved_with_the_limit() -> None:
    runs = [made(OURS, 4), made(OURS, 6, name="b", solve=3.0), made("clingo", 4, proved=False, solve=9.0)]
    ours, peer = report(runs)[-2:]
    assert ours.startswith(f"| mid_k03 | {OURS} | 2 of 2 | 2.00 s | 2.50 s |")
    assert peer.startswith("| mid_k03 | clingo | 0 of 1 | ≥ 10 s | ≥ 10 s |") and "| ≥ 10 |" in peer


def test_the_gap_is_told_where_all_is_known() -> None:
    assert report([made(OURS, 10, proved=False, bound=11)])[-1].endswith("| 10% |")
    assert report([made(OURS, 10, proved=False)])[-1].endswith("|  |")


def test_the_reach_is_the_last_class_of_which_half_was_proved() -> None:
    proved = {12: (True, True, True), 13: (True, False, False), 14: (True, True, False), 15: (False, False, False)}
    runs = [
        evolve(made(OURS, 5, proved=one, name=f"mid_k{coming}_s{number}", bound=6), kind=f"mid_k{coming}")
        for coming, those in proved.items()
        for number, one in enumerate(those)
    ]
    lines = reach.report(runs, 120)
    assert "Limit 120 s for each position, two workers. Reach: 14 tiles to come." in lines
    assert "| 13 | 1 of 3 | 1.0 s | 1.0, not, not |" in lines
    assert "| 15 | 0 of 3 |  | not, not, not |" in lines
    assert any("fewer than 12" in line for line in reach.report(runs[-3:], 120))
