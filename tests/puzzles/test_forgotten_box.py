"""A box left empty by a puzzle that draws a board."""

from __future__ import annotations

import pytest

from rulewright.grammar.explain import explanation
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.checks import forgotten_box
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from tests.rules.playing import shipped


def position(text: str) -> Position:
    return set_up_position(parse_puzzle(text, "a puzzle"), shipped("classics.noughts_and_crosses"))


def test_the_page_shows_it() -> None:
    page = explanation("RW339")
    assert page.bad is not None and page.good is not None
    (found,) = forgotten_box(position(page.bad.text))
    assert (found.code, found.warning) == ("RW339", True)
    assert forgotten_box(position(page.good.text)) == ()


@pytest.mark.parametrize("rest", ["box: none", "box: nought x4, cross x4"])
def test_who_names_the_box_has_thought_of_it(rest: str) -> None:
    page = explanation("RW339")
    assert page.good is not None
    assert forgotten_box(position(page.good.text.replace("box: rest", rest))) == ()


def test_without_a_drawing_the_set_up_fills_it() -> None:
    assert forgotten_box(position("puzzle a:\n    rules b\n    players 2\n\n    ask: win for 1\n")) == ()
