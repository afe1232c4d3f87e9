"""What is asked of a position."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import resolve_question
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import parse_move
from tests.expressions import parse_expression
from tests.puzzles.positions import PROJECT, SEA, at_sea
from tests.rules.playing import linked

BOARD = """
sea:
    .     buoy  .
    buoy  hq@1  open
    .     open  .

hand 1: open x2
tokens 1: 3
"""


def asked(question: str) -> tuple[int, Goal, int, Horizon | None]:
    here = at_sea(BOARD + f"\nask: {question}\n")
    assert here.question is not None
    value = sum(here.engine.value(term, here.state) for term in here.question.values)
    return value, here.question.goal, here.question.threshold, here.question.horizon


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("maximise score until end", (3, Goal.MAXIMISE, 0, None)),
        ("minimise explored_tiles for 1 turn", (3, Goal.MINIMISE, 0, Horizon("turn", 1))),
        ("reach score + 1 >= 12 for 3 turns", (4, Goal.REACH, 12, Horizon("turn", 3))),
        ("reach score >= -2 until end", (3, Goal.REACH, -2, None)),
        ("reach score > 2 until end", (1, Goal.REACH, 1, None)),
        ("reach some c in sea: at(c) = buoy and score > 3 for 1 turn", (0, Goal.REACH, 1, Horizon("turn", 1))),
        ("count best", (3, Goal.COUNT_BEST, 0, None)),
        ("maximise count c in sea where explored(c) until end", (1, Goal.MAXIMISE, 0, None)),
        ("maximise sum tokens of p for p in players until end", (3, Goal.MAXIMISE, 0, None)),
        ("maximise 10 * score - size(draw) + allowance.tiles(player_count) until end", (33, Goal.MAXIMISE, 0, None)),
        ("minimise sum worth(c) for c in sea where at(c) = buoy until end", (4, Goal.MINIMISE, 0, None)),
    ],
)
def test_questions(question: str, found: tuple[int, Goal, int, Horizon | None]) -> None:
    assert asked(question) == found


def test_the_parts_of_a_sum_are_bounded_each_for_itself() -> None:
    """Of `score - 10 * mini_expansions`, the scores stay what they are."""
    here = at_sea(BOARD + "\nask: maximise score - 10 * mini_expansions + (2 - size(draw)) until end\n")
    assert here.question is not None
    scores = [score.value for score in here.engine.game.scores]
    assert list(here.question.values[: len(scores)]) == scores
    assert [here.engine.value(term, here.state) for term in here.question.values[len(scores) :]] == [0, 2, 0]


def test_a_position_without_a_question() -> None:
    assert at_sea(BOARD).question is None


def test_play_ends_where_the_horizon_does() -> None:
    here = at_sea(BOARD + "\ndraw: open x2\n\nask: maximise score for 1 turn\n")
    after = here.asked.apply(here.state, (-1,))
    assert here.asked.over(after) and not here.engine.over(here.engine.apply(here.state, (-1,)))


@pytest.mark.parametrize(
    ("expression", "code"), [("scor", "RW110"), ("hq", "RW200"), ("worth(3, 4)", "RW204"), ("tokens", "RW203")]
)
def test_an_expression_that_means_nothing_is_refused(expression: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        resolve_question(PROJECT.load(SEA), parse_expression(expression, "here"))
    assert caught.value.diagnostics[0].code == code
    assert caught.value.diagnostics[0].span is not None


YARD = """
module yard:
    "Pieces, patterns and parts, for questions that name them."

players 2

space ground: square grid 4 x 4 of tiles
space sky: square grid 2 x 2

partition half of c in ground: column(c) div 2
partition full of c in ground: if occupied(c) then 1 else 0

tiles stones:
    stone  x4

pieces huts of player in ground, turned:
    hut    x2
    house  x1  wall door

pattern row_of_two in ground, turned:
    post post
    require built: every c in post: occupied(c)

action lay(c in ground):
    require vacant: not occupied(c)
    effect lay: put stone at c from box

action settle(p in places(huts)):
    require room: kind(p) in huts of player and every c in cells(p): not covered(c)
    effect settle: put kind(p) at p from huts of player

flow:
    for player in players:
        choose lay, settle, or stop

score laid: count c in ground where occupied(c)
"""


def in_the_yard(text: str) -> int:
    """The value of an expression behind `settle house (0,0)` of the first player and two stones of the others."""
    engine = Engine.of(linked(YARD), 2)
    state = engine.start(0)
    for move in ("settle house (0,0) north", "lay (2,1)"):
        state = engine.apply(state, parse_move(engine, state, move))
    return engine.value(resolve_question(engine.game, parse_expression(text, "asked")), state)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("count c in ground where covered(c)", 2),
        ("size(pieces(huts))", 1),
        ("count p in pieces(huts) where kind(p) = house and owner(p) = 1", 1),
        ("sum size(p.door) for p in pieces(huts)", 1),
        ("size(part(half, (0,0)))", 8),
        ("count c in part(half, (3,3)) where occupied(c)", 1),
        ("size(places(row_of_two))", 24),
        ("count p in places(row_of_two) where holds(p)", 0),
        ("column(step(cell(ground, 1, 1), turn(N, 1)))", 2),
    ],
)
def test_pieces_patterns_and_parts_are_known_to_questions(text: str, value: int) -> None:
    assert in_the_yard(text) == value


def test_parts_that_change_in_play_are_refused_in_questions() -> None:
    with pytest.raises(RulesError) as caught:
        in_the_yard("size(part(full, (0,0)))")
    (found,) = caught.value.diagnostics
    assert found.code == "RW172" and found.labels[0].span.column == len("size(") + 1
