"""Shortest plans: the problem, and uniform-cost search (Dijkstra 1959) over immutable states where the kernel cannot run.

A plan is a sequence of moves after which a condition holds, at a choice or at the end of the game. Its cost is a number of
moves, of turns begun, or an expression that no move lowers. A dead end where the condition does not hold is not a goal.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import IntEnum
from functools import cached_property
from heapq import heappop, heappush
from typing import Any

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.base.records import define, field
from rulewright.rules.analysis.dominance import CostCounters, MonotoneVariables
from rulewright.rules.analysis.region_markers import RegionMarkers
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import terms, types
from rulewright.rules.model.state import COUNTED, Move
from rulewright.rules.play.engine import State
from rulewright.rules.static.dataflow import reads
from rulewright.rules.static.resources import rises
from rulewright.solver.inquiry import Inquiry
from rulewright.solver.result import LISTENING, Limits, Listener, Result, Status


class CostOf(IntEnum):
    """The cost of a plan: its moves, the turns it begins, or the value of an expression at its end."""

    MOVES = 0
    TURNS = 1
    VALUE = 2


@define(eq=False)
class ShortestPlanProblem(Inquiry):
    """A question for the least cost at which a condition holds. Raises `RulesError` RW333 if a move may lower the cost."""

    hash_key: HashKey = PROCESS_KEY

    def __attrs_post_init__(self) -> None:
        values, game = self.question.values, self.engine.game
        if values:
            monotone = MonotoneVariables.of(self.engine, self.analysis)
            onward: dict[bool | None, frozenset[str]] = {True: monotone.never_lowered, False: monotone.never_raised}
            for value in values:
                for name in reads(game, value) & self.analysis.changing_variables:
                    if name not in onward.get(rises(game, value, name), frozenset()):
                        raise _may_fall(self.question)

    @property
    def until(self) -> terms.Term:
        """The condition."""
        assert self.question.until is not None
        return self.question.until

    @property
    def cost_of(self) -> CostOf:
        if self.question.counts_moves:
            return CostOf.MOVES
        return CostOf.TURNS if self.question.counts_turns else CostOf.VALUE

    @cached_property
    def reached(self) -> Callable[[State], int]:
        """Whether the condition holds in a state."""
        return self.engine.compile_value(truth_value(self.until))

    @cached_property
    def cost_after(self) -> Callable[[int, State, State], int]:
        """The cost of a child, given its parent's cost, the parent and the child."""
        match self.cost_of:
            case CostOf.MOVES:
                return lambda cost, parent, child: cost + 1
            case CostOf.TURNS:
                return lambda cost, parent, child: int(parent[COUNTED]) + 1
            case CostOf.VALUE:
                values = [self.engine.compile_value(value) for value in self.question.values]
                return lambda cost, parent, child: sum(value(child) for value in values)

    @property
    def root_cost(self) -> int:
        """The cost of the empty plan."""
        return self.cost_after(-1, self.root, self.root) if self.cost_of is CostOf.VALUE else 0

    @property
    def least_step(self) -> int:
        """The least amount by which every move raises the cost."""
        return 1 if self.cost_of is CostOf.MOVES else 0

    @property
    def counts(self) -> bool:
        """The cost has the count."""
        return False

    @cached_property
    def telling_variables(self) -> frozenset[str]:
        """Without counters that follow from the cost: of two states told apart by nothing else, the cheaper is as good."""
        return self.analysis.live_variables - CostCounters(self.engine, self.question, self.analysis).names

    @cached_property
    def region_markers(self) -> RegionMarkers:
        """The markers of which only the region matters."""
        return RegionMarkers.of(self.analysis, self.question.terms)

    def result(self, plan: tuple[Move, ...] | None, cost: int | None, bound: int | None, states: int, seconds: float) -> Result:
        """The answer: `bound` is the least cost of any plan not found, None if there is no other plan."""
        if plan is None and bound is None:
            return Result(Status.IMPOSSIBLE, None, None, (), states, seconds, "search")
        if plan is None:
            return Result(Status.UNKNOWN, None, bound, (), states, seconds)
        assert cost is not None
        proved = bound is None or bound >= cost
        status = Status.OPTIMAL if proved else Status.FEASIBLE
        return Result(status, cost, cost if proved else bound, plan, states, seconds, "search" if proved else "")


def truth_value(condition: terms.Term) -> terms.Term:
    """1 if a condition holds, else 0."""
    number = types.Number()
    return terms.If(condition, terms.Constant(1, type=number), terms.Constant(0, type=number), type=number, span=condition.span)


def _may_fall(question: Question) -> RulesError:
    message = "cannot prove that no move lowers the cost"
    help = "ask for `fewest moves until …`, or for a cost made of counters that the rules only raise"
    return RulesError((Diagnostic("RW333", message, (Label(question.span),), help),))


@define(eq=False)
class UniformCostSearch:
    """A search, in order of cost, until `time.monotonic()` reaches the deadline."""

    problem: ShortestPlanProblem
    deadline: float
    limits: Limits
    listener: Listener = Listener()
    began: float = field(factory=time.monotonic)

    def run(self) -> Result:
        """The answer. Raises `PlayError` if the rules stop a game."""
        problem, engine = self.problem, self.problem.engine
        root_cost, key = problem.root_cost, problem.key(problem.root)
        if problem.reached(problem.root):
            return problem.result((), root_cost, None, 1, time.monotonic() - self.began)
        costs: dict[Any, int] = {key: root_cost}
        back: dict[Any, tuple[Any, Move]] = {}
        queue: list[tuple[int, int, State]] = [] if engine.over(problem.root) else [(root_cost, 0, problem.root)]
        found: tuple[int, Any, Move] | None = None
        pushed = expanded = bound = 0

        def result(is_open: bool) -> Result:
            plan = None
            if found is not None:
                plan, at = [found[2]], found[1]
                while at in back:
                    at, move = back[at]
                    plan.insert(0, move)
            left = bound + problem.least_step if is_open else None
            seconds = time.monotonic() - self.began
            return problem.result(
                None if plan is None else tuple(plan), None if found is None else found[0], left, len(costs), seconds
            )

        self.listener.on_stop(lambda: result(is_open=True))
        while queue:
            bound, _, state = queue[0]
            if found is not None and found[0] <= bound + problem.least_step:
                break
            if expanded % LISTENING == 0 and self._is_over(found, bound, len(costs)):
                return result(is_open=True)
            heappop(queue)
            parent = problem.key(state)
            if costs[parent] < bound:
                continue
            expanded += 1
            for move in engine.legal(state):
                child = engine.apply(state, move)
                cost = problem.cost_after(bound, state, child)
                if found is not None and cost >= found[0]:
                    continue
                if problem.reached(child):
                    found = (cost, parent, move)
                elif not engine.over(child) and cost < costs.get(key := problem.key(child), cost + 1):
                    pushed += 1
                    costs[key], back[key] = cost, (parent, move)
                    heappush(queue, (cost, pushed, child))
        return result(is_open=False)

    def _is_over(self, found: tuple[int, Any, Move] | None, bound: int, states: int) -> bool:
        self.listener.progress(None if found is None else found[0], bound, states)
        if self.listener.is_settled(None if found is None else -found[0]):
            return True
        return time.monotonic() > self.deadline or states > self.limits.states_of()
