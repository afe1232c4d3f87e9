"""Every best plan up to the order of commuting actions, how many there are, and whether the key is the only one.

Two neighbouring actions of a plan commute when both orders are legal and lead to the same state, as far as it can still
matter. Plans are the same up to order when one becomes the other by such exchanges. Of each lot the first is shown: the one
whose actions come first in the order in which they are listed.

The lots of a state are put together from those of the states behind it: an action before two plans that are the same gives two
that are the same, and so do two actions that commute, before one plan in either order. Nothing else does.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from attrs import evolve, field

from rulewright.base.records import define, frozen
from rulewright.rules.model.moves import Move
from rulewright.solver.budget import OTHERWISE_MIB, Limits

from .optimal_dag import Node, PlanGraph, Refutes, never, plan_graph
from .problem import Problem

LOT = 200
"""Bytes of a lot, about."""


@define(eq=False)
class _Lots:
    """The plans from a state in lots: how many, of each lot its first plan, and `joined[move]` says which lot a lot of the
    state behind the move belongs to."""

    number: int
    first: list[tuple[Move, int]]
    joined: dict[Move, array[int]]


class _TooMany(Exception):
    pass


@frozen
class Dual:
    """In place of action number `index` (from 0) of the plan, `move` keeps the optimum too."""

    index: int
    move: Move


@frozen
class Uniqueness:
    """In the words of those who compose problems: the key is the first action of the plan, a cook another first action that
    keeps the optimum, a dual another action further on.

    `up_to_order`: what is only another order of the same actions is neither. Else every other action counts.
    """

    key: Move
    cooks: tuple[Move, ...]
    duals: tuple[Dual, ...]
    up_to_order: bool = True


@define(eq=False)
class BestPlans:
    """The plans from a state that are worth a goal.

    `complete` says that none is missing; `endless` that some come back to where they were, so that there is no end of them.
    """

    _graph: PlanGraph
    _deadline: float
    _most_lots: int
    """Of all states together; beyond, plans are not counted."""

    _lots: dict[int, _Lots] = field(factory=dict)

    @property
    def complete(self) -> bool:
        return self._graph.complete

    @property
    def endless(self) -> bool:
        return self._graph.endless

    @property
    def number(self) -> int | None:
        """How many, up to order; None when they are endless, too many, or not all known."""
        return self._counted if self.complete else None

    def first(self, most: int) -> list[tuple[Move, ...]]:
        """The first so many, one of each lot; each order by itself when they could not be put together."""
        return list(islice(self._one_of_each() if self._counted is not None else self._one_by_one(), most))

    def uniqueness(self, plan: Sequence[Move]) -> Uniqueness | None:
        """What is as good as this best plan; None when not all is known, or the plan is empty."""
        if not self.complete or not plan:
            return None
        counted = self._counted is not None
        found: list[Dual] = []
        node = self._graph.root
        for index, move in enumerate(plan):
            others = self._others(node, move) if counted else [way for way in node.ways if way != move]
            found += [Dual(index, other) for other in others]
            node = node.ways[move]
        cooks = tuple(dual.move for dual in found if dual.index == 0)
        return Uniqueness(plan[0], cooks, tuple(dual for dual in found if dual.index), counted)

    def _others(self, node: Node, move: Move) -> list[Move]:
        """The first actions of the lots of which no plan begins with the move."""
        lots = self._lots[id(node)]
        begun = set(lots.joined[move])
        return list(dict.fromkeys(lots.first[lot][0] for lot in range(lots.number) if lot not in begun))

    @cached_property
    def _counted(self) -> int | None:
        if self.endless:
            return None
        total = 0
        try:
            for node in self._graph.ordered:
                lots = self._lots[id(node)] = self._of(node)
                total += lots.number
                if total > self._most_lots or time.monotonic() > self._deadline:
                    raise _TooMany
        except (_TooMany, KeyboardInterrupt):
            self._lots.clear()
            return None
        return self._lots[id(self._graph.root)].number if self._lots else 0

    def _of(self, node: Node) -> _Lots:
        """Put the lots behind each move together."""
        if node.is_goal:
            return _Lots(1, [], {})
        offsets: dict[Move, int] = {}
        size = 0
        for move, after in node.ways.items():
            offsets[move] = size
            size += self._lots[id(after)].number
            if size > self._most_lots:
                raise _TooMany
        heads = list(range(size))
        moves = list(node.ways)
        for place, one in enumerate(moves):
            for other in moves[place + 1 :]:
                corner = node.ways[one].ways.get(other)
                if corner is None or corner is not node.ways[other].ways.get(one):
                    continue
                behind_one, behind_other = self._lots[id(node.ways[one])], self._lots[id(node.ways[other])]
                pairs = zip(behind_one.joined[other], behind_other.joined[one], strict=True)
                for this, that in pairs:
                    _unite(heads, offsets[one] + this, offsets[other] + that)
        numbers: dict[int, int] = {}
        first: list[tuple[Move, int]] = []
        joined: dict[Move, array[int]] = {}
        for move, after in node.ways.items():
            places = joined[move] = array("l")
            for lot in range(self._lots[id(after)].number):
                head = _head(heads, offsets[move] + lot)
                if head not in numbers:
                    numbers[head] = len(numbers)
                    first.append((move, lot))
                places.append(numbers[head])
        return _Lots(len(numbers), first, joined)

    def _one_of_each(self) -> Iterator[tuple[Move, ...]]:
        root = self._graph.root
        if not root.useful:
            return
        for number in range(self._lots[id(root)].number):
            node, lot = root, number
            plan: list[Move] = []
            while not node.is_goal:
                move, lot = self._lots[id(node)].first[lot]
                plan.append(move)
                node = node.ways[move]
            yield tuple(plan)

    def _one_by_one(self) -> Iterator[tuple[Move, ...]]:
        """Plans that come to no state twice, without those that a neighbouring exchange turns into an earlier one."""
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


def best_plans(problem: Problem, goal: int, limits: Limits, refutes: Refutes = never) -> BestPlans:
    """The plans whose value is as good as the goal, which no plan exceeds (for `reach`: the threshold)."""
    deadline = time.monotonic() + limits.seconds
    # States and lots share the room.
    half = evolve(limits, memory_mib=(limits.memory_mib + OTHERWISE_MIB) // 2)
    return BestPlans(plan_graph(problem, problem.sign * goal, half, refutes), deadline, half.states_of(LOT))


def _comes_earlier(node: Node, before: Move, move: Move, after: Node) -> bool:
    """Whether the last two moves commute and the second is listed first."""
    other = node.ways.get(move)
    if move == before or other is None or other.ways.get(before) is not after:
        return False
    return next(way for way in node.ways if way in (before, move)) == move


def _head(heads: list[int], at: int) -> int:
    while heads[at] != at:
        heads[at] = heads[heads[at]]
        at = heads[at]
    return at


def _unite(heads: list[int], one: int, other: int) -> None:
    """The first of a lot is its head."""
    one, other = _head(heads, one), _head(heads, other)
    if one != other:
        heads[max(one, other)] = min(one, other)
