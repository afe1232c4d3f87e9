"""The graph of all plans worth a goal, from which optimal plans are listed and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.state import OVER, POINT, Move, State
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import Limits


@define(eq=False)
class Node:
    """A state, up to what can no longer matter. `ways` maps each move that may keep the goal, in legal order, to its successor;
    `useful` says that the goal can be reached."""

    state: State | None
    ways: dict[Move, Node] = field(factory=dict)
    is_goal: bool = False
    useful: bool = False


class Uncounted(Enum):
    """Why plans are not counted."""

    ENDLESS = "some come back to where they were: there is no end of them"
    TOO_MANY = "there are too many to tell which differ only in the order of their actions"
    TIME_UP = "the time is up; more is allowed by `--time`"
    NO_ROOM = "the memory is used up; more is allowed by `--memory`"
    UNREAD = "the kernels do not read these rules"


@define(eq=False)
class PlanGraph:
    """All plans worth the goal, as paths; `gap` says why some may be missing, `endless` that the graph has a cycle.

    `ordered` are the useful states in reverse topological order; empty if there is a cycle.
    """

    root: Node
    ordered: tuple[Node, ...]
    gap: Uncounted | None
    endless: bool

    @classmethod
    def of(cls, root: Node, useful: Iterable[Node], gap: Uncounted | None) -> PlanGraph:
        """The graph of the given useful nodes."""
        try:
            order = tuple(TopologicalSorter({node: node.ways.values() for node in useful}).static_order())
        except CycleError:
            return cls(root, (), gap, endless=True)
        return cls(root, order, gap, endless=False)


Refutes = Callable[[State, int], bool]
"""Whether it is proved that nothing above a goal can be reached from a state."""


def never(state: State, goal: int) -> bool:
    """Refutes nothing."""
    return False


def plan_graph(problem: Problem, goal: int, limits: Limits, refutes: Refutes) -> PlanGraph:
    """The plans worth at least `goal` (as `problem.value` counts) that are found within time and memory."""
    root = Node(problem.root)
    deadline = time.monotonic() + limits.seconds
    nodes: dict[Any, Node] = {_identity(problem, problem.root): root}
    gap = _explore(problem, nodes, goal, refutes, deadline, limits.states_of())
    return PlanGraph.of(root, _keep_useful(nodes.values()), gap)


def _explore(
    problem: Problem, nodes: dict[Any, Node], goal: int, refutes: Refutes, deadline: float, most_nodes: int
) -> Uncounted | None:
    """Expand from the root, the only node, depth first and by bound; returns why the expansion is incomplete, if it is."""
    engine, bound = problem.engine, problem.bound
    (root,) = pending = list(nodes.values())
    if problem.root[POINT] == OVER:
        root.is_goal = problem.value(problem.root) >= goal
        return None
    while pending:
        if time.monotonic() > deadline:
            return Uncounted.TIME_UP
        if len(nodes) > most_nodes:
            return Uncounted.NO_ROOM
        node = pending.pop()
        state, node.state = node.state, None
        assert state is not None
        if refutes(state, goal - 1):
            continue
        fresh: list[tuple[int, int, Node]] = []
        for order, move in enumerate(engine.legal(state)):
            child = engine.apply(state, move)
            over = child[POINT] == OVER
            most = problem.value(child) if over else goal if bound is None else bound.bound(child)
            if most < goal:
                continue
            key = _identity(problem, child)
            after = nodes.get(key)
            if after is None:
                after = nodes[key] = Node(None if over else child, is_goal=over)
                if not over:
                    fresh.append((most, -order, after))
            node.ways[move] = after
        fresh.sort(key=_first_two)
        pending += [after for _, _, after in fresh]
    return None


def _identity(problem: Problem, state: State) -> tuple[Any, tuple[int, ...]]:
    return problem.key(state), problem.spent(state)


def _first_two(fresh: tuple[int, int, Node]) -> tuple[int, int]:
    return fresh[:2]


def _keep_useful(nodes: Iterable[Node]) -> list[Node]:
    """The nodes from which the goal is reachable (backward reachability); moves to other nodes are removed."""
    before: dict[Node, list[Node]] = {}
    for node in nodes:
        for after in node.ways.values():
            before.setdefault(after, []).append(node)
    found = [node for node in nodes if node.is_goal]
    for node in found:
        node.useful = True
    for node in found:
        for earlier in before.get(node, ()):
            if not earlier.useful:
                earlier.useful = True
                found.append(earlier)
    for node in found:
        node.ways = {move: after for move, after in node.ways.items() if after.useful}
    return found
