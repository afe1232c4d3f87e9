"""A question about a position as an optimisation problem: root, objective, bound, dominance.

Each fact is derived once, on first use.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.base.records import define, frozen
from rulewright.rules.model.state import OVER, POINT, Move, State
from rulewright.solver.inquiry import Inquiry, Made, key_of
from rulewright.solver.result import Incumbent, Result, Status
from rulewright.subset.bundles import TableBuilder

if TYPE_CHECKING:
    from rulewright.rules.analysis.reachable_states import BoardSums, ReachableStates
    from rulewright.solver.best.bounds.movement_rules import MovementRules
    from rulewright.solver.best.bounds.upper_bound import UpperBound


def tightest_bound(problem: Problem) -> UpperBound | None:
    """The lower of the covering and isoperimetric bounds if the objective has either; else the monotone bound, or the gain
    bound if it is lower at the root."""
    # Imported when needed, as all that is derived here: most questions were asked before.
    from rulewright.solver.best.bounds.covering_bound import covering_bound
    from rulewright.solver.best.bounds.gain_bound import gain_bound
    from rulewright.solver.best.bounds.isoperimetric_bound import isoperimetric_bound
    from rulewright.solver.best.bounds.monotone_bound import monotone_bound
    from rulewright.solver.best.bounds.upper_bound import MinimumBound

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


@frozen
class KernelTables:
    """What is derived of a problem for its kernels: the bound at the root, the variables that tell states apart, whether play
    `uses_chance`, the tables of the bound and, but for random words, of the search, and the number of `cells` of its board."""

    most: int | None
    telling: frozenset[str]
    uses_chance: bool
    bound: TableBuilder
    search: TableBuilder
    cells: int


@define(eq=False)
class Problem(Inquiry):
    """A question for the greatest value at an end. `bound_by` derives the admissible bound, if there is one."""

    bound_by: Callable[[Problem], UpperBound | None] = tightest_bound
    hash_key: HashKey = PROCESS_KEY

    def __attrs_post_init__(self) -> None:
        assert self.question.until is None, "a shortest plan is a problem of another kind"

    def kept(self, what: str, make: Callable[[], Made]) -> Made:
        return super().kept(what, make) if self.bound_by is tightest_bound else make()

    @cached_property
    def reachable(self) -> ReachableStates:
        """Facts about the states reachable from the root."""
        from rulewright.rules.analysis.reachable_states import ReachableStates

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
        from rulewright.solver.best.bounds.movement_rules import movement_rules

        return None if self.board_sums is None else movement_rules(self.reachable, self.board_sums.board)

    @cached_property
    def resources(self) -> dict[str, bool]:
        """The variables of which more (True) or less (False) is never worse: those that only enable moves, and earnings."""
        from rulewright.rules.analysis.dominance import earned
        from rulewright.rules.static.resources import resources_of

        return {**resources_of(self.analysis), **earned(self.analysis, self.question.values, self.sign)}

    @property
    def kept_variables(self) -> frozenset[str]:
        """The variables that tell states apart in a transposition table: all but the resources."""
        return self.telling_variables - self.resources.keys()

    @cached_property
    def key(self) -> Callable[[State], Any]:
        return key_of(self.engine, self.kept_variables, self.counts, self.analysis.uses_chance)

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
        """The bound at the root; None if there is none. Kernels may lower it (`bound` of a `ParallelSearch`)."""
        from rulewright.rules.static.abstract_values import HUGE

        found = HUGE if self.bound is None else self.bound.bound(self.root)
        return found if found < HUGE // 2 else None

    @property
    def enough(self) -> int | None:
        """The value at which a search may stop: the threshold, or the bound at the root."""
        return self.most if self.threshold is None else self.threshold

    def accepts(self, plan: tuple[Move, ...], value: int) -> bool:
        """Whether each move of the plan is legal and the game then ends with that value."""
        state = self.root
        for move in plan:
            if state[POINT] == OVER or move not in self.engine.legal(state):
                return False
            state = self.engine.apply(state, move)
        return state[POINT] == OVER and self.value(state) == value


def result_of(problem: Problem, found: Incumbent, bound: int | None, states: int, began: float, is_exhausted: bool) -> Result:
    """The answer of a search that began at a `time.monotonic` time; `is_exhausted`: every state that can matter was searched.

    Raises `RulesError` RW331 if an exhausted search found no end of the game.
    """
    threshold, seconds = problem.threshold, time.monotonic() - began
    if problem.root[POINT] == OVER:
        found = Incumbent(problem.value(problem.root))
    score = problem.signed(found.value)
    if not is_exhausted:
        status = Status.UNKNOWN if score is None else Status.FEASIBLE
        return Result(status, score, problem.signed(bound), found.plan, states, seconds)
    if threshold is not None and (score is None or score < threshold):
        return Result(Status.IMPOSSIBLE, None, threshold - 1, (), states, seconds, "search")
    if score is None:
        from rulewright.rules.analysis.ends import end_unreachable

        raise end_unreachable(problem.question)
    best = score if threshold is None else threshold
    return Result(Status.OPTIMAL, score, best, found.plan, states, seconds, "search")
