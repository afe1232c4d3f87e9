"""Undirected graphs with named nodes.

Nodes are numbered from 0 in the order in which the edges name them. Direction `n` of a node is its n-th edge as written (a port
numbering); if a node has fewer edges, it leads nowhere. Ports of two nodes are unrelated: no direction has an opposite, and a
line ends after one step.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .window import NO_DIRECTION, Window


@frozen(cache_hash=True)
class GraphWindow(Window):
    """A graph; its directions are ports."""

    def _directions_from(self, start: int) -> tuple[int, ...]:
        ends = [step[start] for step in self.steps]
        return (*(ends.index(end) if end in ends else NO_DIRECTION for end in range(self.size)), NO_DIRECTION)

    def line(self, cell: int, direction: int) -> tuple[int, ...]:
        there = self.size if direction == NO_DIRECTION else self.steps[direction][cell]
        return () if there == self.size else (there,)


def graph_window(edges: Sequence[tuple[str, str]], nodes: Sequence[str] = ()) -> GraphWindow:
    """The graph of these edges, in the order written. Raises `ValueError` for a loop, a double edge or no edge.

    `nodes` come first, in that order, and need no edge.
    """
    if not edges:
        raise ValueError("a graph needs at least one edge")
    exits: dict[str, list[str]] = {node: [] for node in nodes}
    for one, other in edges:
        if one == other:
            raise ValueError(f"an edge cannot join `{one}` to itself")
        if other in exits.get(one, ()):
            raise ValueError(f"`{one}` and `{other}` are joined twice")
        exits.setdefault(one, []).append(other)
        exits.setdefault(other, []).append(one)
    number = {name: index for index, name in enumerate(exits)}
    nowhere, count = len(exits), max(map(len, exits.values()))
    directions = tuple(str(index + 1) for index in range(count))
    return GraphWindow(
        shape=Shape.GRAPH,
        size=nowhere,
        directions=directions,
        words=directions,
        steps=tuple(
            (*(number[found[index]] if index < len(found) else nowhere for found in exits.values()), nowhere)
            for index in range(count)
        ),
        around=tuple(range(count)),
        diagonals=(),
        opposite=(NO_DIRECTION,) * count,
        clockwise=tuple(range(count)),
        coordinates=tuple((index,) for index in range(nowhere)),
        names=tuple(exits),
    )
