"""Undirected graphs with named nodes.

Nodes are numbered from 0 in the order in which the edges name them. Direction `n` of a node is its n-th edge as written (a port
numbering); if a node has fewer edges, it leads nowhere. Ports of two nodes are unrelated: no direction has an opposite, and a
line ends after one step.

Rings: positions from 0 on; the last is a neighbour of the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .rows import cyclic_distance, rotation_table
from .window import NO_DIRECTION, Window


@frozen(cache_hash=True)
class GraphWindow(Window):
    """A graph; its directions are ports."""

    def toward(self, start: int, end: int) -> int:
        if self.size in (start, end):
            return NO_DIRECTION
        return next((direction for direction, step in enumerate(self.steps) if step[start] == end), NO_DIRECTION)

    def line(self, cell: int, direction: int) -> tuple[int, ...]:
        there = self.steps[direction][cell]
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


DIRECTIONS = ("forward", "back")
BOTH = (0, 1)


@frozen(cache_hash=True)
class RingWindow(Window):
    """A ring. If both ways are equally long, `toward` is forward."""

    def toward(self, start: int, end: int) -> int:
        if start == end or self.size in (start, end):
            return NO_DIRECTION
        return 0 if 2 * ((end - start) % self.size) <= self.size else 1

    def distance(self, start: int, end: int) -> int:
        return -1 if self.size in (start, end) else cyclic_distance(end - start, self.size)


def ring_window(size: tuple[int, ...]) -> RingWindow:
    """The ring of `size` (cells,). Raises `ValueError`."""
    if len(size) != 1 or size[0] < 1:
        raise ValueError("the size of a ring must be its number of cells, at least one")
    (count,) = size
    return RingWindow(
        shape=Shape.RING,
        size=count,
        directions=DIRECTIONS,
        words=DIRECTIONS,
        steps=((*range(1, count), 0, count), (count - 1, *range(count - 1), count)),
        around=BOTH,
        diagonals=(),
        opposite=(1, 0),
        clockwise=rotation_table(2, BOTH),
        coordinates=tuple((position,) for position in range(count)),
        periods=(count,),
    )
