"""The reach: the most tiles to come with which half of the positions are proved in time.

`python bench/reach.py --record FILE [--page]`: positions in mid-game, one class after the other, each run a process of
`rulewright solve` with two workers, until fewer than half of two classes in a row are proved. Runs are kept in the record, as
those of proofs.py are, and not repeated.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from instances import Class, instance
from page import environment, write_section
from proofs import OURS, Record, refuse_differences
from runs import SOLVERS, Run, run

FIRST = 12


def measure(record: Record, count: int, seconds: float) -> None:
    coming, beyond = FIRST, 0
    while beyond < 2:
        known = {done.name: done for done in record.runs() if done.limit == seconds}
        runs = []
        for number in range(1, count + 1):
            one = instance(Class(coming), number)
            if one.name not in known:
                with tempfile.TemporaryDirectory() as folder:
                    done = run(SOLVERS[OURS], one, Path(folder), seconds)
                record.add(done)
                said = "proved" if done.proved else f"at most {done.bound}"
                print(f"{done.name:16} {done.score} {said:12} {done.solve:.1f} s", flush=True)
            else:
                done = known[one.name]
            runs.append(done)
        beyond = 0 if _is_reached(runs) else beyond + 1
        coming += 1


def _is_reached(runs: Sequence[Run]) -> bool:
    return 2 * sum(done.proved for done in runs) >= len(runs)


def report(runs: Sequence[Run], seconds: float) -> list[str]:
    by_class: dict[str, list[Run]] = {}
    for done in sorted(runs, key=lambda done: done.name):
        by_class.setdefault(done.kind, []).append(done)
    reached = [kind for kind, those in by_class.items() if _is_reached(those)]
    return [
        *environment(),
        "",
        f"Limit {seconds:g} s for each position, two workers. Reach: "
        + (f"{int(max(reached)[-2:])} tiles to come." if reached else f"fewer than {FIRST} tiles to come."),
        "",
        "| tiles to come | proved | median of the proofs | seconds of each |",
        "|--:|---|--:|---|",
        *(_row(kind, those) for kind, those in by_class.items()),
    ]


def _row(kind: str, runs: Sequence[Run]) -> str:
    proved = [done.solve for done in runs if done.proved]
    middle = f"{median(proved):.1f} s" if proved else ""
    each = ", ".join(f"{done.solve:.1f}" if done.proved else "not" for done in runs)
    return f"| {int(kind[-2:])} | {len(proved)} of {len(runs)} | {middle} | {each} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, required=True, help="the runs, one a line")
    parser.add_argument("--count", type=int, default=6, help="positions of each class")
    parser.add_argument("--seconds", type=float, default=120, help="for each position")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    record = Record(wish.record.resolve())
    measure(record, wish.count, wish.seconds)
    runs = [done for done in record.runs() if done.limit == wish.seconds]
    refuse_differences(runs)
    lines = report(runs, wish.seconds)
    print("\n".join(lines))
    if wish.page:
        write_section("reach", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
