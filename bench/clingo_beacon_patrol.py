"""A peer: clingo (`pip install -e ".[bench]"`) on a program written by hand for this one game, `beacon_patrol.lp`.

`python bench/clingo_beacon_patrol.py PUZZLE [--seconds 120]`. Solo, from the start of a turn, the order of the tiles known.

Tried and rejected, on the proved positions of six tiles (processor time, median of three): a board for every step
(1.3 times as long), tiles in order with the sailing between them derived in place of steps (10 times), core-guided
optimisation (5 times, or no end), deciding the board before the walk (3 to 10 times), the other configurations that come with
clingo (1 to 5 times), two threads (twice the processor time).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project

PROGRAM = Path(__file__).with_name("beacon_patrol.lp")
OPTIONS = ("--configuration=tweety", "--sat-prepro=2", "--warn=none", "--outf=2")

DEAL = 3
WORTH = {"lighthouse": 3, "buoy": 2}


@frozen
class Found:
    """The best score found, whether it is proved, and the seconds clingo took to read, ground and solve."""

    score: int | None
    proved: bool
    seconds: float


def solve(position: Position, seconds: float) -> Found:
    """The best score at the end of the game. The time limit applies to solving, not to grounding."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.lp"
        path.write_text(program(position), "utf-8")
        done = subprocess.run(command(path, seconds), capture_output=True, text=True, check=False)
    return found(done.stdout)


def command(facts: Path, seconds: float) -> list[str]:
    """The call of clingo."""
    return [sys.executable, "-m", "clingo", *OPTIONS, f"--time-limit={max(1, round(seconds))}", str(PROGRAM), str(facts)]


def found(answer: str) -> Found:
    """Parse clingo's answer."""
    told = json.loads(answer)
    models = [model for call in told["Call"] for model in call.get("Witnesses", ())]
    if not models:
        return Found(None, False, told["Time"]["Total"])
    if "Costs" not in models[-1]:  # there is nothing to gain, hence nothing to optimise
        return Found(0, True, told["Time"]["Total"])
    return Found(-models[-1]["Costs"][0], told["Result"] == "OPTIMUM FOUND", told["Time"]["Total"])


def program(position: Position) -> str:
    """The position as facts and constants."""
    return "\n".join((*facts(position), *constants(position), ""))


def constants(position: Position) -> list[str]:
    """The number of pieces to come, and the maximum number of turns: each may keep a tile."""
    hand, pile = len(_zone(position, "hand", 1)), len(_zone(position, "draw"))
    turns = 2 + -(-pile // (DEAL - 1))
    return [f"#const total={hand + pile}.", f"#const turns={turns}."]


def facts(position: Position) -> Iterator[str]:
    """The position as facts of the program. Raises `ValueError` if the program does not apply to it."""
    engine, state = position.engine, position.state
    names, layout = [kind.name for kind in engine.game.tiles], engine.layout
    markers = engine.game.enumerations["marker"]
    if engine.instance.players != 1 or state[layout.position("kept", 1)] or not state[layout.position("dealt", 1)]:
        raise ValueError("only the start of a turn in the game for one")
    sea, window = state[layout.position("sea", None)], engine.instance.windows["sea"]
    for cell, tile in enumerate(sea):
        if tile:
            yield f"lies({_cell(window.coordinates[cell])},{names[tile - 1]})."
    hand, pile = _zone(position, "hand", 1), _zone(position, "draw")
    for number, tile in enumerate((*hand, *pile), 1):
        yield f"piece({number},{names[tile - 1]})."
    yield f"hand({len(hand)})."
    yield f"ship({_cell(window.coordinates[state[layout.position('ship', 1)]])})."
    yield f"tokens({state[layout.position('tokens', 1)]})."
    for kind in engine.game.tiles:
        held = [WORTH[markers[number]] for number in range(len(markers)) if kind.number(number) and markers[number] in WORTH]
        yield f"worth({kind.name},{max(held, default=1)})."
        for side in "NESW":
            if kind.side(side):
                yield f"land({kind.name},{side.lower()})."


def _cell(coordinate: tuple[int, ...]) -> str:
    return f"({coordinate[0]},{coordinate[1]})"


def _zone(position: Position, name: str, index: int | None = None) -> tuple[int, ...]:
    zone: tuple[int, ...] = position.state[position.engine.layout.position(name, index)]
    return zone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzle", type=Path)
    parser.add_argument("--seconds", type=float, default=120)
    wish = parser.parse_args()
    puzzle = parse_puzzle(wish.puzzle.read_text("utf-8"), str(wish.puzzle))
    game = Project(wish.puzzle.parent).load_names(puzzle.rules, wish.puzzle.parent)
    print(solve(set_up_position(puzzle, game), wish.seconds))


if __name__ == "__main__":
    main()
