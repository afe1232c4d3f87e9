"""A small game with a trap for the greedy: a ladder is worth nothing at once, and much later."""

from __future__ import annotations

from pathlib import Path

from attrs import evolve

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.static.natural_question import HIGHEST_SCORE
from rulewright.studies.making.commission import Commission
from rulewright.studies.making.composition import Composer

ORCHARD = """
module orchard:
    "Fetch the ladder, or pick what hangs low."

state:
    days:   0..9 = 6
    basket: 0..90
    ladder: truth
    straw:  0..9

action pick:
    "What hangs low."
    effect fill: basket += 2
    effect pass: days -= 1

action fetch:
    "The ladder."
    require once: not ladder else "the ladder stands here already"
    effect carry: ladder := yes
    effect pass:  days -= 1

action climb:
    "What hangs high."
    require ladder: ladder else "that hangs too high"
    effect fill: basket += high
    effect pass: days -= 1

define high:
    = 3
    sunny: 5 when straw < 9

flow:
    repeat until days = 0:
        turn:
            choose pick, fetch, climb

score apples: basket
"""

ORDER = Commission(("orchard",), 1, HIGHEST_SCORE, seconds=20.0)


def orchard(folder: Path) -> Project:
    """A project with the game."""
    folder.joinpath("orchard.rules").write_text(ORCHARD.lstrip())
    return Project(folder)


def standing(project: Project, body: str = "", order: Commission = ORDER) -> Position:
    """A position of the game from the lines of a puzzle, asked what the order asks."""
    text = f"puzzle here:\n    rules orchard\n    {body}\n"
    tree = evolve(parse_puzzle(text, "here"), ask=order.ask)
    return set_up_position(tree, project.load("orchard"))


def composer(project: Project, order: Commission = ORDER) -> Composer:
    return Composer(project.load("orchard"), order)
