"""What is asked of a position."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_expression
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import resolve_question
from rulewright.rules.model.moves import Horizon
from tests.puzzles.positions import PROJECT, SEA, at_sea

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
