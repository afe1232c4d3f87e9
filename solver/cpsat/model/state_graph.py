"""State graphs as data: abstract states and the moves between them."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import TopologicalSorter
from typing import Any

from rulewright.base.records import frozen
from rulewright.rules.model.state import OVER, POINT

from .abstract_store import Decision

AbstractMove = tuple[int | None, ...]
"""The number of an action and its arguments, None for an unknown argument."""

SKIP: AbstractMove = (-2,)
"""The move at a choice where no action is possible."""

ENDING: AbstractMove = (-3,)
"""No move: a plan ends at a choice."""


@frozen
class Branch:
    """A jump of the flow on an unknown condition: at an instruction, with the tracked columns, and whether it held."""

    instruction: int
    columns: tuple[Any, ...]
    holds: bool


@frozen
class Run:
    """A procedure that writes untracked variables or branches on them; the columns before it, and the decisions in it."""

    procedure: str
    columns: tuple[Any, ...]
    decisions: tuple[Decision, ...]


Trail = tuple[Branch | Run, ...]
"""The branches and procedures between a move and the next choice that concern untracked variables."""


@frozen
class Edge:
    """A move and its trail to the next choice, with the decisions in the effects of the move."""

    source: int
    target: int
    move: AbstractMove
    decisions: tuple[Decision, ...]
    trail: Trail


@frozen
class AbstractStateGraph:
    """A graph of plays. `nodes` are the columns of states, None where untracked; node 0 is the root.

    `levels` are the lengths of the longest paths to the nodes; nodes where play is over are all at the last level.
    """

    nodes: list[tuple[Any, ...]]
    edges: list[Edge]
    levels: list[int]
    tracked: frozenset[str]

    @property
    def depth(self) -> int:
        """The greatest number of moves in a play."""
        return max(self.levels)


def levels_of(nodes: Sequence[tuple[Any, ...]], edges: Sequence[Edge]) -> list[int]:
    """The length of the longest path to each node; the last level for those where play is over. Raises `CycleError`."""
    sources: dict[int, set[int]] = {node: set() for node in range(len(nodes))}
    for edge in edges:
        sources[edge.target].add(edge.source)
    longest = [0] * len(nodes)
    for node in TopologicalSorter(sources).static_order():
        longest[node] = max((longest[source] + 1 for source in sources[node]), default=0)
    last = max(longest)
    return [last if node[POINT] == OVER else level for node, level in zip(nodes, longest, strict=True)]
