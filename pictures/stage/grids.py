"""The cells of a window as data: where they lie, in widths of a cell, and the steps between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rulewright.base.records import evolve
from rulewright.grammar.tree.modules import Shape
from rulewright.pictures.boards.cell_shapes import Point
from rulewright.rules.play.cell_contents import MOST_WHOLE
from rulewright.rules.spaces.window import Window

from .vocabulary import Grid, Plan, Seen


def grid_of(window: Window, is_isometric: bool) -> Grid:
    """The cells of a window."""
    axes = list(zip(*window.coordinates, strict=True))
    low, high = tuple(map(min, axes)), tuple(map(max, axes))
    match window.shape:
        case Shape.GRAPH:
            return Grid(Plan.SPOTS, low, high, spots=_rounded(spots_of_graph(window)), names=window.names)
        case Shape.RING:
            near = tuple(zip(*window.steps, strict=True))[:-1] if window.size > MOST_WHOLE else ()
            return Grid(Plan.SPOTS, low, high, spots=_rounded(spots_on_ring(window.size)), near=near)
        case Shape.SQUARE:
            plan = Plan.SQUARE
        case Shape.HEX:
            plan = Plan.HEX
        case Shape.CUBE:
            plan = Plan.ISOMETRIC if is_isometric else Plan.LEVELS
    found = Grid(plan, low, high, names=window.names)
    if found.coordinates != window.coordinates:
        found = evolve(found, coordinates_given=window.coordinates)
    if window.periods:
        return evolve(found, near=tuple(zip(*window.steps, strict=True))[:-1])
    return evolve(found, vectors=tuple(_vectors(window, row) for row in range(2 if window.shape is Shape.HEX else 1)))


def _vectors(window: Window, row: int) -> tuple[tuple[int, ...], ...]:
    """The steps in each direction from a row: of hexes, an even one and an odd one differ."""
    if window.shape is not Shape.HEX:
        return window.vectors
    return tuple((vector[0] + (row + vector[1]) // 2, vector[1]) if vector else () for vector in window.vectors)


def _rounded(spots: list[Point]) -> tuple[Point, ...]:
    return tuple((round(x, 4), round(y, 4)) for x, y in spots)


def seen_of(window: Window) -> Seen:
    """Which cells of a window are drawn."""
    if window.unbounded:
        return Seen.USED
    if window.shape is Shape.GRAPH:
        return Seen.ALL
    if window.size <= MOST_WHOLE:
        return Seen.LEVELS if window.shape is Shape.CUBE else Seen.ALL
    return Seen.NEAR if window.shape is Shape.RING else Seen.BOX


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


def spots_around(count: int, wide: int, high: int, apart: float) -> Iterator[Point]:
    """The places of the cells of a ring around a board, so far from its edge, clockwise from its north-western corner, as seen
    from its middle."""
    for cell in range(count):
        along, side = (cell + 0.5) * 2 * (wide + high) / count, 0
        sides = (wide, high, wide, high)
        while along >= sides[side]:
            along, side = along - sides[side], side + 1
        x, y = along - sides[side] / 2, -sides[side - 1] / 2 - apart
        yield ((x, y), (-y, x), (-x, -y), (y, -x))[side]


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
