"""Measures proof times: `python bench/solve.py [--most 9] [--seconds 600] [--shipped-only] [--no-page]`.

First the positions of tests/puzzles/data/proved, whose answers an exact search outside this project has proved, then every
library puzzle. A wrong answer stops the run. One process, one position after the other, nothing cached between them.
"""

from __future__ import annotations

import argparse
import re
import statistics
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from attrs import frozen
from optima import answer_told
from page import PROJECT, environment, write_section

from rulewright.grammar.tree.puzzles import Answer
from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status
from rulewright.studies.verified_plan import refutes

PROVED = PROJECT / "tests" / "puzzles" / "data" / "proved"


@frozen
class Proof:
    """`right` is the answer in the file, if there is one; `coming` is the number of tiles to come, if the name says it."""

    name: str
    rules: str
    coming: int
    right: Answer | None
    result: Result


def prove(path: Path, catalogue: Catalogue, seconds: float) -> Proof:
    """Search a position exhaustively, or until the time is up."""
    position = catalogue.position(path)
    right, question = position.puzzle.answer, position.question
    assert question is not None
    result = answer(position.asked, position.root, question, Limits(seconds))
    if right is not None and refutes(result, question, right):
        raise SystemExit(f"{path.stem}: the answer is {right}, the search says {result.score}")
    rules = " + ".join(name for name, _ in position.puzzle.rules)
    return Proof(path.stem, rules, coming(path), right, result)


def coming(path: Path) -> int:
    """The number of tiles to come, according to the name: `mid_k06_s1_b10`."""
    number = re.search(r"_k(\d+)", path.stem)
    return int(number[1]) if number else 0


def said(proof: Proof) -> str:
    match proof.result.status:
        case Status.OPTIMAL | Status.IMPOSSIBLE:
            return "proved"
        case Status.FEASIBLE | Status.UNKNOWN:
            bound = "no bound" if proof.result.bound is None else f"at most {proof.result.bound}"
            return f"not proved: {proof.result.score} found, {bound}"


def answered(proof: Proof) -> str:
    """What is proved, or what the file says."""
    is_proved = proof.result.status in (Status.OPTIMAL, Status.IMPOSSIBLE)
    return answer_told(proof.result.value) if is_proved else "—" if proof.right is None else str(proof.right)


def row(proof: Proof, about: object) -> str:
    result = proof.result
    seconds = f"{result.seconds:.2f}" if result.seconds < 10 else f"{result.seconds:.0f}"
    return f"| {proof.name} | {about} | {answered(proof)} | {result.states:,} | {seconds} | {said(proof)} |"


def table(proofs: Sequence[Proof], seconds: float) -> list[str]:
    """The lines of a section with a row for each position."""
    proved = sum(proof.result.status in (Status.OPTIMAL, Status.IMPOSSIBLE) for proof in proofs)
    return [
        *environment(),
        "",
        f"{proved} of {len(proofs)} proved, with {seconds:g} s for each.",
        "",
        "| position | tiles to come | answer | states | seconds | |",
        "|---|---|---|---|---|---|",
        *(row(proof, proof.coming) for proof in proofs),
    ]


def summary(proofs: Sequence[Proof], seconds: float) -> list[str]:
    """The lines of a section with a row for each module that puzzles name first."""
    rows = []
    for rules, group in groupby(sorted(proofs, key=lambda proof: proof.rules), lambda proof: proof.rules.split(" + ")[0]):
        found = sorted(group, key=lambda proof: proof.result.seconds)
        proved = sum(proof.result.status in (Status.OPTIMAL, Status.IMPOSSIBLE) for proof in found)
        median, slowest = statistics.median(proof.result.seconds for proof in found), found[-1]
        rows.append(
            f"| {rules} | {proved} of {len(found)} | {median:.2f} | {slowest.result.seconds:.2f} "
            f"({slowest.name}: {answered(slowest)}) |"
        )
    return [
        *environment(),
        "",
        f"{len(proofs)} puzzles, with {seconds:g} s for each.",
        "",
        "| rules | proved | median, s | slowest, s |",
        "|---|--:|--:|---|",
        *rows,
    ]


def proofs_of(paths: Sequence[Path], catalogue: Catalogue, seconds: float) -> list[Proof]:
    found = []
    for path in paths:
        found.append(prove(path, catalogue, seconds))
        print(row(found[-1], found[-1].rules), flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=9, help="tiles to come in the positions proved elsewhere")
    parser.add_argument("--seconds", type=float, default=600, help="for each position")
    parser.add_argument("--shipped-only", action="store_true", help="only the puzzles that ship")
    parser.add_argument("--no-page", action="store_true", help="print only; leave docs/performance.md as it is")
    wish = parser.parse_args()
    catalogue = Catalogue(Project(PROVED))
    if not wish.shipped_only:
        paths = sorted(PROVED.glob("*.puzzle"), key=lambda path: (coming(path), path.stem))
        proofs = proofs_of([path for path in paths if coming(path) <= wish.most], catalogue, wish.seconds)
        if not wish.no_page:
            write_section("proofs", table(proofs, wish.seconds))
    asked = [path for path in sorted(SHIPPED.rglob("*.puzzle")) if catalogue.position(path).question is not None]
    shipped = proofs_of(asked, catalogue, wish.seconds)
    if not wish.no_page:
        write_section("shipped puzzles", summary(shipped, wish.seconds))


if __name__ == "__main__":
    main()
