"""Do the grades of made puzzles agree with how hard they are for players who know no solver?

    python bench/making_grades.py FOLDER… [--fit]

Two measures, neither of which asks the solver anything: the share of games at random that come to the answer, and the narrowest
beam that does. Both become ranks, and their mean is the difficulty that grades are held against (Spearman's rank correlation).
`--fit` finds weights on every other puzzle, by least squares with a ridge and none below zero, and tries them on the rest.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from math import log2
from pathlib import Path

import numpy as np
from attrs import frozen

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import State
from rulewright.studies.making.features import Features, measured
from rulewright.studies.making.grading import WEIGHTS, graded, terms_of
from rulewright.studies.making.move_values import MoveValues
from rulewright.studies.making.solution import Solution

GAMES = 400
WIDEST = 2048
RIDGE = 1.0
SECONDS, MEMORY = 20.0, 1024


@frozen
class Judged:
    """A puzzle with what is measured of it."""

    name: str
    features: Features
    luck: float
    beam: float


def judged(name: str, values: MoveValues) -> Judged:
    """A puzzle with its features and the two measures."""
    return Judged(name, measured(Solution(values)), random_luck(values), log2(narrowest_beam(values)))


def random_luck(values: MoveValues) -> float:
    """In bits, how improbable it is that a game at random comes to the answer; of a shortest plan, within twice its moves."""
    engine, root, shortest, chance = values.engine, values.position.root, values.shortest, random.Random(1)
    longest = 300 if shortest is None else 2 * max(1, -values.optimum)
    hits = 0
    for _ in range(GAMES):
        state = root
        for _ in range(longest):
            if engine.over(state) or (shortest is not None and shortest.reached(state)) or not (moves := engine.legal(state)):
                break
            state = engine.apply(state, chance.choice(moves))
        hits += _has_won(values, state)
    return -log2((hits + 0.5) / (GAMES + 1))


def narrowest_beam(values: MoveValues) -> int:
    """The least width, a power of two, of a beam by what states are worth as they stand that comes to the answer."""
    width = 1
    while width < WIDEST and not _beam_finds(values, width):
        width *= 2
    return width


def _beam_finds(values: MoveValues, width: int) -> bool:
    engine, shortest = values.engine, values.shortest
    layer: list[State] = [values.position.root]
    left = 300 if shortest is None else -values.optimum
    while layer and left >= 0:
        if any(_has_won(values, state) for state in layer):
            return True
        open_states = [state for state in layer if not engine.over(state)]
        children = dict.fromkeys(engine.apply(state, move) for state in open_states for move in engine.legal(state))
        ends = [state for state in children if engine.over(state)]
        if any(_has_won(values, state) for state in ends):
            return True
        rest = [state for state in children if not engine.over(state)]
        layer = sorted(rest, key=values.standing, reverse=True)[:width]
        left -= 1
    return False


def _has_won(values: MoveValues, state: State) -> bool:
    if values.shortest is not None:
        return bool(values.shortest.reached(state))
    return values.engine.over(state) and values.standing(state) == values.optimum


def ranks(numbers: Sequence[float]) -> np.ndarray:
    """Ranks from 0, equals in the middle of theirs."""
    found = np.asarray(numbers, float)
    return np.array([np.sum(found < one) + (np.sum(found == one) - 1) / 2 for one in found])


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """The rank correlation."""
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def difficulty(puzzles: Sequence[Judged]) -> np.ndarray:
    """The mean of both ranks."""
    return (ranks([puzzle.luck for puzzle in puzzles]) + ranks([puzzle.beam for puzzle in puzzles])) / 2


def fitted(puzzles: Sequence[Judged]) -> dict[str, float]:
    """Weights of the terms, by ridge regression of the difficulty; terms that would be negative are left out, worst first."""
    target = difficulty(puzzles)
    target = (target - target.mean()) / target.std()
    names = list(WEIGHTS)
    while True:
        rows = np.array([[terms_of(puzzle.features)[name] for name in names] for puzzle in puzzles])
        spread = rows.std(axis=0) + 1e-9
        scaled = (rows - rows.mean(axis=0)) / spread
        found = np.linalg.solve(scaled.T @ scaled + RIDGE * np.eye(len(names)), scaled.T @ target) / spread
        if (found >= 0).all():
            return {name: round(float(weight), 3) for name, weight in zip(names, found, strict=True)}
        names.pop(int(np.argmin(found * spread)))


def total(weights: dict[str, float], features: Features) -> float:
    """The weighted sum."""
    terms = terms_of(features)
    return sum(weight * terms[name] for name, weight in weights.items())


def report(puzzles: Sequence[Judged], fits: bool) -> None:
    """Print how far grades and measures agree, and what a fit gives."""
    hard = difficulty(puzzles)
    lucks, beams = [puzzle.luck for puzzle in puzzles], [puzzle.beam for puzzle in puzzles]
    print(f"{len(puzzles)} puzzles; random play against beams {spearman(lucks, beams):.2f}")
    grades = [graded(puzzle.features) for puzzle in puzzles]
    print(f"grades against the difficulty   {spearman([grade.number for grade in grades], hard):.2f}")
    print(f"their sums against it           {spearman([grade.difficulty for grade in grades], hard):.2f}")
    print(f"  against random play alone     {spearman([grade.difficulty for grade in grades], lucks):.2f}")
    print(f"  against beams alone           {spearman([grade.difficulty for grade in grades], beams):.2f}")
    for name in WEIGHTS:
        print(f"    {name:<12} {spearman([terms_of(puzzle.features)[name] for puzzle in puzzles], hard):5.2f}")
    if fits:
        weights = fitted(puzzles[::2])
        for what, some in (("fitted on", puzzles[::2]), ("the others", puzzles[1::2])):
            print(f"{what}: {spearman([total(weights, one.features) for one in some], difficulty(some)):.2f} of {len(some)}")
        sums = sorted(total(weights, puzzle.features) for puzzle in puzzles)
        print("weights", weights)
        print("fifths", [round(sums[len(sums) * n // 5], 2) for n in range(1, 5)])


def main() -> None:
    """Judge the puzzles of some folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    found: list[Judged] = []
    for folder in arguments.folders:
        catalogue = Catalogue(Project(folder))
        for path in sorted(folder.rglob("*.puzzle")):
            values = MoveValues(catalogue.position(path), SECONDS, MEMORY)
            found.append(judged(path.stem, values))
            print(f"{path.stem:<40} luck {found[-1].luck:5.1f}  beam {found[-1].beam:4.1f}", flush=True)
    report(found, arguments.fit)


if __name__ == "__main__":
    main()
