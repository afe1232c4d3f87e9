"""Measures which engine answers what: one library puzzle of each class under each `--engine`:
`python bench/engines.py [--page]`.

Each is a whole process. The search runs once before it is measured, so that its machine code is cached, as for repeated use.
With `--record` the runs are kept in a file, one a line, and recorded runs are not repeated.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import processes
from attrs import asdict, frozen
from optima import answer_of
from page import PROJECT, environment, write_section
from runs import LIMITED

from rulewright.base.choices import Engines

CLASSES = {
    "greatest score, tiles laid": "overboard",
    "the same, eight tiles": "full_sail",
    "a greatest score behind hidden tiles": "dry_feet",
    "fewest moves, pieces that slide": "slide_ten",
    "the same, cars": "rush_hour_first",
    "the same, crates": "microban_1",
    "the same, discs": "hanoi_seven",
    "fewest moves, goal out of reach": "slide_too_short",
    "greatest score, nothing comes back": "peg_cross",
    "fewest moves, order free: lights": "lights_fewest",
    "greatest score, placements in an order": "bishops_eight",
    "plans counted, order free": "queens_eight",
    "plans counted, in one order": "pentominoes_strip",
    "tours counted": "knights_five",
    "fewest crossings": "missionaries_three",
    "best play": "noughts_draw",
    "plans of others given": "workers_given",
    "in expectation": "pig_ten",
}
"""Puzzles by class: each takes search or CP-SAT a moment, none is the largest."""

SAID = {"search": "search", "search+cpsat": "both", "cpsat": "CP-SAT", "cpsat+refuted": "CP-SAT, twice",
        "search+states": "search and list", "states": "list"}  # fmt: skip
"""What a proof rests on, as text."""


@frozen
class Run:
    """The processor seconds of a whole process, and its answer."""

    puzzle: str
    engine: str
    status: str
    proof: str | None
    count: int | None
    cpu: float
    seconds: float
    answer: str = ""


def measured(puzzle: str, engine: str, seconds: float) -> Run:
    """One run, after one that fills the cache of machine code."""
    command = [sys.executable, "-m", "rulewright", "solve", puzzle, "--json", "--workers", "2"]
    command += ["--engine", engine, "--time", f"{seconds:g}"]
    environment = {"PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(2):
        done = processes.run([*LIMITED, *command], PROJECT, 3 * seconds, environment)
        if engine == Engines.CPSAT:
            break
    document = json.loads(done.output) if done.output.startswith("{") else {}
    status = document.get("status", "out of time" if done.overran else "refused")
    return Run(
        puzzle, engine, status, document.get("proof"), document.get("count"), done.cpu, done.seconds, answer_of(document)
    )


def cell(run: Run, counts: bool) -> str:
    """The result of a run and its time."""
    answered = run.status in ("optimal", "impossible") and (not counts or run.count is not None)
    if not answered:
        return "none" if run.status in ("unknown", "refused") else "not proved"
    return f"{SAID.get(run.proof or '', '?')}, {run.cpu:.1f} s"


def table(runs: Sequence[Run], seconds: float) -> list[str]:
    """A row for each class, a column for each engine option."""
    found = {(run.puzzle, run.engine): run for run in runs}
    lines = [
        *environment(),
        "",
        "Each cell gives what the proof rests on, and the processor seconds of the whole process on all cores. Machine code "
        f"was cached; there were two workers and at most {seconds:g} s by the clock. *None*: there is no answer, mostly "
        "because CP-SAT cannot read the rules.",
        "",
        f"| question | puzzle | answer | {' | '.join(f'`{engine}`' for engine in Engines)} |",
        f"|---|---|--:|{'---|' * len(Engines)}",
    ]
    for name, puzzle in CLASSES.items():
        cells = [cell(found[puzzle, engine], "counted" in name) for engine in Engines if (puzzle, engine) in found]
        if len(cells) == len(Engines):
            lines.append(f"| {name} | `{puzzle}` | {_agreed(puzzle, runs)} | {' | '.join(cells)} |")
    return lines


def _agreed(puzzle: str, runs: Sequence[Run]) -> str:
    """The answer of all engines that answered; stops where they differ."""
    answers = {run.answer for run in runs if run.puzzle == puzzle and run.answer}
    if len({answer.partition(",")[0] for answer in answers}) > 1:
        raise SystemExit(f"{puzzle}: the engines answer {' and '.join(sorted(answers))}")
    return max(answers, key=len, default="")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="for each run")
    parser.add_argument("--record", type=Path, help="the runs, one a line; what stands there is not run again")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    known = wish.record.read_text("utf-8").splitlines() if wish.record and wish.record.exists() else []
    runs = [Run(**json.loads(line)) for line in known]
    for puzzle in CLASSES.values():
        for engine in Engines:
            if any((run.puzzle, run.engine) == (puzzle, engine) for run in runs):
                continue
            run = measured(puzzle, engine, wish.seconds)
            runs.append(run)
            print(f"{puzzle:20} {engine:8} {run.status:12} {run.proof!s:14} {run.cpu:6.2f} s {run.seconds:6.2f} s", flush=True)
            if wish.record:
                with wish.record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(run)) + "\n")
    lines = table(runs, wish.seconds)
    print("\n".join(lines))
    if wish.page:
        write_section("engines", lines, PROJECT / "docs" / "performance.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
