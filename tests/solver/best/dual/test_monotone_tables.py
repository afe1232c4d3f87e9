"""What the rules only raise or lower, as a table for the kernels: the same bound at every state, and a search cut by it."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.play.engine import Engine
from rulewright.solver.best.bounds.monotone_bound import MonotoneBound
from rulewright.solver.best.dual import dual_bound
from rulewright.solver.best.dual.arena import BoundMode
from rulewright.solver.best.kernel_problem import ENTRIES, KernelProblem, SharedState
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import Status
from rulewright.subset.program import as_python
from tests.expressions import parse_expression
from tests.rules.playing import linked
from tests.solver.asking import by_kernels
from tests.solver.exhaustive import enumerate_all

CANDLE = """
module candle:
    "Coins are won as long as the candle burns; purses are shut for ever."

players 1
enum purse: left, right

state:
    wax:            0..6 = 6
    coins:          0..9
    open of purse:  truth = yes
    mood:           0..3

define burning = wax >= 2
define moody = mood >= 2

procedure nothing:
    calm: mood := 0

flow:
    nothing
    for player in players:
        repeat: choose win, shut, sulk, or stop

action win(p in purse):
    require burns: wax >= 2 else "dark"
    require opened: open of p else "shut"
    effect gain: coins := min(9, coins + 1 + mood)
    effect burn: wax -= 2

action shut(p in purse):
    require opened: open of p else "shut"
    effect done: open of p := no

action sulk:
    require burns: wax >= 1 else "dark"
    effect burn: wax -= 1
    effect mood: mood := if mood < 3 then mood + 1 else 0

score coins: coins
"""
ASKED = {
    (Goal.MAXIMISE, "10 * wax + coins"),
    (Goal.MAXIMISE, "(if open of left then 5 else 0) + wax + mood"),
    (Goal.MAXIMISE, "(if burning then 10 * wax else 0) + (if moody then coins else 2)"),
    (Goal.MINIMISE, "if open of right then 7 + mood else 6 - wax"),
}


@pytest.mark.parametrize(("goal", "asked"), sorted(ASKED, key=str))
def test_the_same_bound_everywhere(goal: Goal, asked: str) -> None:
    engine = Engine.of(linked(CANDLE), 1)
    root = engine.start(1)
    question = Question(goal, (resolve_question(engine.game, parse_expression(asked, "here")),))
    problem = Problem(engine, root, question)
    assert isinstance(problem.bound, MonotoneBound)
    kernels = KernelProblem.of(problem, entries=(*ENTRIES, "upper_bound"))
    assert kernels.derived.bound.get("mode") == BoundMode.TABLE
    worker, board, dice, seen = (
        kernels.worker(kernels.game.machine(kernels.game.program(as_python))),
        SharedState.of(1, 1, 0, 0),
        random.Random(3),
        set(),
    )
    machine, context = worker.machine, worker.context(board.cache, board.words)
    for _ in range(40):
        state = root
        while not engine.over(state):
            state = engine.apply(state, dice.choice(engine.legal(state)))
            machine.load(state)
            assert machine.program.upper_bound(context, dual_bound.SWEEPS, 1) == problem.bound.bound(state)
            uncached = evolve(problem.bound, states=evolve(problem.reachable), known={})
            assert uncached.bound(state) == problem.bound.bound(state)
            seen.add(problem.bound.bound(state))
    assert len(seen) > 3


@pytest.mark.parametrize(("goal", "asked"), sorted(ASKED, key=str))
def test_the_answer_is_what_enumeration_finds(goal: Goal, asked: str) -> None:
    engine = Engine.of(linked(CANDLE), 1)
    root = engine.start(1)
    question = Question(goal, (resolve_question(engine.game, parse_expression(asked, "here")),))
    found = by_kernels(Problem(engine, root, question))
    best = max if goal is Goal.MAXIMISE else min
    assert found.score == enumerate_all(engine, root, lambda state: engine.value(question.values[0], state), best)
    everything = by_kernels(Problem(engine, root, question, lambda _: None))
    assert everything.status is Status.OPTIMAL and found.states < everything.states
