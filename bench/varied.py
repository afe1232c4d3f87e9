"""What a tuned number does: `python bench/varied.py solver/best/dual/dual_bound.py:SWEEPS 4 16 --puzzles full_sail,two_lost`.

The number is changed in a copy of the tree, and the puzzles of the ledger are answered there by its clock of work, so that
states are the same every time. A row tells states and processor seconds against those of the tree as it is, and the answers
that differ, of which there should be none.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TREE = Path(__file__).parents[1]
COPIED = ("src", "solver", "rules", "bench")

PUZZLES = (
    "made_sea_15,made_sea_16,made_sea_17,made_sea_19,made_sea_20,made_sea_22,all_hands,buoy_for_later,full_sail,shore_leave,"
    "narrow_channel,scattered_isles,first_voyage,village_in_the_hold,east_and_west,once_round_the_light"
)
"""Small puzzles of tiles, whose bounds decide how many states are searched."""

Answers = Mapping[str, tuple[dict[str, Any], float]]
"""By puzzle: its entry in the ledger, and processor seconds."""


def with_value(text: str, name: str, value: str) -> str:
    """The text of a module in which a constant has another value. Raises `SystemExit` if it has no such constant."""
    for line in text.splitlines():
        match = re.fullmatch(r"([A-Z_0-9]+(?:, [A-Z_0-9]+)*) = ([^,]+(?:, [^,]+)*)", line)
        if match and name in (names := match[1].split(", ")):
            values = match[2].split(", ") if len(names) > 1 else [match[2]]
            values[names.index(name)] = value
            return text.replace(line, f"{match[1]} = {', '.join(values)}")
    raise SystemExit(f"no {name}")


def answers(number: str, value: str | None, puzzles: Sequence[str]) -> Answers:
    """The answers with another value of a number; None: as it is."""
    path, _, name = number.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for room in TREE.iterdir():
            if room.name in COPIED:
                shutil.copytree(room, copy / room.name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
            elif room.is_dir() and not room.name.startswith("."):
                (copy / room.name).symlink_to(room)
        if value is not None:
            (copy / path).write_text(with_value((copy / path).read_text(encoding="utf-8"), name, value), encoding="utf-8")
        told = "".join(f"answers {puzzle}\n" for puzzle in puzzles)
        command = [sys.executable, str(copy / "bench" / "ledger_worker.py")]
        environment = {**os.environ, "PYTHONPATH": str(copy / "src")}
        done = subprocess.run(command, input=told, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return dict(zip(puzzles, map(tuple, map(json.loads, done.stdout.splitlines())), strict=True))


def compared(before: Answers, after: Answers) -> str:
    """States and seconds as ratios, and the puzzles with another answer."""
    states, seconds = (
        [sum(entry.get("states", 0) for entry, _ in found.values()) for found in (after, before)],
        [sum(spent for _, spent in found.values()) for found in (after, before)],
    )
    kept = ("status", "value", "bound", "count")
    differing = [one for one in before if any(before[one][0].get(key) != after[one][0].get(key) for key in kept)]
    ratios = f"{states[0] / states[1]:.3f} times the states, {seconds[0] / seconds[1]:.2f} times the seconds"
    return f"{ratios}; other answers: {', '.join(differing) or 'none'}"


def main() -> None:
    """Print a row for each value."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", help="FILE:NAME")
    parser.add_argument("values", nargs="+")
    parser.add_argument("--puzzles", default=PUZZLES)
    given = parser.parse_args()
    puzzles = given.puzzles.split(",")
    before = answers(given.number, None, puzzles)
    for value in given.values:
        print(f"{given.number} = {value}: {compared(before, answers(given.number, value, puzzles))}", flush=True)


if __name__ == "__main__":
    main()
