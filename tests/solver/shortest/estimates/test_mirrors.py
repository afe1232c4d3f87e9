"""Mirrored patterns: those of factors that a map of the cells takes to each other, and only where moves and goals allow."""

from __future__ import annotations

import random

import pytest

from rulewright.puzzles.position import Position
from rulewright.solver.shortest.estimates import mirrors
from rulewright.solver.shortest.estimates.factors import Factor, Factors, Size, patterns_of
from rulewright.solver.shortest.estimates.mirrors import mirrored
from tests.rules.playing import linked, shipped
from tests.solver.shortest.estimates.spaces import check, finder
from tests.solver.shortest.estimates.test_pattern_databases import by_patterns, databases
from tests.solver.shortest.questions import asked

WALKERS = """
module walkers:
    "Three walkers in a yard, each with a place of its own to go to."

space yard: square grid 3 x 3 of tiles

tiles walkers:
    ann   x1
    ben   x1
    cleo  x1

action step(c in yard where occupied(c), to in around(c)):
    require free: not occupied(to)
    require right: {right}
    effect go: slide c to to

define home = at({ann}) = ann and at({ben}) = ben and at({cleo}) = cleo

flow:
    repeat until home:
        turn:
            choose step

score none: 0
"""
SIZE = Size(81, 81)
MIRRORED, OTHER = ("cell(1, 0)", "cell(2, 2)", "cell(0, 1)"), ("cell(1, 0)", "cell(2, 2)", "cell(0, 2)")
"""Places of their own: the first are taken to each other by a mirror."""
RIGHT, BOUND = "yes", "at(c) != ann or to != cell(1, 0) or c = cell(2, 0)"


def walkers(seed: int, right: str = RIGHT, homes: tuple[str, str, str] = MIRRORED) -> Position:
    ann, ben, cleo = homes
    words = ["ann", "ben", "cleo", *"......"]
    random.Random(seed).shuffle(words)
    body = "\n    yard:\n" + "\n".join("        " + "  ".join(words[at : at + 3]) for at in (0, 3, 6)) + "\n"
    return asked(linked(WALKERS.format(right=right, ann=ann, ben=ben, cleo=cleo)), "fewest moves until home", body)


def sums(position: Position) -> int:
    return len(databases(position, SIZE))


@pytest.mark.parametrize("seed", range(3))
def test_a_sum_and_its_mirrored_sum_are_admissible_and_consistent(seed: int) -> None:
    position = walkers(seed)
    found = databases(position, SIZE)
    assert [[len(database.places) for database in each] for each in found] == [[2, 1], [2, 1]]
    check(position, by_patterns(position, found))


def test_what_the_rules_or_the_goal_tell_apart_is_not_mirrored() -> None:
    assert sums(walkers(0)) == 2
    assert sums(walkers(0, BOUND)) == 1
    assert sums(walkers(0, homes=OTHER)) == 1


def test_the_fifteen_puzzle_is_mirrored_at_its_diagonal() -> None:
    position = asked(shipped("classics.fifteen"), "fewest moves until solved")
    (each,) = patterns_of(Factors(finder(position)).find(), Size(1 << 28, 1 << 24))
    tiles = [[things[0][1] for things in places] for places in mirrored(each, position.asked)]
    assert tiles == [[7, 11, 15, 4, 8, 12], [13, 2, 6, 10, 14, 3], [1, 5, 9]]


def turned_round(one: Factor, image: mirrors.Image) -> int:
    """Takes each walker to the next, whatever their goals."""
    return (one.places[0][1] + (image(("yard", 1)) != ("yard", 1))) % 3


FAULTS = {
    "labels are not compared": ("_effect", lambda factor, label, image: frozenset(), BOUND, MIRRORED),
    "goals are not compared": ("_reach", turned_round, RIGHT, OTHER),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, faulty, right, homes = FAULTS[fault]
    monkeypatch.setattr(mirrors, name, faulty)
    with pytest.raises(AssertionError, match=r"moves are left|lowers it"):
        for seed in range(9):
            position = walkers(seed, right, homes)
            check(position, by_patterns(position, databases(position, SIZE)))
