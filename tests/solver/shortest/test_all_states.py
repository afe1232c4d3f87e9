"""Values of all states against play that is followed to every end."""

from __future__ import annotations

import time
from itertools import islice

import pytest
from attrs import evolve

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question, question_of
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import Limits
from rulewright.solver.shortest.all_states import AllStates
from rulewright.solver.shortest.problem import ShortestPlanProblem, UniformCostSearch
from rulewright.studies.making.commission import parsed_goal
from tests.puzzles.positions import CATALOGUE, at_sea, game_of, position
from tests.solver.exhaustive import all_ends

BAY = """
sea:
    .       .       buoy
    hq@1    open    .
    w_light .       .

hand 1: open, s_house
tokens 1: 2
draw: buoy
start: turn of 1
ask: maximise score until end
"""

FERRY = """
module here:
    "A boat goes to and fro; each landing is noted once, and the last one counts."

state:
    east:  truth
    goods: 0..3
    left:  0..4 = 4

action row:
    effect cross: east := not east

action land:
    require here: left > 0 and east else "there is nowhere to land"
    effect unload: goods := left - 1
    effect pass: left := left - 2

flow:
    repeat until left = 0:
        turn: choose row, land

score landed: goods
"""


def held(problem: Problem) -> int:
    """How many states are held against every end that play may come to from them."""
    values = AllStates.of_problem(problem, 50_000)
    assert values.complete
    engine, checked = problem.engine, 0
    pending, seen = [problem.root], {problem.root}
    while pending and checked < 8:
        state = pending.pop(0)
        ends = all_ends(engine, state)
        assert ends is not None
        assert values.of(state) == max(map(problem.value, ends), default=None)
        checked += 1
        for move in [] if engine.over(state) else engine.legal(state):
            child = engine.apply(state, move)
            if child not in seen:
                seen.add(child)
                pending.append(child)
    return checked


@pytest.mark.parametrize("goal", [Goal.MAXIMISE, Goal.MINIMISE])
def test_states_of_a_puzzle(goal: Goal) -> None:
    position = at_sea(BAY)
    assert position.question is not None
    assert held(Problem(position.asked, position.root, evolve(position.question, goal=goal))) == 8


def test_cycles_do_no_harm() -> None:
    """The boat may row for ever: the values of all states are known all the same."""
    there = position("puzzle here:\n    rules here\n    left: 2\n    ask: maximise score until end\n", game_of(FERRY))
    assert there.question is not None
    assert held(Problem(there.asked, there.root, there.question)) >= 2


def test_distances_are_those_that_a_search_for_each_state_finds() -> None:
    there = CATALOGUE.position("sokoban_corner")
    question = there.question
    assert question is not None
    question = question_of(there.engine.game, parsed_goal("fewest moves until solved"))
    problem = ShortestPlanProblem(there.engine, there.state, question)
    distances = AllStates.of_problem(problem, 50_000)
    assert distances.complete
    engine, states = problem.engine, [problem.root]
    for state in islice(states, 20):
        found = UniformCostSearch(ShortestPlanProblem(engine, state, question), time.monotonic() + 20, Limits()).run()
        assert distances.of(state) == (None if found.score is None else -found.score)
        states += [] if engine.over(state) else [engine.apply(state, move) for move in engine.legal(state)]
    assert not AllStates.of_problem(problem, 5).complete


def test_too_many_states_have_no_values() -> None:
    position = at_sea(BAY)
    question = position.question
    assert isinstance(question, Question)
    values = AllStates.of_problem(Problem(position.asked, position.root, question), 100)
    assert not values.complete
    with pytest.raises(KeyError):
        values.of(position.root)
