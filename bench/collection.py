"""Shortest plans of outside collections: `python bench/collection.py korf` or `… FOLDER [--seconds 60] [--every 4] …`.

`korf` has the hundred fifteen puzzles of Korf (1985), in `planning/korf.txt` with their published lengths; another length that
we call optimal stops the run. A folder has puzzles, such as `rulewright import levels.xsb --as classics.sokoban_pushes --goal
"fewest moves until solved" --output FOLDER` makes of Sokoban levels. Each puzzle is a whole process; its memory is the most
that it held at once, by the system.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from planning_task import drawn, puzzle_of
from planning_tasks import NUMBERS
from processes import run

KORF = Path(__file__).with_name("planning") / "korf.txt"

PEAK = """
import resource, runpy, sys
try:
    runpy.run_module("rulewright", run_name="__main__")
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10, file=sys.stderr)
"""
"""Solves, and says the most MiB held at once."""


def korf() -> Iterator[tuple[str, str, int]]:
    """The name, the text and the published length of each, turned by half a circle: the gap is at home in the last cell."""
    for number, line in enumerate(KORF.read_text("utf-8").splitlines()[1:], 1):
        length, _, tiles = line.partition(": ")
        held = [16 - int(tile) for tile in reversed(tiles.split())]
        words = ["." if tile == 16 else NUMBERS[tile - 1] for tile in held]
        board = drawn("board", [words[at : at + 4] for at in range(0, 16, 4)])
        yield f"korf_{number}", puzzle_of("classics.fifteen", board, "solved"), int(length)


def puzzles(given: str) -> Iterator[tuple[str, str, int | None]]:
    """The puzzles of a collection, with their lengths if these are known."""
    if given == "korf":
        yield from korf()
        return
    files = sorted(Path(given).glob("*.puzzle"), key=lambda file: [int(part) for part in re.findall(r"\d+", file.stem)])
    for file in files:
        yield file.stem, file.read_text("utf-8"), None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", help="`korf`, or a folder of puzzles")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--memory", type=int, default=2048, help="MiB")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="only each n-th puzzle")
    wish = parser.parse_args()
    counts = {"optimal": 0, "feasible": 0}
    spent, states = [], []
    chosen = list(puzzles(wish.collection))[:: wish.every]
    print("| puzzle | answer | moves | states | s | MiB |\n|---|---|--:|--:|--:|--:|")
    for name, text, length in chosen:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "task.puzzle").write_text(text, "utf-8")
            for rules in Path(wish.collection).glob("*.rules"):
                shutil.copy(rules, folder)
            options = ["--time", f"{wish.seconds:g}", "--memory", str(wish.memory), "--workers", str(wish.workers), "--json"]
            done = run([sys.executable, "-c", PEAK, "solve", "task.puzzle", *options], Path(folder))
        answer = json.loads(done.output)
        status, moves = answer["status"], answer.get("score")
        if status == "optimal" and length not in (None, moves):
            raise SystemExit(f"{name}: {moves} moves, published are {length}")
        if status in counts:
            counts[status] += 1
        spent.append(done.cpu)
        states.append(answer["states"])
        peak = done.errors.split()[-1]
        print(f"| {name} | {status} | {moves or ''} | {answer['states']:,} | {done.cpu:.1f} | {peak} |", flush=True)
    print(
        f"{len(chosen)} puzzles: {counts['optimal']} optimal, {counts['feasible']} with a plan that is not proved; medians: "
        f"{median(spent):.1f} s of processor time, {median(states):,.0f} states"
    )


if __name__ == "__main__":
    main()
