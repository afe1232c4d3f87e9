"""Classes of shortest plans: instances follow from their seeds, solvers agree, what differs is refused."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path

import planning
import pytest
from attrs import evolve
from planning import OURS, Campaign, Run, Solver, refuse_differences, report, run, solvers
from planning_tasks import KINDS, Task, task

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
    """What starting takes is told apart; seconds by the clock only where the machine was idle."""
    runs = [made(OURS, 3), made("Fast Downward, blind", None), made("Fast Downward, LM-cut", 3), made("clingo", None)]
    start = Run(planning.START, "start", OURS, 0, 0.9, 0.7, 0.0)
    line = report([start, *runs], 30)[-1]
    assert line == "| hanoi | 3 | 1 of 1, 1.00 s | 1 of 1, 1.00 s (LM-cut) | 0 of 1, 30.00 s |  | 1.0 | 0.3 |"
    line = report([start, *(evolve(done, is_idle=True) for done in runs)], 30)[-1]
    assert line.startswith("| hanoi | 3 | 1 of 1, 1.00 s, 2.00 s by the clock | 1 of 1")


def test_what_is_recorded_is_not_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All configurations on the first instance, then the best one, and no peer that solved none."""
    made_now: list[tuple[str, str]] = []

    def pretended(solver: Solver, one: Task, *_: object) -> Run:
        made_now.append((one.name, solver.name))
        return made(solver.name, None if solver.name == "clingo" else 3, name=one.name)

    monkeypatch.setattr(planning, "run", pretended)
    asked = [Solver(name, lambda _: [], int) for name in (OURS, "clingo", "Fast Downward, blind", "Fast Downward, LM-cut")]
    known: list[Run] = []
    campaign = Campaign(asked, range(1, 4), 1, 8, tmp_path, False, time.monotonic() + 60, lambda done: None)
    campaign.measure(["hanoi"], known)
    assert [done.solver for done in known if done.name != "hanoi_s1"] == 2 * [OURS, "Fast Downward, blind"]
    made_now.clear()
    campaign.measure(["hanoi"], known)
    assert not made_now
    campaign.measure(["hanoi"], known[:-1])
    assert made_now == [("hanoi_s3", "Fast Downward, blind")]


def test_the_cost_is_read_from_what_the_peer_says() -> None:
    assert planning._read_fast_downward("[t=0.1s, 1 KB] Plan length: 3 step(s).\n[t=0.1s, 1 KB] Plan cost: 3\n") == 3
    assert planning._read_fast_downward("Completely explored state space -- no solution!\n") is None
