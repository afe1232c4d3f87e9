"""Measuring: runs are told apart, differences are refused, and the page says what was run."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from instances import CLASSES, Class, instance
from proofs import reach, refuse_differences, report
from runs import OURS, Run, run


def made(solver: str, score: int, proved: bool = True, name: str = "a", bound: int | None = None, solve: float = 1.0) -> Run:
    return Run(solver, "mid_k03", name, 10.0, proved, score, score if proved else bound, solve, solve + 0.5, solve)


def test_a_run_tells_what_was_found(tmp_path: Path) -> None:
    runs = [run(OURS, instance(Class(3), 1), tmp_path, 20) for _ in range(2)]
    assert all(done.proved and not done.failure and 0 < done.solve < done.process for done in runs)
    assert runs[0].score == runs[1].score is not None and runs[0].cpu > 0
    refuse_differences(runs)


def test_a_run_that_fails_proves_nothing(tmp_path: Path) -> None:
    failing = evolve(OURS, command=lambda puzzle, seconds: ["false"])
    done = run(failing, instance(Class(3), 1), tmp_path, 5)
    assert not done.proved and done.score is None and done.failure


def test_a_run_that_overruns_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.GRACE", 0.0)
    done = run(evolve(OURS, command=lambda puzzle, seconds: ["sleep", "60"]), instance(Class(3), 1), tmp_path, 0.2)
    assert done.failure.startswith("killed") and done.process < 30 and not done.proved


def test_different_proofs_are_refused() -> None:
    with pytest.raises(SystemExit, match="proves 4"):
        refuse_differences([made("search", 4), made("clingo", 5)])
    with pytest.raises(SystemExit, match="finds 5"):
        refuse_differences([made("search", 4), made("clingo", 5, proved=False)])
    refuse_differences([made("search", 4), made("clingo", 3, proved=False), made("clingo", 7, name="b")])


def test_the_report_counts_what_was_not_proved_with_the_limit() -> None:
    runs = [made(OURS.name, 4), made(OURS.name, 6, name="b", solve=3.0), made("clingo", 4, proved=False, solve=9.0)]
    ours, peer = report(runs)[-2:]
    assert ours.startswith(f"| mid_k03 | {OURS.name} | 2 of 2 | 10 | 2.00 s | 2.50 s |")
    assert peer.startswith("| mid_k03 | clingo | 0 of 1 |  | ≥ 10 s | ≥ 10 s |") and "| ≥ 10 |" in peer


def test_the_gap_is_told_where_all_is_known() -> None:
    assert report([made(OURS.name, 10, proved=False, bound=11)])[-1].endswith("| 10% |")
    assert report([made(OURS.name, 10, proved=False)])[-1].endswith("|  |")


def test_the_reach_is_the_last_class_of_which_half_was_proved() -> None:
    proved = {12: (True, True, True), 13: (True, False, False), 14: (True, True, False), 15: (False, False, False)}
    runs = [
        evolve(made(OURS.name, 5, proved=one, name=f"mid_k{coming}_s{number}", bound=6), kind=f"mid_k{coming}")
        for coming, those in proved.items()
        for number, one in enumerate(those)
    ]
    assert reach(runs) == 14
    assert any("Reach: 14 tiles." in line for line in report(runs))
    assert reach(runs[-3:]) == 0


def test_the_classes_by_their_names() -> None:
    assert [Class.named(kind.name) for kind in CLASSES] == [*CLASSES]
    assert Class.named("mid_k13") == Class(13)
