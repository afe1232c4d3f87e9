"""A question about a position as an optimisation problem: root, objective, bound, dominance.

Each fact is derived once, on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from operator import itemgetter
from typing import Any

from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.base.records import define
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.analysis.dominance import earned
from rulewright.rules.analysis.reachable_states import BoardSums, ReachableStates
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import COUNTED, OVER, POINT, SEED, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.abstract_values import HUGE
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.static.resources import resources_of
from rulewright.solver.best.bounds.covering_bound import covering_bound
from rulewright.solver.best.bounds.gain_bound import gain_bound
from rulewright.solver.best.bounds.isoperimetric_bound import isoperimetric_bound
from rulewright.solver.best.bounds.monotone_bound import monotone_bound
from rulewright.solver.best.bounds.movement_rules import MovementRules, movement_rules
from rulewright.solver.best.bounds.upper_bound import MinimumBound, UpperBound


def tightest_bound(problem: Problem) -> UpperBound | None:
    """The lower of the covering and isoperimetric bounds if the objective has either; else the monotone bound, or the gain
    bound if it is lower at the root."""
    states, objective = problem.reachable, problem.board_sums
    bounds = (covering_bound(states, objective), isoperimetric_bound(states, objective)) if objective is not None else ()
    match [bound for bound in bounds if bound is not None]:
        case []:
            monotone = monotone_bound(states, problem.question.values, problem.sign)
            gains = gain_bound(states, problem.question.values, problem.sign, problem.value)
            if gains is None or monotone is None or monotone.bound(problem.root) <= gains.bound(problem.root):
                return monotone or gains
            return gains
        case [bound]:
            return bound
        case found:
            return MinimumBound(*found)


def key_of(engine: Engine, names: Collection[str], counts: bool, uses_chance: bool) -> Callable[[State], Any]:
    """A function that gives the part of a state by which it is told apart: where play stands, these variables, the count of the
    horizon if it `counts`, and the seed if it `uses_chance`."""
    kept = [POINT, *([COUNTED] if counts else []), *([SEED] if uses_chance else [])]
    for name, column in engine.layout.columns.items():
        if name in names:
            kept += range(column.start, column.start + column.count)
    return itemgetter(*kept) if len(kept) > 1 else itemgetter(POINT)


def no_bound(problem: Problem) -> None:
    """No bound, for searches where computing one costs more than it saves."""


@define(eq=False)
class Problem:
    """A state space with an objective to maximise; `sign` is -1 if the question minimises.

    `bound_by` derives the admissible bound, if there is one.
    """

    engine: Engine
    root: State
    question: Question
    bound_by: Callable[[Problem], UpperBound | None] = tightest_bound
    hash_key: HashKey = PROCESS_KEY

    def __attrs_post_init__(self) -> None:
        assert self.question.until is None, "a shortest plan is a problem of another kind"

    @property
    def sign(self) -> int:
        return -1 if self.question.goal is Goal.MINIMISE else 1

    @cached_property
    def analysis(self) -> DataflowAnalysis:
        """The data flow of the game, as far as the question depends on it."""
        return DataflowAnalysis(self.engine, self.question.values, self.root)

    @cached_property
    def reachable(self) -> ReachableStates:
        """Facts about the states reachable from the root."""
        return ReachableStates(self.engine, self.analysis, self.root)

    @cached_property
    def bound(self) -> UpperBound | None:
        return self.bound_by(self)

    @cached_property
    def board_sums(self) -> BoardSums | None:
        """The question as sums over the cells of one board on which tiles are only laid; None for other questions."""
        return self.reachable.board_sums(self.question.values) if self.sign > 0 else None

    @cached_property
    def movement(self) -> MovementRules | None:
        """Where markers may move on the board that the question sums over; None if unknown."""
        return None if self.board_sums is None else movement_rules(self.reachable, self.board_sums.board)

    @cached_property
    def value(self) -> Callable[[State], int]:
        """The objective of a state."""
        engine, values, sign = self.engine, self.question.values, self.sign
        scores = {score.value: compiled for score, compiled in zip(engine.game.scores, engine.scores, strict=True)}
        functions = [scores.get(value) or engine.compile_value(value) for value in values]
        if len(functions) == 1 and sign > 0:
            return functions[0]
        return lambda state: sign * sum(function(state) for function in functions)

    @cached_property
    def resources(self) -> dict[str, bool]:
        """The variables of which more (True) or less (False) is never worse: those that only enable moves, and earnings."""
        return {**resources_of(self.analysis), **earned(self.analysis, self.question.values, self.sign)}

    @cached_property
    def key(self) -> Callable[[State], Any]:
        """The part of a state that identifies it in a transposition table: all live variables except the resources."""
        telling = self.analysis.live_variables - self.resources.keys()
        return key_of(self.engine, telling, self.engine.horizon is not None, self.analysis.uses_chance)

    @cached_property
    def spent(self) -> Callable[[State], tuple[int, ...]]:
        """The resources left in a state: of two states with the same key, one with no less of each dominates."""
        resources = self.resources
        signed = [
            (1 if resources[name] else -1, at)
            for name, column in self.engine.layout.columns.items()
            if name in resources
            for at in range(column.start, column.start + column.count)
        ]
        return lambda state: tuple([sign * state[at] for sign, at in signed])

    @cached_property
    def most(self) -> int | None:
        """The bound at the root; None if there is none."""
        found = HUGE if self.bound is None else self.bound.bound(self.root)
        return found if found < HUGE // 2 else None

    @property
    def enough(self) -> int | None:
        """The value at which a search may stop: the threshold, or the bound at the root."""
        return self.question.threshold if self.question.goal is Goal.REACH else self.most

    def signed(self, value: int | None) -> int | None:
        """A value as the question counts it."""
        return None if value is None else self.sign * value

    def accepts(self, plan: tuple[Move, ...], value: int) -> bool:
        """Whether each move of the plan is legal and the game then ends with that value."""
        state = self.root
        for move in plan:
            if state[POINT] == OVER or move not in self.engine.legal(state):
                return False
            state = self.engine.apply(state, move)
        return state[POINT] == OVER and self.value(state) == value
