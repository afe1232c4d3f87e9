"""What a search for the fewest moves keeps of a state: `python bench/state_bytes.py`.

Of each game: the slots of a state in memory, with four bytes each and 32 for hashes and links (as states were kept before they
were packed); the bytes of a packed state, by the types of its slots and by what the distances show to be possible; and all
that the search takes for a state, with its word in the queue and two places in the table.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from collection import korf
from planning_task import puzzle_of
from planning_tasks import task

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.shortest.estimates.cached_distances import CachedDistances
from rulewright.solver.shortest.estimates.distance_tables import OutOfTime
from rulewright.solver.shortest.game import CostGame, bytes_of_state
from rulewright.solver.shortest.problem import ShortestPlanProblem

TABLE = 16
"""Bytes of two places in the table of known states, which is at most three quarters full, and half as full when it is new."""

SECONDS = 20
FROM_THE_BEGINNING = {
    "peg solitaire": ("classics.peg_solitaire", "men_left = 1"),
    "red donkey": ("classics.red_donkey", "solved"),
    "missionaries": ("classics.missionaries", "saved = 6"),
    "knight's tour": ("classics.knights_tour", "score = 64"),
    "pentominoes": ("classics.pentominoes", "score = 12"),
    "beacon patrol": ("beacon_patrol", "score >= 9"),
}


def questions() -> dict[str, str]:
    kinds = ("rush_hour", "lights_out", "pancakes", "sokoban", "hanoi", "deliveries", "lifts")
    return {
        "fifteen": next(text for _, text, _ in korf()),
        **{kind.replace("_", " "): task(kind, 1).puzzle for kind in kinds},
        **{name: puzzle_of(rules, [], until) for name, (rules, until) in FROM_THE_BEGINNING.items()},
    }


def row(name: str, text: str) -> str:
    with tempfile.TemporaryDirectory() as place:
        task("deliveries", 1).write(Path(place))
        (Path(place) / "task.puzzle").write_text(text, "utf-8")
        position = Catalogue(Project(Path(place))).position("task.puzzle")
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.root, position.question)
    game = CostGame(problem, merges=True)
    slots, packed = game.compiled.arrangement.size, 8 * game.layout.size
    distances = CachedDistances(problem, ())
    try:
        distances.finder.deadline = time.monotonic() + SECONDS
        game.narrow(distances.finder.ranges(distances.finder.find().tables))
        narrowed = f"{8 * game.layout.size}"
    except OutOfTime:
        narrowed = "no distances"
    return f"| {name} | {slots} | {4 * slots + 32} | {packed} | {narrowed} | {bytes_of_state(game.layout) + TABLE} |"


def main() -> None:
    print("| game | slots | unpacked | packed | by distances | in all |\n|---|--:|--:|--:|--:|--:|")
    for name, text in questions().items():
        print(row(name, text), flush=True)


if __name__ == "__main__":
    main()
