"""Classes of shortest plans: instances follow from their seeds, solvers agree, what differs is refused."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import planning
import pytest
from planning import OURS, Run, refuse_differences, report, run, solvers
from planning_tasks import KINDS, task

QUICK = [kind for kind in KINDS if kind not in ("fifteen", "rush_hour")]


@pytest.mark.parametrize("kind", QUICK)
def test_an_instance_follows_from_its_seed(kind: str) -> None:
    assert task(kind, 3) == task(kind, 3) != task(kind, 4)


@pytest.mark.skipif(find_spec("clingo") is None or find_spec("up_fast_downward") is None, reason="optional: rulewright[bench]")
@pytest.mark.campaign
@pytest.mark.parametrize("kind", QUICK)
def test_the_solvers_agree(kind: str, tmp_path: Path) -> None:
    runs = [run(solver, task(kind, 2), 60, tmp_path) for solver in solvers()[:3]]
    refuse_differences(runs)
    assert all(done.cost is not None for done in runs)


def made(solver: str, cost: int | None, name: str = "hanoi_s1") -> Run:
    return Run("hanoi", name, solver, cost, 2.0, 1.0, 0.5 if solver == OURS else None)


def test_different_costs_are_refused() -> None:
    with pytest.raises(SystemExit, match="clingo finds 4"):
        refuse_differences([made(OURS, 3), made("clingo", 4)])
    refuse_differences([made(OURS, 3), made("clingo", None), made("clingo", 4, name="hanoi_s2")])


def test_what_was_not_solved_counts_with_the_limit() -> None:
    runs = [made(OURS, 3), made("Fast Downward, blind", None), made("Fast Downward, LM-cut", 3), made("clingo", None)]
    line = report(runs, 30)[-1]
    assert line == (
        "| hanoi | 1 of 1, 2.00 s, 1.00 s | 0.50 s | 1 of 1, 2.00 s, 1.00 s (LM-cut) | 0 of 1, 30.00 s, 30.00 s | 1.0 | 0.2 |"
    )


def test_the_cost_is_read_from_what_the_peer_says() -> None:
    assert planning._read_fast_downward("[t=0.1s, 1 KB] Plan length: 3 step(s).\n[t=0.1s, 1 KB] Plan cost: 3\n") == 3
    assert planning._read_fast_downward("Completely explored state space -- no solution!\n") is None
