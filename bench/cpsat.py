"""CP-SAT alone against a model written by hand for this one game: `python bench/cpsat.py --record FILE [--class mid_k06] …`.

Each position (`instances.py`) is solved three times, each in a separate process: for its best score
(`rulewright solve --engine cpsat`), and whether one more can be reached, by the same and by the handwritten model
(`cpsat_by_hand.py`). Runs are kept in the record, one a line, and not repeated. `--page` writes the recorded runs to
docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import processes
from attrs import asdict, frozen
from instances import Class, Instance, instance
from optima import summed
from page import environment, write_section
from proofs import seconds_told
from runs import GRACE, LIMITED

BY_HAND = Path(__file__).with_name("cpsat_by_hand.py")
BEST, BEYOND, PEER = "best score", "one more: rulewright", "one more: by hand"


@frozen
class Run:
    """`inside` are the seconds reported by the solver, including model building, `process` those of the whole process."""

    kind: str
    name: str
    task: str
    limit: float
    settled: bool
    score: int | None
    inside: float
    process: float
    cpu: float


def answers(one: Instance, folder: Path, limit: float, known: Mapping[str, Run]) -> list[Run]:
    """The missing runs on a position. The score beyond the best is tested only if the best was proved."""
    puzzle = folder / f"{one.name}.puzzle"
    puzzle.write_text(one.text, "utf-8")
    best = known.get(BEST) or _ours(one, BEST, puzzle, limit)
    found = [best]
    if best.settled and best.score is not None:
        goal = best.score + 1
        beyond = folder / "beyond.puzzle"
        beyond.write_text(one.text.replace("ask: maximise score", f"ask: reach score >= {goal}"), "utf-8")
        found.append(known.get(BEYOND) or _ours(one, BEYOND, beyond, limit))
        found.append(known.get(PEER) or _by_hand(one, puzzle, goal, limit))
    return found


def _ours(one: Instance, task: str, puzzle: Path, limit: float) -> Run:
    options = ["--engine", "cpsat", "--json", "--time", f"{limit:g}", "--workers", "2"]
    done = processes.run(
        [*LIMITED, sys.executable, "-m", "rulewright", "solve", str(puzzle), *options], puzzle.parent, limit + GRACE
    )
    told = json.loads(done.output) if not done.overran else {"status": "", "score": None, "seconds": limit}
    settled = told["status"] == ("impossible" if task == BEYOND else "optimal")
    return Run(one.kind.name, one.name, task, limit, settled, told["score"], told["seconds"], done.seconds, done.cpu)


def _by_hand(one: Instance, puzzle: Path, goal: int, limit: float) -> Run:
    command = [*LIMITED, sys.executable, str(BY_HAND), str(puzzle), str(goal), "--seconds", f"{limit:g}", "--workers", "1"]
    done = processes.run(command, puzzle.parent, limit + GRACE)
    told = json.loads(done.output) if not done.overran else {"reached": None, "seconds": limit}
    if told["reached"]:
        raise SystemExit(f"{one.name}: by hand {goal} can be reached, by rulewright it cannot")
    return Run(one.kind.name, one.name, PEER, limit, told["reached"] is False, None, told["seconds"], done.seconds, done.cpu)


def report(runs: Sequence[Run]) -> list[str]:
    """A row for each class and task. Unsettled runs count with the time limit."""
    lines = [
        *environment(),
        "",
        "Times are medians; a question that was not settled counts as its limit. *Inside* is the time that the solver itself"
        " reports. *Times by hand* is the median ratio of these times, over positions that both settled.",
        "",
        "| class | asked | settled | sum of answers | inside | process, median | slowest | processors | times by hand |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for kind in sorted({done.kind for done in runs}):
        by_hand = {done.name: done for done in runs if (done.kind, done.task) == (kind, PEER) and done.settled}
        for task in (BEST, BEYOND, PEER):
            rows = [done for done in runs if (done.kind, done.task) == (kind, task)]
            if rows:
                lines.append(_row(kind, task, rows, by_hand))
    return lines


def _row(kind: str, task: str, rows: Sequence[Run], by_hand: Mapping[str, Run]) -> str:
    settled = sum(done.settled for done in rows)
    inside = [done.inside if done.settled else max(done.inside, done.limit) for done in rows]
    process = [done.process if done.settled else max(done.process, done.limit) for done in rows]
    ratios = [done.inside / by_hand[done.name].inside for done in rows if done.settled and done.name in by_hand]
    ratio = f"{median(ratios):.1f}" if ratios and task == BEYOND else ""
    told = " | ".join(map(seconds_told, (median(inside), median(process), max(process), median(done.cpu for done in rows))))
    answers = summed(done.score for done in rows if done.settled)
    limits = " or ".join(f"{limit:g}" for limit in sorted({done.limit for done in rows}))
    return f"| {kind} | {task} | {settled} of {len(rows)} in {limits} s | {answers} | {told} | {ratio} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, required=True, help="the runs, one a line")
    parser.add_argument("--class", dest="kinds", action="append", help="mid_k06 by default")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10, help="positions of each class")
    parser.add_argument("--seconds", type=float, default=20, help="for each process")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    record: Path = wish.record.resolve()
    runs = [Run(**json.loads(line)) for line in record.read_text("utf-8").splitlines()] if record.exists() else []
    for kind in map(Class.named, wish.kinds or ["mid_k06"]):
        for seed in range(wish.first, wish.first + wish.count):
            one = instance(kind, seed)
            known = {done.task: done for done in runs if (done.name, done.limit) == (one.name, wish.seconds)}
            with tempfile.TemporaryDirectory() as folder:
                for done in answers(one, Path(folder), wish.seconds, known):
                    if done not in runs:
                        runs.append(done)
                        with record.open("a", encoding="utf-8") as file:
                            file.write(json.dumps(asdict(done)) + "\n")
                        print(done, flush=True)
    lines = report(runs)
    print("\n".join(lines))
    if wish.page:
        write_section("CP-SAT alone", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
