"""How far `--memory` is kept and used: `python bench/memory.py [--mib 320 512 1024 2048] [--seconds 60] [--only NAME] …`.

Long questions of a dozen kinds, each solved in processes of its own, by two workers. The memory of all of them together is
looked at ten times a second: the sum of what each holds, a shared page counted in parts (PSS). More than 5 % above what is
allowed stops the run with an error at its end. What ends before its memory is full shows only that no more was taken.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from best_play import BOARDS, PUZZLE
from collection import korf
from planning_task import asked_of, drawn

ROOT = Path(__file__).parents[1]
FILES = (
    "tests/puzzles/data/open/mid_k18_s1.puzzle",
    "puzzles/library/castles_by_the_sea/the_last_year.puzzle",
    "puzzles/library/castles_by_the_sea/never_the_lowest.puzzle",
)
ROOM = ["#" * 13, *["#" + " " * 11 + "#"] * 9, "#" * 13]
CRATES = {(x, y): "crate" for x in (3, 5, 7, 9) for y in (3, 5, 7)}


def _room() -> str:
    """An open room with twelve crates."""
    walls = {(x, y): "wall" for y, row in enumerate(ROOM) for x, held in enumerate(row) if held == "#"}
    words = [[{**walls, **CRATES}.get((x, y), ".") for x in range(13)] for y in range(11)]
    goals = ", ".join(f"({x},{y})" for y in (1, 9) for x in range(1, 12, 2))
    entries = [*drawn("board", words), "    pusher 1: (1,2)", f"    goal: {goals}"]
    return asked_of("classics.sokoban_pushes", entries, "fewest moves until solved")


def questions() -> dict[str, str]:
    """The texts of the puzzles by their names."""
    fifteen = next(text for name, text, _ in korf() if name == "korf_82")
    beginnings = {
        "peg_solitaire": ("classics.peg_solitaire", "fewest moves until men_left = 1"),
        "connect_four": ("classics.connect_four", "win for 1"),
        "othello": ("classics.othello_small", "win for 1"),
        "amazons": ("amazons_four", "win for 1"),
        "breakthrough": ("breakthrough_five", "win for 1"),
        "hex": ("hex_five", "win for 1"),
    }
    return {
        "fifteen": fifteen,
        "fifteen_counted": fifteen.replace("fewest moves until", "count fewest moves until"),
        "sokoban": _room(),
        **{name: PUZZLE.format(module=rules, question=question) for name, (rules, question) in beginnings.items()},
        **{Path(file).stem: (ROOT / file).read_text("utf-8") for file in FILES},
    }


def family(process: int) -> list[int]:
    """A process and all that it has started, and these."""
    found = [process]
    for one in found:
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def held(process: int) -> float:
    """MiB of the memory of a process, a shared page counted in parts."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def measured(text: str, mib: int, seconds: float) -> tuple[float, dict[str, object]]:
    """The most MiB that all processes held at once, and the answer."""
    with tempfile.TemporaryDirectory() as name:
        folder, most = Path(name), 0.0
        (folder / "long.puzzle").write_text(text, "utf-8")
        for rules in BOARDS.glob("*.rules"):
            shutil.copy(rules, folder)
        options = ["--json", "--time", f"{seconds:g}", "--memory", str(mib), "--workers", "2"]
        command = [sys.executable, "-m", "rulewright", "solve", "long.puzzle", *options]
        with (
            (folder / "answer").open("w") as answer,
            subprocess.Popen(command, cwd=folder, stdout=answer, stderr=subprocess.STDOUT, env=os.environ) as run,
        ):
            while run.poll() is None:
                most = max(most, sum(map(held, family(run.pid))))
                time.sleep(0.1)
        return most, json.loads((folder / "answer").read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mib", type=int, nargs="+", default=[320, 512, 1024, 2048])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", action="append", help="puzzles by their names")
    wish = parser.parse_args()
    above = []
    print("| puzzle | allowed | held | share | answer | states |\n|---|--:|--:|--:|---|--:|")
    for name, text in questions().items():
        for mib in wish.mib if wish.only is None or name in wish.only else []:
            most, answer = measured(text, mib, wish.seconds)
            status, states = answer.get("status", answer), answer.get("states", "")
            print(f"| {name} | {mib} | {most:.0f} | {most / mib:.2f} | {status} | {states} |", flush=True)
            above += [f"{name} at {mib}"] if most > 1.05 * mib else []
    if above:
        raise SystemExit(f"above what is allowed: {', '.join(above)}")


if __name__ == "__main__":
    main()
