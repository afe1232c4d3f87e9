"""Go: random games and capture puzzles against a judge of its own."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.grammar.tree import puzzles
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.scores import standings
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from rulewright.studies.verified_plan import proved_answer
from tests.games.classics.stones import Position, most_caught, moves, points
from tests.paths import ROOT
from tests.rules.playing import shipped

FOLDER = ROOT / "puzzles" / "library" / "classics" / "go"


@pytest.mark.parametrize("seed", range(4))
def test_random_games(seed: int) -> None:
    """The judge offers the same moves at every point, and counts the same at the end; captures and a ko come up."""
    engine, rng = Engine.of(shipped("classics.go"), 2), random.Random(seed)
    state, here, passed, kos = engine.start(), Position(frozenset(), 1), 0, 0
    for _ in range(70):
        texts = {format_move(engine, state, move): move for move in engine.legal(state)}
        known = dict(moves(here))
        assert texts.keys() == known.keys()
        kos += here.ko is not None
        text = rng.choice([text for text in texts if text != "pass"] or ["pass"])
        state, here, passed = engine.apply(state, texts[text]), known[text], passed + (text == "pass")
    assert sum(here.caught) > 10
    assert [standing.scores["points"] for standing in standings(engine, state)] == [points(here, 1), points(here, 2)]


@pytest.mark.parametrize("seed", (9, 18, 37, 40))
def test_no_position_comes_again(seed: int) -> None:
    """Superko: what the judge offers without a rule of ko, but for boards that were there before."""
    engine, rng = Engine.of(shipped("classics.go_superko"), 2), random.Random(seed)
    state, here, seen, barred = engine.start(), Position(frozenset(), 1), {frozenset()}, 0
    while not engine.over(state):
        texts = {format_move(engine, state, move): move for move in engine.legal(state)}
        offered = dict(moves(evolve(here, ko=None)))
        known = {text: after for text, after in offered.items() if text == "pass" or after.stones not in seen}
        assert texts.keys() == known.keys()
        barred += len(offered) - len(known)
        text = rng.choice([text for text in texts if text != "pass"] or ["pass"])
        state, here = engine.apply(state, texts[text]), known[text]
        seen.add(here.stones)
        if len(seen) > 120:
            break
    assert barred


def drawn(puzzle: puzzles.Puzzle) -> Position:
    (drawing,) = puzzle.drawings
    cells = [((x, y), cell.tile) for y, row in enumerate(drawing.rows) for x, cell in enumerate(row)]
    stones = {point: {"black": 1, "white": 2}[tile] for point, tile in cells if tile}
    assert puzzle.start is not None
    return Position(frozenset(stones.items()), puzzle.start.player)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.puzzle")), ids=lambda path: path.stem)
def test_answers(path: Path) -> None:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    assert position.puzzle.ask is not None
    result = answer(position.asked, position.root, position.question, Limits(seconds=120))
    assert proved_answer(result, position.question) == position.puzzle.answer
    if position.puzzle.ask.others is not None and position.puzzle.ask.others.play is puzzles.Others.AGAINST:
        (turns,) = re.findall(r"for (\d+) turns", path.read_text("utf-8"))
        judged = most_caught(drawn(position.puzzle), position.question.player or 1, int(turns))
        assert judged == position.puzzle.answer


def test_the_ladder() -> None:
    """`go_ladder`: every play of Black against the plan of White, breadth first."""
    puzzle = Catalogue(Project(FOLDER)).position(FOLDER / "go_ladder.puzzle").puzzle
    (plan,) = puzzle.given
    layer, number = {drawn(puzzle)}, 0
    while not any(here.caught[0] >= 3 for here in layer):
        told = plan.actions[number // 2]
        layer = {after for here in layer for text, after in moves(here) if here.player == 1 or text == told}
        number += 1
    assert number == puzzle.answer
