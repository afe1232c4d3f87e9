"""The optimal plans other than the one found: a list, their number, and whether the key is unique.

The words are those of problem composers: the key is the first move of the solution, a cook another first move that solves the
problem too, a dual an equally good alternative to a later move.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.base.choices import Engines
from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.result import Limits, Result

from .verified_plan import PlanStep, plan_steps

if TYPE_CHECKING:
    from rulewright.solver.plans.optimal_plans import Order, Uniqueness
    from rulewright.solver.plans.plan_graph import Uncounted


FIRST_LOOK = 1.5
"""In seconds: the time for counting plans as played, before counting them by orbits of states, and as sets of actions if
possible."""

SHARE = 0.5
"""The greatest share of the time for counting by orbits, and for sets of actions."""


@frozen
class Alternatives:
    """Move `number` of the plan (from 1), and the moves that are as good in its place."""

    number: int
    text: str
    others: tuple[str, ...]


@frozen
class KeyAndDuals:
    """The key with its cooks, and the later moves that have duals; `up_to_order` as in `Uniqueness`."""

    key: Alternatives
    duals: tuple[Alternatives, ...]
    up_to_order: bool

    @property
    def is_unique(self) -> bool:
        """Whether no other plan is optimal."""
        return not self.key.others and not self.duals


@frozen
class AlternativePlans:
    """Some of the optimal plans. `number` counts all: None if `uncounted` says why it is unknown; `order` says how the count
    treats the order of actions."""

    plans: tuple[tuple[PlanStep, ...], ...]
    number: int | None
    uncounted: Uncounted | None
    order: Order | None
    uniqueness: KeyAndDuals | None

    @property
    def is_complete(self) -> bool:
        """Whether every optimal plan is listed."""
        return self.number == len(self.plans)


def alternative_plans(
    engine: Engine, state: State, question: Question, optimum: Result, most: int, limits: Limits, is_unique: bool = False
) -> AlternativePlans:
    """The plans that reach the optimum, as far as found within limits; at most `most` are listed.

    Plans not counted quickly are counted by orbits of states, if none is to be listed, and as sets if the order of actions is
    free; neither if the question is whether the optimum `is_unique`.
    """
    from rulewright.solver.cpsat.order_free.from_question import may_be_sets
    from rulewright.solver.cpsat.process.standalone import counted_sets
    from rulewright.solver.plans.best_plans import best_plans_of, counted_by_orbits
    from rulewright.solver.plans.optimal_plans import Order
    from rulewright.solver.plans.plan_graph import Uncounted

    goal = question.threshold if question.goal is Goal.REACH else optimum.score
    assert goal is not None
    deadline = time.monotonic() + limits.seconds

    def within(seconds: float) -> Limits:
        return evolve(limits, seconds=min(seconds, max(deadline - time.monotonic(), 0.0)))

    seems_free = not is_unique and limits.engines is not Engines.SEARCH and may_be_sets(engine, state, question)
    is_number = not is_unique and not most
    is_first_look = seems_free or is_number
    found = None
    if limits.engines is not Engines.CPSAT or not seems_free:
        found = best_plans_of(engine, state, question, goal, within(FIRST_LOOK if is_first_look else limits.seconds))
    if is_number and found is not None and found.uncounted in (Uncounted.TIME_UP, Uncounted.NO_ROOM, Uncounted.TOO_MANY):
        counted = counted_by_orbits(engine, state, question, goal, within(SHARE * limits.seconds))
        if counted is not None:
            return AlternativePlans((), counted.number, None, counted.order, None)
    if seems_free and (found is None or found.number is None):
        sets = optimum.counted
        if sets is None or len(sets.plans) < min(most, sets.number):
            sets = counted_sets(engine, state, question, goal, most, within(SHARE * limits.seconds))
        if sets is not None:
            plans = tuple(tuple(plan_steps(engine, state, plan, question)) for plan in sets.plans[:most])
            return AlternativePlans(plans, sets.number, None, Order.MATTERS if sets.is_forced else Order.FREE, None)
    if found is None or (is_first_look and found.uncounted is Uncounted.TIME_UP):
        found = best_plans_of(engine, state, question, goal, within(limits.seconds))
    listed = tuple(tuple(plan_steps(engine, state, other, question)) for other in found.first(most))
    uniqueness = found.uniqueness(optimum.plan) if is_unique else None
    written = None if uniqueness is None else _written(engine, state, optimum.plan, uniqueness)
    return AlternativePlans(listed, found.number, found.uncounted, found.order, written)


def _written(engine: Engine, state: State, plan: Sequence[Move], uniqueness: Uniqueness) -> KeyAndDuals:
    alternatives: list[Alternatives] = []
    for index, move in enumerate(plan):
        moves = uniqueness.cooks if index == 0 else [dual.move for dual in uniqueness.duals if dual.index == index]
        others = tuple(format_move(engine, state, other) for other in moves)
        alternatives.append(Alternatives(index + 1, format_move(engine, state, move), others))
        state = engine.apply(state, move)
    key, *later = alternatives
    return KeyAndDuals(key, tuple(move for move in later if move.others), uniqueness.up_to_order)
