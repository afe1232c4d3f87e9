"""Claims of made puzzles, confirmed by enumeration: a few in the quick suite, two hundred in the campaign."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.base.choices import Sole
from rulewright.rules.linking.project import Project
from rulewright.rules.static.natural_question import HIGHEST_SCORE
from rulewright.studies.making.commission import Commission, Interval
from rulewright.studies.making.maker import Maker
from tests.campaigns.made_puzzles import confirmed
from tests.paths import ROOT
from tests.studies.making.orchard import ORDER, orchard

FEW = Interval(2, 3)
SOLVED = "fewest moves until solved"
COMMISSIONS = {
    "sea": (Commission(("beacon_patrol",), 1, HIGHEST_SCORE, tiles=FEW), 40),
    "two at sea": (Commission(("beacon_patrol",), 2, HIGHEST_SCORE, tiles=FEW), 30),
    "mills": (Commission(("beacon_patrol.windmills",), 1, HIGHEST_SCORE, tiles=FEW, uses=("windmill",)), 15),
    "piers": (Commission(("beacon_patrol.piers",), 1, HIGHEST_SCORE, tiles=FEW, uses=("pier",)), 10),
    "sail": (Commission(("beacon_patrol",), 1, HIGHEST_SCORE, tiles=FEW, uses=("sail",), gap=2), 15),
    "coast": (Commission(("beacon_patrol.ships.coast_guard",), 1, HIGHEST_SCORE, tiles=FEW), 10),
    "tide": (Commission(("house.tide",), 1, HIGHEST_SCORE, tiles=FEW), 10),
    "two turns": (Commission(("beacon_patrol",), 1, "maximise score for 2 turns", tiles=Interval(3, 6)), 10),
    "slides": (Commission(("classics.sliding",), 1, SOLVED, moves=Interval(4, 14)), 30),
    "pegs": (Commission(("classics.peg_solitaire",), 1, HIGHEST_SCORE, seconds=4.0), 15),
    "triangle": (Commission(("classics.triangle_solitaire",), 1, HIGHEST_SCORE, sole=Sole.NOTHING), 15),
    "crates": (Commission(("classics.sokoban",), 1, SOLVED, moves=Interval(3, 30), gap=0), 10),
}


def held(commission: Commission, wanted: int, project: Project, most: int) -> Counter[str]:
    """What was confirmed of so many puzzles, made in so many attempts at most."""
    maker, found = Maker(project, commission), Counter[str]()
    for number in range(most):
        for made in maker.attempt(number).made:
            found += confirmed(made, commission, project)
        if found["read"] >= wanted:
            break
    return found


CLAIMS = ("read", "answer", "one key", "lead", "solution", "uses", "gap", "gap to all")


def test_some_puzzles(tmp_path: Path) -> None:
    found = held(evolve(ORDER, uses=("climb",)), 3, orchard(tmp_path), 40)
    assert {found[claim] for claim in CLAIMS} == {found["read"]} and found["read"] >= 3


@pytest.mark.campaign
@pytest.mark.parametrize("name", COMMISSIONS)
def test_two_hundred_puzzles(name: str) -> None:
    commission, wanted = COMMISSIONS[name]
    found = held(commission, wanted, Project(ROOT), 3000)
    print(name, dict(found))
    assert found["read"] >= wanted
    assert found["answer"] + found["too many states"] == found["read"]
