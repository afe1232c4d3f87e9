"""Patterns in rule text: what is linked, changed, written as a move and read back, and what is refused."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move, parse_move
from rulewright.solver.cpsat.process.job import ModelKind
from tests.rules.playing import linked, own_module
from tests.solver.asking import most
from tests.solver.cpsat.running import run
from tests.solver.exhaustive import best_value

PACKING = """
module packing:
    "Lay corners of three cells; the cells left over cost, and two free cells in a row count."

players 1

space box_floor: square grid 3 x 3 of tiles

tiles bits:
    bit  x9

state:
    laid: 0..3

pattern corner in box_floor, turned:
    bend end
    end  .
    require free: every c in bend: not occupied(c)
    require open: every c in end: not occupied(c)

pattern gap in box_floor, turned:
    hole hole
    require empty: every c in hole: not occupied(c)

action lay(p in places(corner)):
    require fits: holds(p)
    effect bend: put bit at cell(p) from box
    effect ends: for c in p.end: put bit at c from box
    effect count_it: laid += 1

flow:
    repeat: choose lay, or stop

score laid: 4 * laid
score gaps: 3 * count p in places(gap) where holds(p) and (facing(p) = north or laid = 2)
"""


def score_of(game: Game) -> Question:
    return Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))


def test_search_and_cpsat_against_enumeration() -> None:
    game = linked(PACKING)
    engine = Engine.of(game, 1)
    state, question = engine.start(0), score_of(game)
    best = best_value(engine, state, question)
    assert most(engine, state, game).score == best
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.value) == ("optimal", best)


def test_moves_are_read_as_they_are_written() -> None:
    engine = Engine.of(own_module("beams"), 2)
    state = engine.start(0)
    moves = engine.legal(state)
    texts = [format_move(engine, state, move) for move in moves]
    assert len(set(texts)) == len(moves) > 50
    assert [parse_move(engine, state, text) for text in texts] == moves
    assert "lay ruby at (0,0) mirrored_west" in texts
    assert "pave (0,2) slate (2,0)" in texts


def holding(change: str) -> int:
    text = f"module changed:\n    extends packing\n\n{change}\n\nscore fits: 100 * count p in places(corner) where holds(p)\n"
    engine = Engine.of(linked(PACKING, text), 1)
    return engine.score(engine.start(0)) // 100


def test_what_is_required_is_changed_by_its_label() -> None:
    """Four corners of each of four cells; one lies with its bend on each cell of a row, in a row of three cells."""
    assert holding("") == 16
    assert holding("change corner: \n    replace free: every c in bend: row(c) = 0") == 4
    assert holding("change corner:\n    require west: every c in end: column(c) = 0 or row(c) = 0") == 2
    assert holding("change corner:\n    drop free\n    drop open") == 16


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("change corner:\n    replace fre: yes", "RW105"),
        ("change corner:\n    require free: yes", "RW105"),
        ("change corner:\n    effect free: laid := 2", "RW105"),
        ("change corner:\n    require late: every c in tail: yes", "RW110"),
        ("change corner:\n    require late: laid", "RW200"),
        ("drop pattern corner", "RW176"),
        (
            "define odd(q in places(corner)) = holds(q)\nchange corner:\n    require late: some q in places(corner): odd(q)",
            "RW115",
        ),
        ("pattern other in nowhere_known:\n    a a", "RW110"),
        ("define gap = 3", "RW102"),
    ],
)
def test_what_is_wrong_is_said(change: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        holding(change)
    assert code in {found.code for found in caught.value.diagnostics}
