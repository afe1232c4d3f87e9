"""Shortest plans by class, against Fast Downward and clingo: `python bench/planning.py [--class fifteen] …`.

Every instance (`planning_tasks.py`) goes to each solver in turn, each run a whole process with 4 GiB; all Python processes may
keep compiled modules, as where they are installed. Of Fast Downward's configurations that which does best in a class is shown.
The first instance of a class is solved once beforehand, so that our machine code is kept; how long that took is told too.
Answers that were proved and differ stop the run. Needs `pip install rulewright[bench]`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import processes
from attrs import asdict, frozen
from page import environment, write_section
from planning_tasks import KINDS, Task, task
from runs import LIMITED

OURS = "rulewright"
CLINGO = Path(__file__).with_name("clingo_planning.py")


@frozen
class Run:
    """Seconds of a whole process by the clock and of processors; `cost` is that of a plan proved to be a shortest one."""

    kind: str
    name: str
    solver: str
    cost: int | None
    seconds: float
    cpu: float
    inside: float | None = None
    """Seconds that our solver itself reports."""


@frozen
class Solver:
    """The command for a folder with a task's files, and how the least cost is read from what was written."""

    name: str
    command: Callable[[float], list[str]]
    read: Callable[[str], int | None]


def _ours(seconds: float) -> list[str]:
    options = ["--json", "--time", f"{seconds:g}", "--workers", "2"]
    return [sys.executable, "-m", "rulewright", "solve", "task.puzzle", *options]


def _read_ours(output: str) -> int | None:
    document = json.loads(output)
    return document["score"] if document["status"] == "optimal" else None


def _clingo(seconds: float) -> list[str]:
    return [sys.executable, str(CLINGO), "task.lp"]


def _fast_downward(search: str) -> Callable[[float], list[str]]:
    found = find_spec("up_fast_downward")
    assert found is not None and found.origin is not None
    driver = Path(found.origin).with_name("downward") / "fast-downward.py"
    return lambda seconds: [sys.executable, str(driver), "domain.pddl", "problem.pddl", "--search", search]


def _read_fast_downward(output: str) -> int | None:
    said = re.search(r"^\[.*\] Plan cost: (\d+)$", output, re.MULTILINE)
    return int(said[1]) if said else None


def solvers() -> list[Solver]:
    """Those that are asked, with the configurations of Fast Downward."""
    shrink = (
        "astar(merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
        "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering(scoring_functions="
        "[goal_relevance(),dfp(),total_order()])),label_reduction=exact(before_shrinking=true,before_merging=false),"
        "max_states=50k,threshold_before_merge=1))"
    )
    configurations = {"blind": "astar(blind())", "LM-cut": "astar(lmcut())", "iPDB": "astar(ipdb(max_time=5))", "M&S": shrink}
    return [
        Solver(OURS, _ours, _read_ours),
        Solver("clingo", _clingo, int),
        *(
            Solver(f"Fast Downward, {name}", _fast_downward(search), _read_fast_downward)
            for name, search in configurations.items()
        ),
    ]


def run(solver: Solver, one: Task, seconds: float, compiled: Path) -> Run:
    """One measured run in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one.write(folder)
        environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(compiled)}
        done = processes.run([*LIMITED, *solver.command(seconds)], folder, seconds, environment)
    try:
        cost = None if done.overran else solver.read(done.output)
    except (ValueError, KeyError, StopIteration):
        cost = None
    inside = json.loads(done.output)["seconds"] if cost is not None and solver.name == OURS else None
    return Run(one.kind, one.name, solver.name, cost, done.seconds, done.cpu, inside)


def measure(kinds: Sequence[str], asked: Sequence[Solver], numbers: range, seconds: float, compiled: Path) -> list[Run]:
    """Every solver on every instance, one after the other."""
    runs: list[Run] = []
    for kind in kinds if numbers else ():
        for solver in asked[:2]:
            first = run(solver, task(kind, numbers.start), seconds, compiled)
            print(f"{first.name:14} {solver.name:26} the first time: {first.seconds:.2f} s", flush=True)
        for number in numbers:
            one = task(kind, number)
            for solver in asked:
                done = run(solver, one, seconds, compiled)
                runs.append(done)
                print(f"{one.name:14} {solver.name:26} {done.cost!s:>6} {done.seconds:6.2f} s {done.cpu:6.2f} s", flush=True)
            refuse_differences(runs)
    return runs


def refuse_differences(runs: Iterable[Run]) -> None:
    """Stop where two solvers differ."""
    known: dict[str, Run] = {}
    for done in runs:
        if done.cost is not None:
            other = known.setdefault(done.name, done)
            if other.cost != done.cost:
                raise SystemExit(f"{done.name}: {other.solver} finds {other.cost}, {done.solver} finds {done.cost}")


def report(runs: Sequence[Run], seconds: float) -> list[str]:
    """A row for each class: solved and median seconds of each, and the ratios to the better peer."""
    lines = [
        *environment(),
        "",
        f"Whole processes, at most {seconds:g} s each: how many were solved, median seconds by the clock and of processors, in "
        "which what was not solved counts with the limit. *Inside* is what our solver itself takes. Of Fast Downward the "
        "configuration that does best. *Times the better* peer: processors of the processes, then inside by the clock.",
        "",
        "| class | rulewright | inside | Fast Downward | clingo | times the better | inside |",
        "|---|---|--:|---|---|--:|--:|",
    ]
    for kind in dict.fromkeys(done.kind for done in runs):
        rows = [done for done in runs if done.kind == kind]
        by_solver = {name: [done for done in rows if done.solver == name] for name in dict.fromkeys(d.solver for d in rows)}
        times = {name: _times(own, seconds) for name, own in by_solver.items()}
        best = min((name for name in times if name not in (OURS, "clingo")), key=lambda name: times[name][1])
        clock, processors = (min(times[best][at], times["clingo"][at]) for at in (0, 1))
        inside = median(seconds if done.inside is None else done.inside for done in by_solver[OURS])
        cells = [
            kind,
            _cell(by_solver[OURS], times[OURS]),
            f"{inside:.2f} s",
            _cell(by_solver[best], times[best]) + f" ({best.partition(', ')[2]})",
            _cell(by_solver["clingo"], times["clingo"]),
            f"{times[OURS][1] / processors:.1f}",
            f"{inside / clock:.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _times(runs: Sequence[Run], seconds: float) -> tuple[float, float]:
    """Median seconds by the clock and of processors."""
    return (
        median(seconds if done.cost is None else done.seconds for done in runs),
        median(seconds if done.cost is None else done.cpu for done in runs),
    )


def _cell(runs: Sequence[Run], times: tuple[float, float]) -> str:
    return f"{sum(done.cost is not None for done in runs)} of {len(runs)}, {times[0]:.2f} s, {times[1]:.2f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, help="the runs, one a line, to which those of this call are added")
    parser.add_argument("--class", dest="kinds", action="append", choices=list(KINDS), help="all by default")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=12, help="instances of each class")
    parser.add_argument("--seconds", type=float, default=30, help="for each instance and solver")
    parser.add_argument("--only", action="append", help="solvers whose name contains this")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    asked = [one for one in solvers() if not wish.only or any(word in one.name for word in wish.only)]
    with tempfile.TemporaryDirectory() as compiled:
        numbers = range(wish.first, wish.first + wish.count)
        runs = measure(wish.kinds or list(KINDS), asked, numbers, wish.seconds, Path(compiled))
    if wish.record is not None:
        with wish.record.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(done)) + "\n" for done in runs)
        runs = [Run(**json.loads(line)) for line in wish.record.read_text("utf-8").splitlines()]
        refuse_differences(runs)
    if len(asked) > 2:
        lines = report(runs, wish.seconds)
        print("\n".join(lines))
        if wish.page:
            write_section("shortest plans", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
