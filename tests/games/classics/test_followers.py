"""Carcassonne with followers: random games and the answer of its puzzle against a judge of its own."""

from __future__ import annotations

import random
import time
from functools import cache

from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position as Puzzle
from rulewright.rules.linking.project import Project
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.result import Limits
from rulewright.solver.versus.best_play import BestPlaySearch
from rulewright.solver.versus.plain_search import PlainSearch
from rulewright.solver.versus.problem import MinimaxProblem
from tests.games.classics.followers import Judge, Position, kinds_of
from tests.paths import ROOT

FOLDER = ROOT / "puzzles" / "library" / "classics" / "followers"
JUDGE = Judge(kinds_of((ROOT / "rules" / "library" / "classics" / "carcassonne.rules").read_text("utf-8")))
LAID = frozenset({((1, 1), ("gate", 0)), ((1, 2), ("curve", 0))})
BEGUN = Position(LAID, ("cap", "curve", "corner"))
"""The position of `followers_three`."""


@cache
def puzzle() -> Puzzle:
    return Catalogue(Project(FOLDER)).position(FOLDER / "followers_three.puzzle")


def test_random_games() -> None:
    engine, placed = puzzle().engine, 0
    for seed in range(25):
        state, here, rng = puzzle().state, BEGUN, random.Random(seed)
        while not engine.over(state):
            texts = {format_move(engine, state, move): move for move in engine.legal(state)}
            known = dict(JUDGE.moves(here))
            assert texts.keys() == known.keys()
            text = rng.choice([text for text in sorted(texts) if text != "stop"] or ["stop"])
            placed += text.startswith("guard")
            state, here = engine.apply(state, texts[text]), known[text]
        question = puzzle().question
        assert question is not None
        assert sum(engine.value(value, state) for value in question.values) == here.points[0] - here.points[1]
    assert placed > 50


def test_the_answer() -> None:
    """By the search over immutable states: the machine code of so many closures takes longer to make than this takes."""
    position = puzzle()
    assert position.question is not None
    problem = MinimaxProblem(position.asked, position.root, position.question)
    found = BestPlaySearch(problem, PlainSearch(problem, time.monotonic() + 60, Limits())).run()
    assert (found.lower, found.upper) == (position.puzzle.answer, position.puzzle.answer)
    assert found.lower == JUDGE.lead(BEGUN, {})
