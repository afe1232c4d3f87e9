"""How long proofs take: `python bench/solve.py [--nine] [--seconds 600] [--no-page]`.

The positions and their answers are those of tests/puzzles/data/proved, proved by an exact search outside of this project; a
wrong answer stops the run. One process, one position after the other.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from attrs import frozen
from page import PROJECT, environment, write_section

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.loading import Project
from rulewright.solver.exact import search
from rulewright.solver.result import Status

PROVED = PROJECT / "tests" / "puzzles" / "data" / "proved"


@frozen
class Proof:
    name: str
    coming: int
    answer: int
    status: Status
    bound: int | None
    states: int
    seconds: float


def prove(path: Path, catalogue: Catalogue, seconds: float) -> Proof:
    """Search a position to the end, or until the time is up."""
    position = catalogue.position(path)
    answer, question = position.puzzle.answer, position.question
    assert question is not None and answer is not None
    result = search(position.asked, position.state, question, seconds)
    if result.status is Status.OPTIMAL and result.score != answer:
        raise SystemExit(f"{path.stem}: the answer is {answer}, the search says {result.score}")
    return Proof(path.stem, coming(path), answer, result.status, result.bound, result.states, result.seconds)


def coming(path: Path) -> int:
    """The tiles to come, as the name says: `mid_k06_s1_b10`."""
    number = re.search(r"_k(\d+)", path.stem)
    return int(number[1]) if number else 0


def report(proofs: list[Proof]) -> list[str]:
    lines = [*environment(), "", "| position | tiles to come | best score | states | seconds | |", "|---|---|---|---|---|---|"]
    for proof in proofs:
        said = "proved" if proof.status is Status.OPTIMAL else f"not proved: at most {proof.bound}"
        seconds = f"{proof.seconds:.2f}" if proof.seconds < 10 else f"{proof.seconds:.0f}"
        lines.append(f"| {proof.name} | {proof.coming} | {proof.answer} | {proof.states:,} | {seconds} | {said} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nine", action="store_true", help="also the positions with nine tiles to come")
    parser.add_argument("--seconds", type=float, default=600, help="for each position")
    parser.add_argument("--no-page", action="store_true", help="print only; leave docs/performance.md as it is")
    wish = parser.parse_args()
    paths = [path for path in sorted(PROVED.glob("*.puzzle")) if coming(path) <= (9 if wish.nine else 6)]
    catalogue = Catalogue(Project(PROVED))
    proofs = []
    for path in sorted(paths, key=lambda path: (coming(path), path.stem)):
        proofs.append(prove(path, catalogue, wish.seconds))
        print(report(proofs)[-1], flush=True)
    if not wish.no_page:
        write_section("proofs", report(proofs))


if __name__ == "__main__":
    main()
