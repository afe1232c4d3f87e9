"""All optimal plans up to the order of commuting actions (Mazurkiewicz traces, 1977): count, list, uniqueness.

Two adjacent actions of a plan commute when both orders are legal and lead to the same state, up to what can no longer matter.
Plans that such exchanges turn into each other form one trace, shown by its lexicographically first plan.

The traces of a state are composed from those of its successors by union-find: equivalent plans stay equivalent with the same
action put first, and the two orders of commuting actions before the same plan are equivalent. No other plans are.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import islice
from math import factorial

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.model.state import Move
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import Limits

from .plan_graph import Node, PlanGraph, Refutes, Uncounted, never, plan_graph

TRACE_BYTES = 200
"""Approximate memory of a trace, in bytes."""


@define(eq=False)
class _Traces:
    """The traces of a state, numbered from 0.

    `first` holds for each trace the first move of its first plan, and the number of the remaining trace in the state after it;
    `joined[move]` maps each trace of the state after the move to the trace it belongs to here.
    """

    number: int
    first: list[tuple[Move, int]]
    joined: dict[Move, array[int]]


class _TooMany(Exception):
    def __init__(self, why: Uncounted) -> None:
        super().__init__(why)
        self.why = why


class Order(Enum):
    """What the order of actions means for plans: it matters, never matters, or does not matter where actions commute."""

    MATTERS = "sequences"
    FREE = "sets"
    PARTLY = "up to order"


@frozen
class Dual:
    """An action that keeps the optimum in place of action number `index` (from 0) of the plan."""

    index: int
    move: Move


@frozen
class Uniqueness:
    """In the terms of problem composers, the key is the first action of the plan, a cook another first action that keeps the
    optimum, a dual another later action that does.

    With `up_to_order`, reorderings of the same trace count as neither; else every other action counts.
    """

    key: Move
    cooks: tuple[Move, ...]
    duals: tuple[Dual, ...]
    up_to_order: bool = True


@define(eq=False)
class BestPlans:
    """The plans from a state that are worth a goal.

    `complete` says that none is missing; `endless` that some revisit a state, so that there are infinitely many.
    """

    _graph: PlanGraph
    _deadline: float
    _most_traces: int
    """Limit on the traces of all states together; beyond it plans are not counted."""

    _traces: dict[int, _Traces] = field(factory=dict)
    _gap: Uncounted | None = None

    @classmethod
    def of(cls, graph: PlanGraph, deadline: float, limits: Limits) -> BestPlans:
        """The plans of a graph; traces are computed until the deadline, within half of the memory."""
        return cls(graph, deadline, _half(limits).states_of(TRACE_BYTES))

    @property
    def complete(self) -> bool:
        return self._graph.gap is None

    @property
    def endless(self) -> bool:
        return self._graph.endless

    @property
    def number(self) -> int | None:
        """The number of traces; None if plans are endless, too many, or not all known."""
        if not self.complete or self.endless:
            return None
        if self._set_count is not None:
            return self._set_count
        if self._trace_count is None:
            return None if self._has_diamonds else self._path_count
        return self._trace_count

    @property
    def uncounted(self) -> Uncounted | None:
        """Why there is no number; None if there is one."""
        if self.number is not None:
            return None
        return self._graph.gap or (Uncounted.ENDLESS if self.endless else self._gap)

    @property
    def order(self) -> Order | None:
        """What the order of actions means for `number`; None if there is no number."""
        number = self.number
        if number is None:
            return None
        if not self._has_diamonds:
            return Order.MATTERS
        return Order.PARTLY if self._set_count is None else Order.FREE

    @cached_property
    def _path_count(self) -> int:
        """The number of plans, counting each order."""
        return sum(self._paths_by_length.values())

    @cached_property
    def _paths_by_length(self) -> Counter[int]:
        """The number of plans of each length, counting each order."""
        return paths_by_length(self._graph)

    @cached_property
    def _set_count(self) -> int | None:
        """The number of traces if all pairs of adjacent actions of all plans are distinct and commute; else None.

        Adjacent actions can then be exchanged repeatedly, so all n! orders of a set of n actions are plans.
        """
        if self.endless or not self._has_diamonds:
            return None
        for node in self._graph.ordered:
            for one, middle in node.ways.items():
                for other, after in middle.ways.items():
                    if one == other or other not in node.ways or node.ways[other].ways.get(one) is not after:
                        return None
        return sets_among(self._paths_by_length)

    @cached_property
    def _has_diamonds(self) -> bool:
        """Whether two adjacent actions of some plan commute."""
        return any(
            one != other and other in node.ways and node.ways[other].ways.get(one) is after
            for node in self._graph.ordered
            for one, middle in node.ways.items()
            for other, after in middle.ways.items()
        )

    def first(self, most: int) -> list[tuple[Move, ...]]:
        """At most `most` plans, one for each trace; if traces are unknown, one for each order."""
        if not most:
            return []
        return list(islice(self._one_of_each_trace() if self._trace_count is not None else self._one_by_one(), most))

    def uniqueness(self, plan: Sequence[Move]) -> Uniqueness | None:
        """The cooks and duals of an optimal plan; None if not all plans are known or the plan is empty."""
        if not self.complete or not plan:
            return None
        counted = self._trace_count is not None
        found: list[Dual] = []
        node = self._graph.root
        for index, move in enumerate(plan):
            others = self._others(node, move) if counted else [way for way in node.ways if way != move]
            found += [Dual(index, other) for other in others]
            node = node.ways[move]
        cooks = tuple(dual.move for dual in found if dual.index == 0)
        return Uniqueness(plan[0], cooks, tuple(dual for dual in found if dual.index), counted)

    def _others(self, node: Node, move: Move) -> list[Move]:
        """The first actions of the traces in which no plan begins with the move."""
        traces = self._traces[id(node)]
        begun = set(traces.joined[move])
        return list(dict.fromkeys(traces.first[trace][0] for trace in range(traces.number) if trace not in begun))

    @cached_property
    def _trace_count(self) -> int | None:
        if self.endless:
            return None
        total = 0
        try:
            for node in self._graph.ordered:
                traces = self._traces[id(node)] = self._of(node)
                total += traces.number
                if total > self._most_traces:
                    raise _TooMany(Uncounted.TOO_MANY)
                if time.monotonic() > self._deadline:
                    raise _TooMany(Uncounted.TIME_UP)
        except _TooMany as error:
            self._gap = error.why
            self._traces.clear()
            return None
        return self._traces[id(self._graph.root)].number if self._traces else 0

    def _of(self, node: Node) -> _Traces:
        """Merge the traces behind the moves of a node."""
        if node.is_goal:
            return _Traces(1, [], {})
        offsets: dict[Move, int] = {}
        size = 0
        for move, after in node.ways.items():
            offsets[move] = size
            size += self._traces[id(after)].number
            if size > self._most_traces:
                raise _TooMany(Uncounted.TOO_MANY)
        parents = list(range(size))
        moves = list(node.ways)
        for place, one in enumerate(moves):
            for other in moves[place + 1 :]:
                corner = node.ways[one].ways.get(other)
                if corner is None or corner is not node.ways[other].ways.get(one):
                    continue
                behind_one, behind_other = self._traces[id(node.ways[one])], self._traces[id(node.ways[other])]
                pairs = zip(behind_one.joined[other], behind_other.joined[one], strict=True)
                for this, that in pairs:
                    _unite(parents, offsets[one] + this, offsets[other] + that)
        numbers: dict[int, int] = {}
        first: list[tuple[Move, int]] = []
        joined: dict[Move, array[int]] = {}
        for move, after in node.ways.items():
            numbers_here = joined[move] = array("l")
            for trace in range(self._traces[id(after)].number):
                representative = _find(parents, offsets[move] + trace)
                if representative not in numbers:
                    numbers[representative] = len(numbers)
                    first.append((move, trace))
                numbers_here.append(numbers[representative])
        return _Traces(len(numbers), first, joined)

    def _one_of_each_trace(self) -> Iterator[tuple[Move, ...]]:
        root = self._graph.root
        if not root.useful:
            return
        for number in range(self._traces[id(root)].number):
            node, trace = root, number
            plan: list[Move] = []
            while not node.is_goal:
                move, trace = self._traces[id(node)].first[trace]
                plan.append(move)
                node = node.ways[move]
            yield tuple(plan)

    def _one_by_one(self) -> Iterator[tuple[Move, ...]]:
        """The simple paths, without those that one exchange of adjacent actions turns into an earlier one."""
        if not self._graph.root.useful:
            return
        path: list[Node] = [self._graph.root]
        plan: list[Move] = []
        pending = [iter(tuple(self._graph.root.ways.items()))]
        while pending and time.monotonic() < self._deadline:
            for move, after in pending[-1]:
                if after in path or (plan and _comes_earlier(path[-2], plan[-1], move, after)):
                    continue
                plan.append(move)
                if after.is_goal:
                    yield tuple(plan)
                    plan.pop()
                    continue
                path.append(after)
                pending.append(iter(tuple(after.ways.items())))
                break
            else:
                pending.pop()
                path.pop()
                if plan:
                    plan.pop()


def paths_by_length(graph: PlanGraph) -> Counter[int]:
    """The number of plans of each length, counting each order. The graph must be acyclic."""
    numbers: dict[int, Counter[int]] = {}
    for node in graph.ordered:
        here = numbers[id(node)] = Counter({0: 1} if node.is_goal else {})
        for after in node.ways.values():
            for length, number in numbers[id(after)].items():
                here[length + 1] += number
    return numbers[id(graph.root)] if numbers else Counter()


def sets_among(paths: Mapping[int, int]) -> int:
    """The number of sets of actions, given that the paths are all orders of each set."""
    return sum(number // factorial(length) for length, number in paths.items())


def best_plans(problem: Problem, goal: int, limits: Limits, refutes: Refutes = never) -> BestPlans:
    """The plans whose value reaches `goal`, which must be the optimum (for `reach`: the threshold)."""
    deadline = time.monotonic() + limits.seconds
    return BestPlans.of(plan_graph(problem, problem.sign * goal, _half(limits), refutes), deadline, limits)


def _half(limits: Limits) -> Limits:
    """Limits with half of the memory: states and traces share it."""
    return evolve(limits, memory_mib=(limits.memory_mib + limits.otherwise_mib) // 2)


def _comes_earlier(node: Node, before: Move, move: Move, after: Node) -> bool:
    """Whether the last two moves commute and the second precedes the first in the order of legal moves."""
    other = node.ways.get(move)
    if move == before or other is None or other.ways.get(before) is not after:
        return False
    return next(way for way in node.ways if way in (before, move)) == move


def _find(parents: list[int], at: int) -> int:
    while parents[at] != at:
        parents[at] = parents[parents[at]]
        at = parents[at]
    return at


def _unite(parents: list[int], one: int, other: int) -> None:
    """Union of two sets; the representative is the least element."""
    one, other = _find(parents, one), _find(parents, other)
    if one != other:
        parents[max(one, other)] = min(one, other)
