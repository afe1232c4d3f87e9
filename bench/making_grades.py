"""Do the grades of made puzzles agree with how hard they are for players who know no solver?

    python bench/making_grades.py FOLDER… [--kept FILE] [--fit]

Three measures, none of which uses the solver: the share of random games that reach the answer, the narrowest beam that does,
and the number of states visited by limited discrepancy search (Harvey and Ginsberg 1995). Each is in bits; if a measure does
not reach the answer within its limits, a larger remaining gain counts as harder. All become ranks, and their mean is the
difficulty that grades are compared with (Spearman's rank correlation). `--fit` fits weights on every other puzzle, by ridge
regression with nonnegative weights, and tests them on the rest. `--kept` names a file of earlier measurements, to which new
ones are added.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count
from math import log2
from pathlib import Path

import numpy as np
from attrs import asdict, frozen

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import State
from rulewright.studies.making.move_values import GREEDY, MoveValues, NaivePlayer
from rulewright.studies.making.solution import WEIGHTS, Features, Solution, graded, measured, terms_of

GAMES = 1_000
WIDEST_BITS = 10
MOST_STATES = 20_000
LONGEST, LONG = 300, 15
RIDGE = 1.0
SECONDS, MEMORY = 120.0, 1024


@frozen
class Judged:
    """A puzzle with its features, and its difficulty in bits by each of the three measures."""

    name: str
    rules: str
    features: Features
    luck: float
    beam: float
    states: float


def judged(name: str, values: MoveValues) -> Judged:
    """A puzzle with its features and the measures."""
    root = values.position.root
    first = {move: values.after(root, move) for move in values.engine.legal(root)}
    features = measured(Solution(values), first)
    rules = "+".join(rule for rule, _ in values.position.puzzle.rules)
    return Judged(name, rules, features, random_luck(values), narrowest_beam(values), states_by_looks(values))


def random_luck(values: MoveValues) -> float:
    """The improbability, in bits, that a random game reaches the answer; for a shortest plan, within twice its moves."""
    engine, root, shortest, chance = values.engine, values.position.root, values.shortest, random.Random(1)
    longest = LONGEST if shortest is None else 2 * max(1, -values.optimum)
    hits, least = 0, 1.0
    for _ in range(GAMES):
        state = root
        for _ in range(longest):
            if engine.over(state) or (shortest is not None and shortest.reached(state)) or not (moves := engine.legal(state)):
                break
            state = engine.apply(state, chance.choice(moves))
        missing = _missing(values, state)
        hits += not missing
        least = min(least, missing)
    return log2(GAMES / hits) if hits else log2(2 * GAMES) + least


def narrowest_beam(values: MoveValues) -> float:
    """The least width, a power of two, of a beam ranked by static value that reaches the answer."""
    missing = 1.0
    for bits in range(WIDEST_BITS + 1):
        missing = _beam_misses(values, 1 << bits)
        if not missing:
            return bits
    return WIDEST_BITS + 1 + missing


def _beam_misses(values: MoveValues, width: int) -> float:
    engine = values.engine
    layer: list[State] = [values.position.root]
    missing = _missing(values, layer[0])
    for _ in range(_deepest(values)):
        children = dict.fromkeys(engine.apply(state, move) for state in layer for move in engine.legal(state))
        missing = min([missing, *(_missing(values, state) for state in children)])
        layer = sorted((state for state in children if not engine.over(state)), key=values.standing, reverse=True)[:width]
        if not missing or not layer:
            break
    return missing


def states_by_looks(values: MoveValues) -> float:
    """The number of states visited before the answer by limited discrepancy search.

    Among plans with equally many discrepancies the longer is followed first; for a shortest plan, the shorter.
    """
    engine, player, numbers = values.engine, NaivePlayer(values, GREEDY), count()
    deepest, ahead = _deepest(values), 1 if values.shortest is not None else -1
    pending, done, missing = [(0, 0, next(numbers), values.position.root)], set[State](), 1.0
    while pending and len(done) < MOST_STATES:
        against, depth, _, state = heappop(pending)
        if state in done:
            continue
        done.add(state)
        missing = min(missing, _missing(values, state))
        if not missing:
            return log2(len(done))
        moves = [] if engine.over(state) or abs(depth) >= deepest else engine.legal(state)
        looks = set(player.choices(state, moves)) if moves else set()
        for move in moves:
            child = engine.apply(state, move)
            if child not in done:
                heappush(pending, (against + (move not in looks), depth + ahead, next(numbers), child))
    return log2(2 * MOST_STATES) + missing


def _deepest(values: MoveValues) -> int:
    """The maximum depth, in moves."""
    return LONGEST if values.shortest is None else -values.optimum


def _missing(values: MoveValues, state: State) -> float:
    """The share of the gain missing in a state; 1 before the end, 0 at the answer."""
    if values.shortest is not None:
        return 0.0 if values.shortest.reached(state) else 1.0
    if not values.engine.over(state):
        return 1.0
    gain = max(1, abs(values.optimum - values.standing(values.position.root)))
    return min(1.0, (values.optimum - values.standing(state)) / gain)


def ranks(numbers: Sequence[float]) -> np.ndarray:
    """Ranks from 0; ties get their mean rank."""
    found = np.asarray(numbers, float)
    return np.array([np.sum(found < one) + (np.sum(found == one) - 1) / 2 for one in found])


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """The rank correlation."""
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def difficulty(puzzles: Sequence[Judged]) -> np.ndarray:
    """The mean rank over the three measures."""
    measures = ("luck", "beam", "states")
    return np.mean([ranks([getattr(puzzle, name) for puzzle in puzzles]) for name in measures], axis=0)


def fitted(puzzles: Sequence[Judged]) -> dict[str, float]:
    """Weights of the terms, by ridge regression on the difficulty; terms with negative weights are removed, worst first."""
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


def fifths(puzzles: Sequence[Judged], weights: dict[str, float]) -> list[float]:
    """The lower bounds of the quintiles except the first; puzzles with long solutions count for half in total."""
    longs = [puzzle.features.moves >= LONG for puzzle in puzzles]
    shares = [0.5 / sum(longs) if is_long else 0.5 / (len(longs) - sum(longs)) for is_long in longs]
    order = sorted((total(weights, puzzle.features), share) for puzzle, share in zip(puzzles, shares, strict=True))
    below = np.cumsum([share for _, share in order])
    return [round(order[int(np.searchsorted(below, number / 5))][0], 2) for number in range(1, 5)]


def report(puzzles: Sequence[Judged], fits: bool) -> None:
    """Print the agreement of grades and measures, and the result of a fit."""
    hard = difficulty(puzzles)
    grades = [graded(puzzle.features) for puzzle in puzzles]
    numbers = [grade.number for grade in grades]
    print(f"{len(puzzles)} puzzles; of grades 1 to 5: {[numbers.count(grade) for grade in range(1, 6)]}")
    print(f"grades against the difficulty   {spearman(numbers, hard):.2f}")
    for name in ("luck", "beam", "states"):
        print(f"  against {name:<22}  {spearman(numbers, [getattr(puzzle, name) for puzzle in puzzles]):.2f}")
    print(f"their sums against the difficulty {spearman([grade.difficulty for grade in grades], hard):.2f}")
    for name in WEIGHTS:
        print(f"    {name:<12} {spearman([terms_of(puzzle.features)[name] for puzzle in puzzles], hard):5.2f}")
    for rules in sorted({puzzle.rules for puzzle in puzzles}):
        some = [puzzle for puzzle in puzzles if puzzle.rules == rules]
        if len(some) >= 8:
            sums = [graded(puzzle.features).difficulty for puzzle in some]
            print(f"within {rules}, {len(some)} puzzles: {spearman(sums, difficulty(some)):.2f}")
    if fits:
        weights = fitted(puzzles[::2])
        for what, some in (("fitted on", puzzles[::2]), ("the others", puzzles[1::2])):
            print(f"{what}: {spearman([total(weights, one.features) for one in some], difficulty(some)):.2f} of {len(some)}")
        print("weights", weights)
        print("fifths", fifths(puzzles, weights))


def main() -> None:
    """Judge the puzzles of some folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    kept = _kept(arguments.kept)
    found: list[Judged] = []
    for folder in arguments.folders:
        catalogue = Catalogue(Project(folder))
        for path in sorted(folder.rglob("*.puzzle")):
            one = kept.get(path.stem) or judged(path.stem, MoveValues(catalogue.position(path), SECONDS, MEMORY))
            found.append(one)
            if arguments.kept and path.stem not in kept:
                with arguments.kept.open("a") as file:
                    file.write(json.dumps(asdict(one)) + "\n")
            print(f"{one.name:<40} luck {one.luck:5.1f}  beam {one.beam:4.1f}  states {one.states:5.1f}", flush=True)
    report(found, arguments.fit)


def _kept(path: Path | None) -> dict[str, Judged]:
    lines = path.read_text().splitlines() if path is not None and path.exists() else []
    read = [json.loads(line) for line in lines]
    return {one["name"]: Judged(**{**one, "features": Features(**one["features"])}) for one in read}


if __name__ == "__main__":
    main()
