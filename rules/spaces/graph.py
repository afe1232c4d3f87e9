"""Graphs: nodes with names, joined both ways by the edges written.

Nodes are numbered from 0 as the edges first name them. The exits of a node are its edges in the order written:
direction "1" is the first of them, and an exit that a node does not have leads nowhere. Exits of two nodes have nothing
to do with each other: no direction has an opposite, and nothing lies straight on.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...grammar.classes import frozen
from ...grammar.modules import Shape
from .window import NO_DIRECTION, Window


@frozen(cache_hash=True)
class GraphWindow(Window):
    """A graph: every line ends after one step."""

    def toward(self, a: int, b: int) -> int:
        if self.size in (a, b):
            return NO_DIRECTION
        return next((direction for direction, step in enumerate(self.steps) if step[a] == b), NO_DIRECTION)

    def line(self, cell: int, direction: int) -> tuple[int, ...]:
        there = self.steps[direction][cell]
        return () if there == self.size else (there,)


def graph_window(edges: Sequence[tuple[str, str]]) -> GraphWindow:
    """The graph of these edges, in the order written."""
    if not edges:
        raise ValueError("a graph has at least one edge")
    exits: dict[str, list[str]] = {}
    for a, b in edges:
        if a == b:
            raise ValueError(f"an edge joins two nodes, not `{a}` to itself")
        if b in exits.get(a, ()):
            raise ValueError(f"`{a}` and `{b}` are joined twice")
        exits.setdefault(a, []).append(b)
        exits.setdefault(b, []).append(a)
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
