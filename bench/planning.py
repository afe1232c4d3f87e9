"""Shortest plans by class, against Fast Downward, clingo and small programs: `python bench/planning.py [--class fifteen] …`.

Every instance (`planning_tasks.py`) goes to each solver in turn, each run a whole process with 4 GiB, limited by the
processor time that it takes, which other work on the machine changes little; all Python processes may keep compiled modules,
as where they are installed. On the first instances of a class (`--probe`) all configurations of Fast Downward are run; from
there on the best one, and no peer that has solved none of them. The first instance of a class is solved once beforehand, so
that our machine code and our pattern databases are kept. What starting takes is measured on questions that need no move, each
new to us. Answers that were proved and differ stop the run. With `--record` each run is written when it is done, and
`--resume` leaves out those that are there; `--minutes` ends a piece. Needs `pip install -e ".[bench]"`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from statistics import median

import processes
from attrs import asdict, frozen
from optima import summed
from page import environment, write_section
from planning_task import Task
from planning_tasks import KINDS, start_task, task

OURS = "rulewright"
BY_HAND = "by hand"
CLINGO, SMALL = (Path(__file__).with_name(name) for name in ("clingo_planning.py", "planning_by_hand.py"))


@frozen
class Run:
    """Wall-clock and processor seconds of a whole process; `cost` is that of a plan proved shortest."""

    kind: str
    name: str
    solver: str
    cost: int | None
    seconds: float
    cpu: float
    inside: float | None = None
    """The seconds reported by our solver itself."""
    is_idle: bool = False
    """Whether nothing else ran on the machine, according to the caller."""


@frozen
class Solver:
    """The command for a folder with a task's files, and the parser of the least cost in its output."""

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


def _by_hand(seconds: float) -> list[str]:
    return [sys.executable, str(SMALL), "task.lp"]


def _fast_downward(search: str) -> Callable[[float], list[str]]:
    found = find_spec("up_fast_downward")
    assert found is not None and found.origin is not None
    driver = Path(found.origin).with_name("downward") / "fast-downward.py"
    return lambda seconds: [sys.executable, str(driver), "domain.pddl", "problem.pddl", "--search", search]


def _read_fast_downward(output: str) -> int | None:
    said = re.search(r"^\[.*\] Plan cost: (\d+)$", output, re.MULTILINE)
    return int(said[1]) if said else None


def solvers() -> list[Solver]:
    """The solvers, with the configurations of Fast Downward."""
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
        Solver(BY_HAND, _by_hand, int),
        *(
            Solver(f"Fast Downward, {name}", _fast_downward(search), _read_fast_downward)
            for name, search in configurations.items()
        ),
    ]


def _limited(seconds: float) -> tuple[str, ...]:
    """A command prefix that limits each of its processes to 4 GiB and `seconds` of processor time."""
    return "sh", "-c", f'ulimit -v {4 << 20}; ulimit -t {ceil(seconds)}; exec "$@"', "sh"


PATIENCE = 12
"""The wall-clock limit as a multiple of the processor time limit, for a machine busy with other work."""


def run(solver: Solver, one: Task, seconds: float, compiled: Path, is_idle: bool = False) -> Run:
    """One measured run in a separate folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one.write(folder)
        environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(compiled)}
        command = [*_limited(seconds), *solver.command(PATIENCE * seconds)]
        done = processes.run(command, folder, PATIENCE * seconds, environment)
    try:
        cost = None if done.overran else solver.read(done.output)
        if cost is not None and solver.name == OURS and one.total is not None:
            cost = one.total - cost
    except (ValueError, KeyError, StopIteration):
        cost = None
    inside = json.loads(done.output)["seconds"] if cost is not None and solver.name == OURS else None
    return Run(one.kind, one.name, solver.name, cost, done.seconds, done.cpu, inside, is_idle)


START = "start"
"""The class of questions that need no move."""


@frozen
class Campaign:
    """The plan of a measurement: the numbers of the instances, the solvers, the limit of a run, and the time after which no
    run starts."""

    asked: Sequence[Solver]
    numbers: range
    probe: int
    seconds: float
    compiled: Path
    is_idle: bool
    deadline: float
    note: Callable[[Run], None]

    def measure(self, kinds: Sequence[str], known: list[Run]) -> None:
        """Run every solver on every instance in turn; known runs are skipped, new ones added."""
        for kind in kinds:
            self._warm(kind, known)
            for number in self.numbers:
                one = task(kind, number)
                for solver in self._still_asked(kind, number, known):
                    is_known = any((done.name, done.solver) == (one.name, solver.name) for done in known)
                    if is_known or time.monotonic() > self.deadline:
                        continue
                    done = run(solver, one, self.seconds, self.compiled, self.is_idle)
                    known.append(done)
                    self.note(done)
                refuse_differences(known)

    def measure_start(self, known: list[Run]) -> None:
        """Measure our process alone on five questions, each of them new, as are those of the classes."""
        if not any(done.kind == START for done in known):
            for number in range(5):
                known.append(run(self.asked[0], start_task(number), self.seconds, self.compiled, self.is_idle))
                self.note(known[-1])

    def _warm(self, kind: str, known: Sequence[Run]) -> None:
        names = {done.name for done in known if done.solver == self.asked[0].name}
        if any(task(kind, number).name not in names for number in self.numbers) and time.monotonic() < self.deadline:
            for solver in self.asked[:2]:
                run(solver, task(kind, self.numbers.start), self.seconds, self.compiled)

    def _still_asked(self, kind: str, number: int, known: Sequence[Run]) -> Sequence[Solver]:
        """After the first instances: ours, and each peer's best configuration, if it solved any."""
        if number < self.numbers.start + self.probe:
            return self.asked
        first = {task(kind, number).name for number in range(self.numbers.start, self.numbers.start + self.probe)}
        probed = [done for done in known if done.name in first and done.cost is not None]
        best = min((done for done in probed if done.solver.startswith("Fast")), key=_rank(probed), default=None)
        kept = {OURS, BY_HAND, best.solver if best else "", *(done.solver for done in probed if done.solver == "clingo")}
        return [solver for solver in self.asked if solver.name in kept]


def _rank(probed: Sequence[Run]) -> Callable[[Run], tuple[int, float]]:
    """The sort key: most solved first, then the least processor time."""

    def rank(done: Run) -> tuple[int, float]:
        own = [other.cpu for other in probed if other.solver == done.solver]
        return -len(own), median(own)

    return rank


def refuse_differences(runs: Iterable[Run]) -> None:
    """Stop if two solvers differ."""
    known: dict[str, Run] = {}
    for done in runs:
        if done.cost is not None:
            other = known.setdefault(done.name, done)
            if other.cost != done.cost:
                raise SystemExit(f"{done.name}: {other.solver} finds {other.cost}, {done.solver} finds {done.cost}")


def report(runs: Sequence[Run], seconds: float) -> list[str]:
    """A row for each class: solved and median seconds of each, and the ratios to the better peer."""
    start = median(done.cpu for done in runs if done.kind == START)
    tasks = {done.name for done in runs if done.kind != START}
    idle = sum(done.is_idle for done in runs)
    lines = [
        *environment(),
        "",
        f"{len(tasks)} instances, {len(runs)} runs, {idle} of them on an otherwise idle machine. Each run is a process with "
        f"at most {seconds:g} s of processor time. A cell gives how many instances were solved, the median of processor "
        "seconds, and the median by the clock if all runs of the class had an idle machine; an instance that was not solved "
        "counts as the limit. Fast Downward runs in the configuration that is best on the first instances. A peer that solved "
        "none of these was not run on the others. *Ratio* compares Rulewright's processor seconds with those of the better "
        f"peer. *Without starting* is the same ratio without the {start:.2f} s that Rulewright takes for a question that needs "
        "no move.",
        "",
        "| class | sum of answers | rulewright | Fast Downward | clingo | small program | ratio | without starting |",
        "|---|--:|---|---|---|---|--:|--:|",
    ]
    for kind in dict.fromkeys(done.kind for done in runs if done.kind != START):
        rows = [done for done in runs if done.kind == kind]
        by_solver = {name: [done for done in rows if done.solver == name] for name in dict.fromkeys(d.solver for d in rows)}
        planners = [name for name in by_solver if name.startswith("Fast")]
        best = min(planners, key=lambda name: (-len(by_solver[name]), _cpu(by_solver[name], seconds)))
        ours, peers = by_solver[OURS], [by_solver[name] for name in (best, "clingo")]
        better = min(_cpu(own, seconds) for own in peers)
        cells = [
            kind,
            summed(done.cost for done in ours),
            _cell(ours, seconds),
            _cell(peers[0], seconds) + f" ({best.partition(', ')[2]})",
            _cell(peers[1], seconds),
            _cell(by_solver[BY_HAND], seconds) if BY_HAND in by_solver else "",
            f"{_cpu(ours, seconds) / better:.1f}",
            f"{max(_cpu(ours, seconds) - start, 0) / better:.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _cpu(runs: Sequence[Run], seconds: float) -> float:
    """The median processor seconds."""
    return median(seconds if done.cost is None else done.cpu for done in runs)


def _cell(runs: Sequence[Run], seconds: float) -> str:
    clock = median(seconds if done.cost is None else done.seconds for done in runs)
    by_clock = f", {clock:.2f} s by the clock" if all(done.is_idle for done in runs) else ""
    return f"{sum(done.cost is not None for done in runs)} of {len(runs)}, {_cpu(runs, seconds):.2f} s{by_clock}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, help="the runs, one a line, to which those of this call are added")
    parser.add_argument("--class", dest="kinds", action="append", choices=list(KINDS), help="all by default")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=12, help="instances of each class")
    parser.add_argument("--seconds", type=float, default=30, help="of processors, for each instance and solver")
    parser.add_argument("--probe", type=int, default=3, help="instances on which all configurations are run")
    parser.add_argument("--only", action="append", help="solvers whose name contains this")
    parser.add_argument("--resume", action="store_true", help="leave out the runs that are recorded")
    parser.add_argument("--minutes", type=float, default=600, help="begin no run after so many")
    parser.add_argument("--idle", action="store_true", help="nothing else runs on the machine")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    deadline = time.monotonic() + 60 * wish.minutes
    asked = [one for one in solvers() if not wish.only or any(word in one.name for word in wish.only)]
    runs: list[Run] = []
    if wish.resume and wish.record is not None and wish.record.exists():
        runs = [Run(**json.loads(line)) for line in wish.record.read_text("utf-8").splitlines()]

    def note(done: Run) -> None:
        print(f"{done.name:14} {done.solver:26} {done.cost!s:>6} {done.seconds:6.2f} s {done.cpu:6.2f} s", flush=True)
        if wish.record is not None:
            with wish.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(done)) + "\n")

    numbers = range(wish.first, wish.first + wish.count)
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(asked, numbers, wish.probe, wish.seconds, Path(folder), wish.idle, deadline, note)
        campaign.measure_start(runs)
        campaign.measure(wish.kinds or list(KINDS), runs)
    if len(asked) > 2:
        lines = report(runs, wish.seconds)
        print("\n".join(lines))
        if wish.page:
            write_section("shortest plans", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
