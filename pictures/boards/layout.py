"""Places the cells of rings and the nodes of graphs in a picture, in widths of a cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rulewright.rules.spaces.window import Window

from .cell_shapes import Point

NODE_GAP = 2.0
"""The approximate length of an edge of a graph."""

ROUNDS = 300
"""The number of iterations that move the nodes of a graph to match their distances."""

MOST_PULLS = 1_000_000
"""The maximum number of pairwise node moves in all iterations; a graph too large for one iteration stays on its circle."""


def spots_on_ring(count: int) -> list[Point]:
    """The places of the cells of a ring."""
    radius = max(1.0, count / (2 * math.pi) * 1.15)
    return [_on_circle(cell, count, radius) for cell in range(count)]


def _on_circle(place: int, count: int, radius: float) -> Point:
    angle = 2 * math.pi * place / count
    return radius * math.sin(angle), -radius * math.cos(angle)


def spots_of_graph(window: Window) -> list[Point]:
    """Place nodes so that distances in the picture match those along edges (stress majorisation: Gansner, Koren and North
    2004)."""
    count = window.size
    spots = [_on_circle(node, count, NODE_GAP * max(1.0, count / 6)) for node in range(count)]
    rounds = min(ROUNDS, MOST_PULLS // count**2) if count > 2 else 0
    wanted = [[max(1, window.distance(a, b)) * NODE_GAP for b in range(count)] for a in range(count if rounds else 0)]
    for _ in range(rounds):
        spots = [_pulled(node, spots, wanted[node]) for node in range(count)]
    west, north = min(x for x, _ in spots), min(y for _, y in spots)
    return [(x - west, y - north) for x, y in spots]


def _pulled(node: int, spots: Sequence[Point], wanted: Sequence[float]) -> Point:
    """The best place of a node while the others stay."""
    x, y = spots[node]
    across = down = total = 0.0
    for other, (other_x, other_y) in enumerate(spots):
        if other != node:
            apart = math.sqrt((x - other_x) ** 2 + (y - other_y) ** 2) or 1e-6
            weight = wanted[other] ** -2
            ratio = wanted[other] / apart
            across += weight * (other_x + ratio * (x - other_x))
            down += weight * (other_y + ratio * (y - other_y))
            total += weight
    return (x + across / total) / 2, (y + down / total) / 2
