"""Questions that have no answer are refused, and only those."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.explain import explanation
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status
from tests.expressions import parse_expression
from tests.rules.playing import linked

LAMP = """
module lamp:
    "A lamp, and marks that are made beside it."

state:
    lit: truth
    marks: 0..999999
    ink: 0..999999
    stamp: 0..9

action flip:
    require any: lit or not lit else "never said"
    effect turn: lit := not lit

action mark:
    effect note: marks += 1

action smear:
    effect take: marks -= 1

action set:
    effect set: stamp := 5

flow:
    {flow}

score marks: marks
"""


def ask(game: Game, goal: Goal, value: str, horizon: Horizon | None = None, threshold: int = 0) -> Result:
    engine = Engine.of(game, game.players.low).with_horizon(horizon)
    question = Question(goal, (resolve_question(game, parse_expression(value, "here")),), threshold, horizon)
    return answer(engine, engine.start(), question, Limits(60))


def refused(game: Game, goal: Goal, value: str, horizon: Horizon | None = None) -> str:
    with pytest.raises(RulesError) as caught:
        ask(game, goal, value, horizon, 3)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.labels and diagnostic.help
    return diagnostic.code


def lamp(flow: str) -> Game:
    return linked(LAMP.format(flow=flow))


@pytest.mark.parametrize("code", ["RW331", "RW332"])
def test_the_pages_show_it(code: str) -> None:
    page = explanation(code)
    assert page.bad is not None and page.good is not None
    assert refused(linked(page.bad.text), Goal.MAXIMISE, "score") == code
    assert ask(linked(page.good.text), Goal.MAXIMISE, "score").status is Status.OPTIMAL


NEVER = {
    "always something to choose": "repeat:\n        turn: choose set",
    "a condition that never comes true": "repeat until 1 > 2:\n        turn: repeat: choose flip, or stop",
    "always something to choose, as a search finds": "repeat:\n        turn: choose flip",
    "values that are never had": "repeat until stamp = 7 and stamp = 8:\n        turn: repeat: choose set, or stop",
}


@pytest.mark.parametrize("goal", [Goal.MAXIMISE, Goal.MINIMISE, Goal.COUNT_BEST])
@pytest.mark.parametrize("flow", NEVER)
def test_play_without_an_end(flow: str, goal: Goal) -> None:
    assert refused(lamp(NEVER[flow]), goal, "score") == "RW331"


def test_what_no_end_reaches_is_impossible() -> None:
    result = ask(lamp(NEVER["values that are never had"]), Goal.REACH, "stamp", threshold=5)
    assert result.status is Status.IMPOSSIBLE


def test_a_point_that_is_never_left() -> None:
    game = lamp("turn: choose flip, or stop\n    repeat:\n        round: repeat: choose flip, set")
    assert refused(game, Goal.MAXIMISE, "score", Horizon("round", 1)) == "RW331"
    assert ask(game, Goal.MAXIMISE, "score", Horizon("turn", 1)).status is Status.OPTIMAL


GROWING = [
    (Goal.MAXIMISE, "marks", "mark, or stop"),
    (Goal.COUNT_BEST, "marks", "flip, mark, or stop"),
    (Goal.MAXIMISE, "marks - stamp", "set, flip, mark, or stop"),
    (Goal.MAXIMISE, "3 + sum marks for p in players", "mark, or stop"),
    (Goal.MINIMISE, "0 - marks", "mark, or stop"),
]


@pytest.mark.parametrize(("goal", "value", "actions"), GROWING)
def test_values_that_grow_for_ever(goal: Goal, value: str, actions: str) -> None:
    assert refused(lamp(f"repeat:\n        turn: choose {actions}"), goal, value) == "RW332"


BOUNDED = [
    (Goal.MAXIMISE, "min(marks, 5)", "mark, or stop", 5),
    (Goal.MAXIMISE, "stamp", "set, flip, or stop", 5),
    (Goal.MINIMISE, "marks", "mark, or stop", 0),
    (Goal.REACH, "marks", "mark, or stop", 3),
    (Goal.MAXIMISE, "if lit then 1 else 0", "flip, or stop", 1),
]


@pytest.mark.parametrize(("goal", "value", "actions", "best"), BOUNDED)
def test_values_that_do_not(goal: Goal, value: str, actions: str, best: int) -> None:
    game = lamp(f"repeat:\n        turn: choose {actions}")
    result = ask(game, goal, value, threshold=3)
    assert result.score == best


def test_a_fault_on_the_way_is_for_the_search_to_report() -> None:
    """Marks cannot be fewer than none: the search comes upon it, and says so by its own code."""
    assert refused(lamp("repeat:\n        turn: choose smear, or stop"), Goal.MINIMISE, "0 - marks") == "RW361"


def test_a_long_game_is_no_endless_one() -> None:
    result = ask(lamp("repeat:\n        turn: choose flip"), Goal.MAXIMISE, "score", Horizon("turn", 30_000))
    assert (result.status, result.score, len(result.plan)) == (Status.OPTIMAL, 0, 30_000)
