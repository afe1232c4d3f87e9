"""Small boards of known games, solved from the beginning: `python bench/best_play.py` (`--seconds 600 --only WORD --page`).

Each is solved by a process of its own with two workers and 4 GiB, and its answer is compared with the literature. The rules are
those of the library, on the boards of `bench/best_play/`. Times are those of whole processes, by the clock and of processors.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import processes
from attrs import frozen
from page import environment, write_section
from runs import GRACE, LIMITED

BOARDS = Path(__file__).with_name("best_play")

MARGIN = "maximise boxes of 1 - boxes of 2 until end against best play"


@frozen
class Subject:
    """A game, its module, the value for the first player, if it is known, and who found it; `question` asks for that value."""

    name: str
    module: str
    value: int | None
    source: str
    question: str = "win for 1"


SUBJECTS = (
    Subject("Kalah, four houses, three seeds", "classics.kalah", 1, "Irving, Donkers and Uiterwijk 2000"),
    Subject("Hex, 4 by 4", "classics.hex", 1, "Nash: the first player wins on every board"),
    Subject("Hex, 5 by 5", "hex_five", 1, "Nash: the first player wins on every board"),
    Subject("Connect Four, 5 columns, 5 rows", "four_five", 0, "Tromp, *John's Connect Four Playground*"),
    Subject("Connect Four, 6 columns, 5 rows", "four_six", 0, "Tromp, *John's Connect Four Playground*"),
    Subject("Amazons, 4 by 4, two each", "amazons_four", None, "no source found"),
    Subject(
        "Dots and boxes, nine boxes", "boxes_nine", -3, "a table of all 2²⁴ positions, by a program of forty lines", MARGIN
    ),
    Subject("Breakthrough, 5 by 5", "breakthrough_five", -1, "Tasmanian Devil on Little Golem, 2006"),
)

PUZZLE = """puzzle asked:
    "From the beginning."
    rules {module}

    ask: {question}
"""


def row(subject: Subject, seconds: float) -> str:
    """A row of the table. Raises `SystemExit` if a proved value is another."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path in BOARDS.glob("*.rules"):
            shutil.copy(path, folder)
        (folder / "asked.puzzle").write_text(PUZZLE.format(module=subject.module, question=subject.question), "utf-8")
        command = [sys.executable, "-m", "rulewright", "solve", "asked", "--json", "--workers", "2", "--memory", "3072"]
        run = processes.run([*LIMITED, *command, "--time", str(seconds)], folder, seconds + GRACE)
    known = "" if subject.value is None else subject.value
    spent = f"{run.seconds:.1f} | {run.cpu:.1f}"
    try:
        answer = json.loads(run.output)
    except ValueError:
        return f"| {subject.name} | {run.errors.strip()[-80:] or 'killed'} | {known} |  | {spent} | {subject.source} |"
    found = answer["score"] if answer["status"] == "optimal" else "not proved"
    if answer["status"] == "optimal" and subject.value not in (None, found):
        raise SystemExit(f"{subject.name}: {found}, and {subject.value} by {subject.source}")
    return f"| {subject.name} | {found} | {known} | {answer['states']:,} | {spent} | {subject.source} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    lines = ["| game | value | known | states | seconds | processor seconds | by |", "|---|--:|--:|--:|--:|--:|---|"]
    print("\n".join(lines))
    for subject in SUBJECTS:
        if options.only in subject.name:
            lines.append(row(subject, options.seconds))
            print(lines[-1], flush=True)
    if options.page:
        write_section("best play", [*environment(), "", *lines])


if __name__ == "__main__":
    main()
