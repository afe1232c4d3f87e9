"""Measures proofs by class of positions, ours and a peer's: `python bench/proofs.py --record FILE [--class mid_k06] …`.

Every solver gets the same positions, one after the other, each run a process of its own. Runs are kept in the record, one a
line, and not repeated, so that a long measurement can be made in pieces. `--page` writes what is recorded to
docs/performance.md. Answers that were proved and differ stop the run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from attrs import asdict, frozen
from instances import CLASSES, Class, instance
from optima import summed
from page import environment, write_section
from runs import OURS, SOLVERS, Run, run


@frozen
class Record:
    """The runs of a file."""

    path: Path

    def runs(self) -> list[Run]:
        if not self.path.exists():
            return []
        return [Run(**json.loads(line)) for line in self.path.read_text("utf-8").splitlines()]

    def add(self, done: Run) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(done)) + "\n")


def measure(kinds: Sequence[Class], solvers: Sequence[str], numbers: range, seconds: float, record: Record) -> None:
    """Run every solver on every position: one position at a time, the solvers in turn, alternating which goes first."""
    known = {(done.solver, done.name, done.limit) for done in record.runs()}
    for kind in kinds:
        for number in numbers:
            one = instance(kind, number)
            for name in solvers if number % 2 else reversed(solvers):
                if (name, one.name, seconds) in known:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    done = run(SOLVERS[name], one, Path(folder), seconds)
                record.add(done)
                print(_told(done), flush=True)
    refuse_differences(record.runs())


def _told(done: Run) -> str:
    said = "proved" if done.proved else done.failure or "not proved"
    worth = f"{done.score} of at most {done.bound}" if not done.proved else str(done.score)
    times = f"{done.solve:.2f} s, process {done.process:.2f} s, processors {done.cpu:.2f} s"
    return f"{done.name:18} {done.solver:18} {said:10} {worth:16} {times}"


def refuse_differences(runs: Iterable[Run]) -> None:
    """Stop if two proofs differ, or a score found exceeds a proved optimum."""
    proved: dict[str, Run] = {}
    runs = list(runs)
    for done in runs:
        if done.proved:
            other = proved.setdefault(done.name, done)
            if other.score != done.score:
                raise SystemExit(f"{done.name}: {other.solver} proves {other.score}, {done.solver} proves {done.score}")
    for done in runs:
        best = proved.get(done.name)
        if best is not None and best.score is not None and done.score is not None and done.score > best.score:
            raise SystemExit(f"{done.name}: {best.solver} proves {best.score}, {done.solver} finds {done.score}")


def report(runs: Sequence[Run]) -> list[str]:
    """One row for each class and solver: proofs, times, the ratio to ours on the same positions, the gap where unproved."""
    limits = sorted({done.limit for done in runs})
    kinds = sorted({done.kind for done in runs})
    lines = [
        *environment(),
        "",
        f"The limit is {' or '.join(f'{limit:g}' for limit in limits)} s for each position. Times are medians; a position that "
        f"was not proved counts as the whole limit, marked `≥`. Reach: {reach(runs)} tiles.",
        "",
        "| class | solver | proved | sum of answers | solve call | process | processors | times ours | gap |",
        "|---|---|---|--:|---|---|---|---|---|",
    ]
    for kind in kinds:
        for name in SOLVERS:
            rows = [done for done in runs if (done.kind, done.solver) == (kind, name)]
            if rows:
                ours = {done.name: done for done in runs if (done.kind, done.solver) == (kind, OURS.name)}
                lines.append(_row(kind, name, rows, ours))
    return lines


def reach(runs: Iterable[Run]) -> int:
    """The greatest number of tiles to come, in mid-game, for which at least half of our runs are proofs."""
    proofs: dict[int, list[bool]] = {0: []}
    for done in runs:
        kind = Class.named(done.kind)
        if done.solver == OURS.name and not kind.begin:
            proofs.setdefault(kind.coming, []).append(done.proved)
    return max(coming for coming, proved in proofs.items() if 2 * sum(proved) >= len(proved))


def _row(kind: str, name: str, rows: Sequence[Run], ours: dict[str, Run]) -> str:
    proved = sum(done.proved for done in rows)
    sign = "" if proved > len(rows) / 2 else "≥ "
    times = f"{sign}{seconds_told(median(map(_solve, rows)))} | {sign}{seconds_told(median(map(_process, rows)))}"
    both = [done for done in rows if done.name in ours]
    times_ours = [_solve(done) / _solve(ours[done.name]) for done in both]
    ratio = f"{sign}{_ratio(median(times_ours))}" if both and name != OURS.name else ""
    gaps = [_gap(done) for done in rows]
    known = [gap for gap in gaps if gap is not None]
    gap = f"{median(known):.0%}" if known and len(known) == len(gaps) and max(known) > 0 else ""
    cpu = seconds_told(median(done.cpu for done in rows))
    answers = summed(done.score for done in rows if done.proved)
    return f"| {kind} | {name} | {proved} of {len(rows)} | {answers} | {times} | {cpu} | {ratio} | {gap} |"


def _solve(done: Run) -> float:
    return max(done.solve if done.proved else done.limit, 0.001)


def _process(done: Run) -> float:
    return done.process if done.proved else max(done.limit, done.process)


def _gap(done: Run) -> float | None:
    """The gap between the bound and the best score found, as a share of that score."""
    if done.proved:
        return 0.0
    if done.score is None or done.bound is None:
        return None
    return (done.bound - done.score) / max(1, done.score)


def _ratio(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def seconds_told(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"


def main() -> int:
    names = [kind.name for kind in CLASSES]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, required=True, help="the runs, one a line")
    parser.add_argument("--class", dest="kinds", action="append", help=f"such as mid_k13; by default {', '.join(names)}")
    parser.add_argument("--solver", dest="solvers", action="append", choices=list(SOLVERS), help="all by default")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10, help="positions of each class")
    parser.add_argument("--seconds", type=float, default=120, help="for each position")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    kinds = [Class.named(name) for name in wish.kinds or names]
    record = Record(wish.record.resolve())
    measure(kinds, wish.solvers or list(SOLVERS), range(wish.first, wish.first + wish.count), wish.seconds, record)
    lines = report(record.runs())
    print("\n".join(lines))
    if wish.page:
        write_section("classes", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
