"""All best plans, held against plain enumeration of every line of play and every exchange of neighbours."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import islice
from math import factorial

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.problem import Problem
from rulewright.solver.plans.optimal_plans import BestPlans, Order, best_plans
from rulewright.solver.plans.plan_recorder import PlanRecorder
from rulewright.solver.result import OTHERWISE_MIB, Limits
from tests.rules.playing import linked, shipped
from tests.solver.asking import engine_and_state, random_puzzle
from tests.solver.best.test_fallback import RACE

Plan = tuple[Move, ...]

BUTTONS = """
module buttons:
    "Three buttons that each want pressing, one of them twice."

enum colour: red, green, blue

state:
    pressed of colour: 0..2
    presses: 0..9

action press(button in colour):
    require fresh: pressed of button < (if button = red then 2 else 1) else "that one is down"
    effect down: pressed of button += 1
    effect tick: presses += 1

flow:
    repeat: choose press, or stop

score down: sum pressed of c for c in colour
"""

ROUND = """
module round:
    "A lamp that can be put on and off again for ever."

state:
    lit: truth
    marks: 0..2

action flip:
    require room: lit or not lit else "never said"
    effect turn: lit := not lit

action mark:
    require room: marks < 2 else "no room"
    effect note: marks += 1

flow:
    repeat: choose flip, mark, or stop

score marks: marks
"""


MANY = 3_000
"""Lines of play beyond which they are not written out."""


def every_plan(engine: Engine, state: State) -> Iterator[tuple[Plan, State]]:
    """Every line of play to its end."""
    pending: list[tuple[Plan, State]] = [((), state)]
    while pending:
        plan, here = pending.pop()
        if engine.over(here):
            yield plan, here
        pending += [((*plan, move), engine.apply(here, move)) for move in engine.legal(here)]


def exchanged(engine: Engine, state: State, plan: Plan, same: Callable[[State], object]) -> Iterator[Plan]:
    """The plans with two neighbours exchanged that can be played and lead to the same state."""
    for at in range(len(plan) - 1):
        one, other = plan[at : at + 2]
        if other in engine.legal(state):
            turned = engine.apply(state, other)
            if one in engine.legal(turned) and one != other:
                straight = engine.apply(engine.apply(state, one), other)
                if same(engine.apply(turned, one)) == same(straight):
                    yield (*plan[:at], other, one, *plan[at + 2 :])
        state = engine.apply(state, plan[at])


def lots(engine: Engine, state: State, goal: Callable[[State], bool], same: Callable[[State], object]) -> list[set[Plan]]:
    """The plans that reach the goal, those together that exchanges turn into each other."""
    left = {plan for plan, end in every_plan(engine, state) if goal(end)}
    found: list[set[Plan]] = []
    while left:
        pending = [left.pop()]
        lot = set(pending)
        while pending:
            for other in exchanged(engine, state, pending.pop(), same):
                if other in left:
                    left.discard(other)
                    lot.add(other)
                    pending.append(other)
        found.append(lot)
    return found


def asked(engine: Engine, state: State, goal: int, kind: Goal = Goal.MAXIMISE) -> BestPlans:
    return best_plans(problem_of(engine, state, goal, kind), goal, Limits(60))


def problem_of(engine: Engine, state: State, goal: int, kind: Goal) -> Problem:
    values = tuple(score.value for score in engine.game.scores)
    return Problem(engine, state, Question(kind, values, goal if kind is Goal.REACH else 0))


def recorded(engine: Engine, state: State, goal: int, kind: Goal = Goal.MAXIMISE) -> BestPlans:
    """The same by the kernel, which begins as plain Python and is compiled here before it has come far."""
    limits = Limits(60)
    graph = PlanRecorder(problem_of(engine, state, goal, kind), goal, limits).graph()
    return BestPlans.of(graph, time.monotonic() + 60, limits)


def agree(engine: Engine, state: State, goal: int, kind: Goal = Goal.MAXIMISE, unread: tuple[str, ...] = ()) -> None:
    """The number of plans, each found plan from another lot, and what is said of the key and of each dual."""
    columns = {engine.layout.columns[name].start for name in unread}

    def same(state: State) -> object:
        return tuple(column for at, column in enumerate(state) if at not in columns)

    as_good = (lambda end: engine.score(end) <= goal) if kind is Goal.MINIMISE else lambda end: engine.score(end) >= goal
    expected = lots(engine, state, as_good, same)
    found, by_kernel = asked(engine, state, goal, kind), recorded(engine, state, goal, kind)
    assert found.complete and not found.endless and by_kernel.complete and not by_kernel.endless
    assert found.number == by_kernel.number == len(expected) and found.order is by_kernel.order
    plans = found.first(10_000)
    assert plans == by_kernel.first(10_000)
    in_any_order = {len(lot) == factorial(len(plan)) for lot in expected for plan in list(lot)[:1]} <= {True}
    if found.order is not None and expected:
        assert (found.order is Order.MATTERS) == all(len(lot) == 1 for lot in expected)
        assert found.order is not Order.FREE or in_any_order
    assert [sum(plan in lot for plan in plans) for lot in expected] == [1] * len(expected)
    assert all(plan == min(lot, key=lambda p: listed(engine, state, p)) for lot in expected for plan in plans if plan in lot)
    for plan in plans[:5]:
        uniqueness = found.uniqueness(plan)
        assert uniqueness is not None and uniqueness.up_to_order
        cooks = [lot for lot in expected if not any(other[0] == plan[0] for other in lot)]
        assert bool(uniqueness.cooks) == bool(cooks)
        assert all(any(other[0] == cook for lot in cooks for other in lot) for cook in uniqueness.cooks)
        assert bool(uniqueness.cooks or uniqueness.duals) == (len(expected) > 1)


def listed(engine: Engine, state: State, plan: Plan) -> list[int]:
    """The places of a plan's actions in the lists of legal moves."""
    found = []
    for move in plan:
        found.append(engine.legal(state).index(move))
        state = engine.apply(state, move)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_best_plans_of_random_positions(seed: int) -> None:
    _random_position(seed, 1 + seed % 2)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(200))
def test_best_plans_of_random_positions_at_length(seed: int) -> None:
    _random_position(1000 + seed, 1 + seed % 3)


def _random_position(seed: int, coming: int) -> None:
    text, _ = random_puzzle(random.Random(seed), 1 + seed % 2, coming)
    engine, state = engine_and_state(text, shipped("beacon_patrol"))
    scores = [engine.score(end) for _, end in islice(every_plan(engine, state), MANY)]
    if len(scores) == MANY:
        return
    best = max(scores)
    agree(engine, state, best, unread=("discarded",))
    if scores.count(best - 1) < MANY // 10:
        agree(engine, state, best - 1, Goal.REACH, unread=("discarded",))


def test_the_least_and_players_by_turns() -> None:
    engine = Engine.of(linked(RACE), 2)
    state = engine.start()
    scores = [engine.score(end) for _, end in every_plan(engine, state)]
    agree(engine, state, max(scores))
    agree(engine, state, min(scores), Goal.MINIMISE)


def test_orders_of_independent_actions_are_one_plan() -> None:
    engine = Engine.of(linked(BUTTONS), 1)
    state = engine.start()
    found = asked(engine, state, 4)
    assert (found.number, len(found.first(50))) == (1, 1)
    assert len([plan for plan, end in every_plan(engine, state) if engine.score(end) == 4]) == 12
    uniqueness = found.uniqueness(found.first(1)[0])
    assert uniqueness is not None and not uniqueness.cooks and not uniqueness.duals


def test_a_plan_may_come_back_to_where_it_was() -> None:
    engine = Engine.of(linked(ROUND), 1)
    found = asked(engine, engine.start(), 2)
    assert found.endless and found.complete and found.number is None
    plans = found.first(100)
    assert len(set(plans)) == len(plans) == 2
    for plan in plans:
        state, seen = engine.start(), {engine.start()}
        for move in plan:
            state = engine.apply(state, move)
            assert state not in seen
            seen.add(state)
        assert engine.score(state) == 2
    uniqueness = found.uniqueness(plans[0])
    assert uniqueness is not None and not uniqueness.up_to_order and uniqueness.cooks


def test_when_the_time_is_up_nothing_is_claimed() -> None:
    text, _ = random_puzzle(random.Random(5), 1, 6)
    engine, state = engine_and_state(text, shipped("beacon_patrol"))
    values = tuple(score.value for score in engine.game.scores)
    found = best_plans(Problem(engine, state, Question(Goal.MAXIMISE, values)), 0, Limits(0.05))
    assert not found.complete and found.number is None and found.uniqueness(((-1,),)) is None


def test_when_there_is_no_room_nothing_is_claimed() -> None:
    text, _ = random_puzzle(random.Random(5), 1, 6)
    engine, state = engine_and_state(text, shipped("beacon_patrol"))
    question = Question(Goal.MAXIMISE, tuple(score.value for score in engine.game.scores))
    found = best_plans(Problem(engine, state, question), 0, Limits(60, memory_mib=OTHERWISE_MIB + 2))
    assert not found.complete and found.number is None and found.uniqueness(((-1,),)) is None


def test_a_position_that_is_over_has_the_empty_plan() -> None:
    engine = Engine.of(linked(BUTTONS), 1)
    over = engine.apply(engine.start(), (-1,))
    found = asked(engine, over, 0)
    assert (found.complete, found.number, found.first(5)) == (True, 1, [()])
    assert asked(engine, over, 1).number == 0
