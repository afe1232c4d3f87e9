"""The market of stalls: random games and the answers of its puzzles against a judge of its own."""

from __future__ import annotations

import random

import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.scores import standings
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from rulewright.studies.verified_plan import proved_answer, verified_steps
from tests.games.classics.stalls import lead, moves, read, wealth
from tests.paths import ROOT
from tests.rules.playing import shipped

FOLDER = ROOT / "puzzles" / "library" / "classics" / "market"
LEADS = ("market_three_days", "market_two_days")
"""Two players, each for a lead in wealth, which is what the judge knows."""


@pytest.mark.parametrize("seed", range(5))
def test_random_games(seed: int) -> None:
    engine, rng = Engine.of(shipped("classics.market"), 2), random.Random(seed)
    state, here = engine.start(), read("")
    while not engine.over(state):
        texts = {format_move(engine, state, move): move for move in engine.legal(state)}
        known = dict(moves(here))
        assert texts.keys() == known.keys()
        text = rng.choice(sorted(texts))
        state, here = engine.apply(state, texts[text]), known[text]
    assert here.days == 0
    assert [standing.scores["wealth"] for standing in standings(engine, state)] == [wealth(here, 0), wealth(here, 1)]


@pytest.mark.parametrize("name", LEADS)
def test_leads(name: str) -> None:
    path = FOLDER / f"{name}.puzzle"
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(seconds=60))
    assert proved_answer(result, position.question) == position.puzzle.answer == lead(read(path.read_text("utf-8")))
    assert verified_steps(position.asked, position.root, position.question, result)
