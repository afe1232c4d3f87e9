"""Outside collections beside a small C++ program and Fast Downward: `python bench/peers.py fifteen`, `… rush_hour CARDS` or
`… sokoban LEVELS.xsb [--every 5]`.

The fifteen puzzles are Korf's hundred. CARDS has the cells of a card in each line, as 36 letters after its length, such as
`peers/rush_hour.cpp` makes; the levels are asked for the fewest pushes. All get the same instances one after the other, each
run a whole process with one thread, 2,048 MiB and 60 s: ours by the clock, the others of processor time.
The C++ programs (`peers/*.cpp`, -O2) do what somebody writes in an hour: breadth first over packed positions, and for the
fifteen puzzle iterative deepening with the Manhattan distance. Of Fast Downward one configuration is asked (`--search`);
which is best on these collections was not tried. Our machine code is kept from a first run. Answers that were proved and
differ stop the run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from attrs import frozen
from collection import KORF
from planning import solvers
from planning_task import Task, domain_of, drawn, puzzle_of
from planning_tasks import CARS, TRUCKS, Cell, rush_hour_task, sliding_task, sokoban_problem

PEERS = Path(__file__).with_name("peers")
MIB, OURS, SMALL = 2048, "rulewright", "C++"
WIDE = """module pushes_wide:
    "Sokoban by pushes on thirty-two by twenty-four cells."
    extends classics.sokoban_pushes

drop space board

space board: square grid 32 x 24 of tiles

change level:
    wall x600
    crate x64
"""
CONFIGURATIONS = {"fifteen": "iPDB", "rush_hour": "blind", "sokoban": "LM-cut"}


@frozen
class Instance:
    """A task, and what the small program reads."""

    task: Task
    given: str


@frozen
class Measure:
    """The least cost if it was proved, processor seconds, the most MiB of one of its processes, and the states it counts."""

    cost: int | None
    cpu: float
    mib: float
    states: int


def fifteen() -> Iterator[Instance]:
    """Korf's hundred, turned by half a circle for all but the small program: there, the gap is at home in the first cell."""
    for number, line in enumerate(KORF.read_text("utf-8").splitlines()[1:], 1):
        given = line.partition(": ")[2]
        turned = [15 - int(tile) for tile in reversed(given.split())]
        held = {(at % 4, at // 4): tile for at, tile in enumerate(turned) if tile < 15}
        yield Instance(sliding_task("fifteen", f"korf_{number}", "classics.fifteen", 4, held), given)


def rush_hour(cards: Path) -> Iterator[Instance]:
    for number, line in enumerate(cards.read_text("utf-8").splitlines(), 1):
        card = line.split()[-1]
        cars, trucks, fleet = iter(CARS[1:]), iter(TRUCKS), {}
        for letter in sorted(set(card) - {"o"}):
            cells = [(at % 6, at // 6) for at, held in enumerate(card) if held == letter]
            is_row = cells[0][1] == cells[1][1]
            lane = tuple((at, cells[0][1]) if is_row else (cells[0][0], at) for at in range(6))
            name = "red" if letter == "A" else next(cars if len(cells) == 2 else trucks)
            fleet[name] = (lane, len(cells), lane.index(cells[0]))
        yield Instance(rush_hour_task(f"card_{number}", fleet), card)


def sokoban(levels: Path) -> Iterator[Instance]:
    texts = re.findall(r"(?:^[ #$.*@+_-]*#[ #$.*@+_-]*\n)+", levels.read_text("utf-8") + "\n", re.MULTILINE)
    for number, text in enumerate(texts, 1):
        held = {(x, y): word for y, row in enumerate(text.splitlines()) for x, word in enumerate(row)}
        at = {word: {cell for cell, own in held.items() if own in word} for word in ("$*", ".*+", "@+", "#")}
        yield Instance(_pushes(f"level_{number}", at["#"], at["$*"], at[".*+"], min(at["@+"])), text)


def _pushes(name: str, walls: set[Cell], crates: set[Cell], goals: set[Cell], man: Cell) -> Task:
    floor, pending = {man}, [man]
    while pending:
        x, y = pending.pop()
        there = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} - floor - walls
        floor |= there
        pending += there
    wide, high = (max(cell[axis] for cell in walls) + 1 for axis in (0, 1))
    words = {**dict.fromkeys(walls, "wall"), **dict.fromkeys(crates, "crate")}
    rows = [[words.get((x, y), ".") for x in range(wide)] for y in range(high)]
    listed = ", ".join(f"({x},{y})" for x, y in sorted(goals))
    entries = [*drawn("board", rows), "    origin 0,0", f"    pusher 1: ({man[0]},{man[1]})", f"    goal: {listed}"]
    problem = sokoban_problem("sokoban_pushes", floor, goals, crates, man).replace("(:init", "(:init (= (total-cost) 0)")
    problem = problem.rstrip()[:-1] + " (:metric minimize (total-cost)))\n"
    return Task("sokoban", name, puzzle_of("pushes_wide", entries, "solved"), domain_of("sokoban_pushes"), problem, "")


def measured(command: Sequence[str], given: str, folder: Path, seconds: float, is_limited: bool) -> tuple[str, float, float]:
    """The output, processor seconds and MiB of a process, which gets so many seconds of processor time and, if it `is_limited`
    by the system, 2,048 MiB."""
    limits = f"ulimit -t {seconds:.0f};" + (f" ulimit -v {MIB << 10};" if is_limited else "")
    shell = ["sh", "-c", f'{limits} exec "$@"', "sh", *command]
    with (folder / "in").open("w") as sent:
        sent.write(given)
    with (folder / "in").open() as sent, (folder / "out").open("w") as told:
        process = subprocess.Popen(shell, cwd=folder, stdin=sent, stdout=told, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return (folder / "out").read_text("utf-8"), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _ours(output: str) -> tuple[int | None, int]:
    answer = json.loads(output)
    return (answer["score"] if answer["status"] == "optimal" else None), answer["states"]


def _small(output: str) -> tuple[int | None, int]:
    cost, states = output.split()
    return int(cost), int(states)


def _planner(output: str) -> tuple[int | None, int]:
    cost = re.search(r"Plan cost: (\d+)$", output, re.MULTILINE)
    states = re.findall(r"Expanded (\d+) state", output)
    return int(cost[1]) if cost else None, int(states[-1]) if states else 0


def runs(kind: str, seconds: float, search: str, compiled: Path) -> dict[str, Callable[[Instance], Measure]]:
    """What solves an instance, by name."""
    program = compiled / kind
    subprocess.run(["g++", "-O2", "-std=c++17", "-o", str(program), str(PEERS / f"{kind}.cpp")], check=True)
    planner = next(one for one in solvers() if one.name == f"Fast Downward, {search}").command(seconds)
    own = [sys.executable, "-m", "rulewright", "solve", "task.puzzle", "--json", "--memory", str(MIB), "--workers", "1"]
    own += ["--time", f"{seconds:g}"]
    commands = {OURS: (own, _ours), SMALL: ([str(program)], _small), f"Fast Downward, {search}": (planner, _planner)}

    def run(name: str, instance: Instance) -> Measure:
        command, read = commands[name]
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            instance.task.write(folder)
            (folder / "pushes_wide.rules").write_text(WIDE, "utf-8")
            output, cpu, mib = measured(command, instance.given, folder, seconds, name != OURS)
        try:
            cost, states = read(output)
        except ValueError:
            cost, states = None, 0
        return Measure(cost, cpu, mib, states)

    return {name: lambda instance, name=name: run(name, instance) for name in commands}


def table(kind: str, found: dict[str, list[Measure]], seconds: float) -> Iterator[str]:
    """A row for each solver; what was not proved counts with the limit of time, and with the memory and states of its run."""
    yield f"| {kind} | proved | median s | ratio | median MiB | ratio | median states | ratio |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    own: list[float] = []
    for name, measures in found.items():
        proved = sum(one.cost is not None for one in measures)
        times = [one.cpu if one.cost is not None else max(seconds, one.cpu) for one in measures]
        medians = [median(times), median(one.mib for one in measures), median(one.states for one in measures)]
        own = own or medians
        cells = [
            f"{value:,.{digits}f} | {value / max(first, 1e-9):.2f}"
            for value, first, digits in zip(medians, own, (2, 0, 0), strict=True)
        ]
        yield f"| {name} | {proved} of {len(measures)} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=list(CONFIGURATIONS))
    parser.add_argument("file", type=Path, nargs="?", help="the cards, or the levels")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=int, default=1, help="only each n-th instance")
    parser.add_argument("--count", type=int, default=1000, help="so many instances at most")
    parser.add_argument("--search", help="the configuration of Fast Downward")
    parser.add_argument("--only", action="append", help="solvers whose name contains this")
    wish = parser.parse_args()
    instances = {"fifteen": lambda file: fifteen(), "rush_hour": rush_hour, "sokoban": sokoban}[wish.kind](wish.file)
    with tempfile.TemporaryDirectory() as place:
        asked = runs(wish.kind, wish.seconds, wish.search or CONFIGURATIONS[wish.kind], Path(place))
        asked = {name: run for name, run in asked.items() if not wish.only or any(word in name for word in wish.only)}
        found: dict[str, list[Measure]] = {name: [] for name in asked}
        for instance in list(instances)[:: wish.every][: wish.count]:
            for name, run in asked.items():
                found[name].append(done := run(instance))
                cells = f"{done.cpu:8.2f} s {done.mib:6.0f} MiB {done.states:12,}"
                print(f"{instance.task.name:12} {name:24} {done.cost!s:>5} {cells}", flush=True)
            costs = {measures[-1].cost for measures in found.values()} - {None}
            if len(costs) > 1:
                raise SystemExit(f"{instance.task.name}: {costs}")
    print("\n".join(table(wish.kind, found, wish.seconds)))


if __name__ == "__main__":
    main()
