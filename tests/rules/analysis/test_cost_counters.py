"""Counters that follow from the cost are no part of a state, and no plan is lost by that."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.model.game import Game
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Status
from rulewright.solver.shortest.problem import ShortestPlanProblem
from tests.rules.playing import linked
from tests.solver.answer.test_shortest_answer import by_everybody
from tests.solver.shortest.questions import asked, least

HIKE = """
module hike:
    "Over a moor with bogs, until night falls or the bread is eaten."

space moor: square grid 4 x 4

state:
    here:         cell of moor
    bog of moor:  truth
    hours:        0..40
    night:        0..40 = 9
    soaked:       0..40
    meals:        0..3

define home = column(here) = 3 and row(here) = 3

define is_late = hours >= night

action go(to in around(here)):
    require light: {light} else "it is too dark"
    require dry: not bog of to or soaked < 2 else "you are wet enough"
    effect walk: here := to
    effect wet: if bog of to: soaked += 1
    effect pass: hours += {hour}

action eat:
    require bread: meals < 3 else "no bread is left"
    effect eat: meals += 1
    effect dry: soaked := 0
    effect pass: hours += 1

flow:
    repeat until {until}:
        turn: choose go, eat{stop}
    {after}

score worth: 0 - hours - meals
"""

PLAIN = {"light": "row(here) < 9", "hour": "1", "until": "home or is_late", "stop": "", "after": "tell"}
TELL = "\nprocedure tell:\n    note: meals += 0\n"


def hike(**said: str) -> Game:
    text = HIKE.format(**{**PLAIN, **said})
    return linked(text if "tell" not in said.get("after", "tell") else text.replace("    tell\n", ""))


FORBIDDEN = {"light": "hours < night", "until": "home"}

COUNTED = {
    "the flow ends when there is too much": ({}, "fewest moves until home", {"hours"}),
    "moves are forbidden, and the choice ends the game": (FORBIDDEN, "fewest moves until home", {"hours"}),
    "it is the cost itself": ({"hour": "1 + column(to)"}, "least hours until home", {"hours"}),
    "moves do not all count the same": ({"hour": "2"}, "fewest moves until home", set()),
    "nor does a stop": ({"stop": ", or stop"}, "fewest moves until home", set()),
    "the condition reads it": ({}, "fewest moves until home and hours > 4", set()),
    "more of it is needed": ({"light": "hours >= 0"}, "fewest moves until home", set()),
    "a move depends on it": ({"light": "hours mod 2 = row(here) mod 2"}, "fewest moves until home", set()),
    "another cost": ({}, "least meals until home", {"meals"}),
    "something follows when there is too much": (
        {"after": "repeat until home or hours >= 20: choose go"},
        "fewest moves until home",
        set(),
    ),
}


@pytest.mark.parametrize("case", COUNTED)
def test_which_counters_follow_from_the_cost(case: str) -> None:
    said, ask, names = COUNTED[case]
    position = asked(hike(**said), ask, "\n    here: (0,0)")
    problem = ShortestPlanProblem(position.asked, position.root, position.question)  # type: ignore[arg-type]
    assert problem.analysis.live_variables - problem.telling_variables == names


@pytest.mark.parametrize("case", COUNTED)
def test_no_plan_is_lost(case: str) -> None:
    said, ask, _ = COUNTED[case]
    game, rng = hike(**said), random.Random(case)
    for _ in range(4):
        bogs = ", ".join(f"({rng.randrange(4)},{rng.randrange(4)})" for _ in range(6))
        night = rng.choice((5, 6, 7, 9))
        position = asked(game, ask, f"\n    here: (0,0)\n    bog: {bogs}\n    night: {night}\n    meals: {rng.randrange(3)}")
        engine, state, asks = position.asked, position.root, position.question
        assert asks is not None
        expected = least(engine, state, asks)
        for result in by_everybody(engine, state, asks):
            assert result.status is (Status.IMPOSSIBLE if expected is None else Status.OPTIMAL)
            assert result.score == expected


def test_fewer_states() -> None:
    """From a cell of the moor there is one state for each number of meals and each wetness, whatever the hour."""
    position = asked(
        hike(until="home or hours >= night"), "fewest moves until home and meals = 3", "\n    here: (0,0)\n    night: 40"
    )
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(60))
    assert (result.status, result.score) == (Status.OPTIMAL, 9) and result.states <= 16 * 4 * 3
