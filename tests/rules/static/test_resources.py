"""Resources: what only enables moves is one also where effects raise it up to a limit."""

from __future__ import annotations

import pytest

from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.static.resources import resources_of
from tests.puzzles.positions import CATALOGUE, drawn

MINE = """module mine:
players 1

state:
    oil:   0..5 = 3
    depth: 0..9
    wet:   truth

define tank = if wet then 3 else 5

action dig:
    require oil: {} else "the lamp is out"
    effect burn: oil -= 1
    effect sink: depth += 1

action rest:
    require left: depth < 9 else "it is the bottom"
    effect fill: {}
    effect sink: depth += 1

flow:
    repeat until depth = 9: choose dig, rest, or stop

score depth: depth
"""


def resources(required: str, effect: str) -> dict[str, bool]:
    here = drawn(MINE.format(required, effect), "players 1\nask: maximise score until end")
    assert here.question is not None
    return resources_of(DataflowAnalysis(here.engine, here.question.values, here.state))


@pytest.mark.parametrize("required", ["oil >= 1", "1 <= oil", "oil > 0 and oil + 1 >= 2"])
@pytest.mark.parametrize(
    "effect",
    [
        "oil := 5",
        "oil := min(oil + 1, 5)",
        "oil := min(oil + 2, tank)",
        "oil := max(oil - 1, 0)",
        "oil := min(5, max(oil, 2))",
        "if wet: oil := min(oil + 1, 5)",
    ],
)
def test_what_is_filled_up_to_a_limit_is_a_resource(required: str, effect: str) -> None:
    assert resources(required, effect) == {"oil": True}


@pytest.mark.parametrize(
    ("required", "effect"),
    [
        ("oil >= 1", "oil += 1"),  # beyond its range, it stops the game
        ("oil >= 1", "oil := min(oil + 1, 6)"),
        ("oil >= 1", "oil := 5 - oil"),
        ("oil >= 1", "oil := min(5 - oil, 3)"),
        ("oil >= 1", "if oil > 2: oil := 5"),
        ("oil = 1", "oil := min(oil + 1, 5)"),
        ("oil >= 1 and oil <= 4", "oil := min(oil + 1, 5)"),
    ],
)
def test_what_may_be_worse_in_plenty_is_none(required: str, effect: str) -> None:
    assert resources(required, effect) == {}


@pytest.mark.parametrize("puzzle", ["german_tokens_for_tiles", "construction_two_yards", "ferry_long_haul"])
def test_tokens_are_one_where_discards_turn_them_back(puzzle: str) -> None:
    here = CATALOGUE.position(puzzle)
    assert here.question is not None
    assert resources_of(DataflowAnalysis(here.asked, here.question.values, here.root))["tokens"] is True
