"""Models without time against plain enumeration, on random games; what is exact needs no second look at an order."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.order_free.from_question import SetPlans, order_free_model
from rulewright.solver.cpsat.process.job import WorkerStatus
from tests.rules.playing import linked
from tests.solver.cpsat.order_free.random_games import random_game
from tests.solver.cpsat.running import solved_here
from tests.solver.exhaustive import all_ends
from tests.solver.shortest.questions import asked, least

MOST_STATES = 5_000


def position_of(seed: int) -> Position | None:
    """A random position; None where the rules have an error."""
    text, ask = random_game(random.Random(seed))
    try:
        return asked(linked(text), ask)
    except RulesError as error:
        assert {found.code for found in error.diagnostics} <= {"RW331", "RW333"}, (text, error)
        return None


def truth_of(position: Position) -> int | None:
    """The value that answers the question, None where there is no plan."""
    engine, state, question = position.asked, position.root, position.question
    assert question is not None
    if question.goal is Goal.LEAST:
        return least(engine, state, question)
    ends = all_ends(engine, state)
    assert ends is not None
    values = [sum(engine.value(term, end) for term in question.values) for end in ends]
    if question.goal is Goal.REACH:
        return question.threshold if any(value >= question.threshold for value in values) else None
    return (min if question.goal is Goal.MINIMISE else max)(values, default=None)


def agreement(seed: int) -> str:
    """What came of a random game: refused, skipped, or that it agrees; raises AssertionError where it does not."""
    position = position_of(seed)
    if position is None or position.engine.over(position.root):
        return "skipped"
    return agreement_on(position, "\n".join(random_game(random.Random(seed))))


def agreement_on(position: Position, text: str) -> str:
    """The same of a position."""
    engine, question = position.asked, position.question
    assert question is not None
    try:
        model = order_free_model(engine, position.root, question)
    except Refused:
        return "refused"
    try:
        if all_ends(engine, position.root, MOST_STATES) is None:
            return "large"
        expected = truth_of(position)
    except (PlayError, RulesError):
        return "stops"
    floor = question.threshold if question.goal is Goal.REACH else None
    found = solved_here(model, engine, position.root, question, floor)
    assert isinstance(model.reader, SetPlans)
    assert None not in model.reader._plans.values() or not model.reader.actions.is_exact, text
    if expected is None:
        assert (found.status, found.plan) == (WorkerStatus.INFEASIBLE, None), text
        return "no plan"
    assert found.plan is not None, (found, expected, text)
    sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
    assert _cost_or_value(engine, position.root, question, found.plan) == sign * (found.value or 0), text
    if question.goal is Goal.REACH:
        assert found.value is not None and found.value >= expected, text
    else:
        assert (found.status, sign * (found.value or 0)) == (WorkerStatus.OPTIMAL, expected), (found, expected, text)
    return "agrees"


def _cost_or_value(engine: Engine, state: State, question, plan) -> int:  # type: ignore[no-untyped-def]
    """What a plan comes to, each move of it legal."""
    engine = engine.counting_turns(state)
    for move in plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    if question.until is None:
        assert engine.over(state)
    else:
        assert engine.value(question.until, state)
    if question.counts_moves or question.counts_turns:
        return len(plan)
    return sum(engine.value(value, state) for value in question.values)


def test_random_games() -> None:
    came = Counter(agreement(seed) for seed in range(60))
    assert came["agrees"] + came["no plan"] >= 15 and came["refused"] >= 5, came


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1000, 5000, 200))
def test_random_games_at_length(first: int) -> None:
    came = Counter(agreement(seed) for seed in range(first, first + 200))
    assert came["agrees"] >= 30, came
