"""Answers under stress: a tenth of a second, 320 MiB, one processor, children killed at random. None may be wrong.

A case is its number: the same number is the same puzzle and engine; when children are killed depends on the machine.

    python -m tests.campaigns.stress [CASES [FIRST]]
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

from attrs import frozen

from tests.paths import PROVED, ROOT

STRESS = ("--time", "0.1", "--memory", "320", "--workers", "2", "--json")
ENGINES = ("soonest", "search", "cpsat", "both")
HONEST = (0, 10)
"""The puzzles expect proved answers, so no answer is proved to differ, and none contradicts another."""


@frozen
class Case:
    """A puzzle with an expected answer, an engine, and whether children are killed."""

    puzzle: Path
    engine: str
    kills: bool

    @classmethod
    def of(cls, number: int) -> Case:
        dice = random.Random(number)
        return cls(dice.choice(puzzles()), dice.choice(ENGINES), dice.random() < 0.5)


@cache
def puzzles() -> list[Path]:
    """The puzzles with an expected answer."""
    paths = sorted([*(ROOT / "puzzles" / "library").rglob("*.puzzle"), *PROVED.glob("*.puzzle")])
    return [path for path in paths if re.search(r"^ *answer:", path.read_text(), re.M)]


def status(case: Case) -> tuple[int, str]:
    """The exit status of a case, and what it printed."""
    command = [sys.executable, "-m", "rulewright", "solve", str(case.puzzle), "--engine", case.engine, *STRESS]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    os.sched_setaffinity(process.pid, {min(os.sched_getaffinity(0))})
    while case.kills and process.poll() is None:
        for child in children(process.pid):
            time.sleep(random.uniform(0, 0.2))
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.01)
    out, _ = process.communicate()
    return process.returncode, out


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [
            int(word) for task in Path(f"/proc/{parent}/task").iterdir() for word in (task / "children").read_text().split()
        ]
    except OSError:
        return []


def main() -> None:
    cases, first = (int(word) for word in (sys.argv[1:] + ["300", "0"][len(sys.argv) - 1 :]))
    statuses: Counter[int] = Counter()
    for number in range(first, first + cases):
        case = Case.of(number)
        found, out = status(case)
        statuses[found] += 1
        if found not in HONEST:
            print(f"case {number}: {case.puzzle.name}, {case.engine}, {case.kills=}: status {found}: {out[-800:]}", flush=True)
        if sum(statuses.values()) % 25 == 0:
            print(dict(statuses), flush=True)
    print(f"{sum(statuses[one] for one in HONEST)} of {cases} not wrong: {dict(statuses)}")


if __name__ == "__main__":
    main()
