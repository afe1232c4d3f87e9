"""The optimal plans beside the one found: a list of them, how many there are, and whether the key is unique.

The words are those of problem composers: the key is the first move of the solution, a cook another first move that solves the
problem too, a dual an equally good alternative to a later move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.budget import Limits
from rulewright.solver.result import Result

from .verified_plan import PlanStep, plan_steps

if TYPE_CHECKING:
    from rulewright.solver.search.optimal_dag import Uncounted
    from rulewright.solver.search.optimal_plans import Order, Uniqueness


@frozen
class Alternatives:
    """Move number `number` of the plan (from 1), and the moves that are as good in its place."""

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
    """Some of the optimal plans. `number` counts all: None where `uncounted` says why there is none; `order` says what the
    order of actions is to it."""

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
    engine: Engine, state: State, question: Question, optimum: Result, most: int, limits: Limits
) -> AlternativePlans:
    """What can be found within limits of the plans that reach the optimum; at most `most` are listed."""
    from rulewright.solver.answer.best_plans import best_plans_of

    goal = question.threshold if question.goal is Goal.REACH else optimum.score
    assert goal is not None
    found = best_plans_of(engine, state, question, goal, limits)
    listed = tuple(tuple(plan_steps(engine, state, other, question)) for other in found.first(most))
    uniqueness = found.uniqueness(optimum.plan)
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
