"""Places the cells of a space in a picture, in widths of a cell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.spaces.window import Window

from .cell_shapes import ROW, Point

LEVEL_GAP = 0.6
"""The gap between adjacent levels of a cube grid."""

NODE_GAP = 2.0
"""The approximate length of an edge of a graph."""

ROUNDS = 300
"""The number of iterations that move the nodes of a graph to match their distances."""

MOST_PULLS = 1_000_000
"""The maximum number of pairwise node moves in all iterations; a graph too large for one iteration stays on its circle."""


@frozen
class Layout:
    """The middle of each cell; lines between adjacent nodes; captions at places."""

    middles: Mapping[int, Point]
    lines: Sequence[tuple[Point, Point]] = ()
    captions: Sequence[tuple[Point, str]] = ()


def layout(window: Window, cells: Iterable[int]) -> Layout:
    """The layout of some cells of a window."""
    chosen = sorted(cells)
    if not chosen:
        return Layout({})
    match window.shape:
        case Shape.SQUARE:
            return Layout({cell: _square(window, cell) for cell in chosen}, (), _coordinates(window, chosen))
        case Shape.HEX:
            return Layout({cell: _hex(window, cell) for cell in chosen}, (), _coordinates(window, chosen))
        case Shape.CUBE:
            return _levels(window, chosen)
        case Shape.RING:
            radius = max(1.0, window.size / (2 * math.pi) * 1.15)
            return Layout({cell: _on_circle(cell, window.size, radius) for cell in chosen})
        case Shape.GRAPH:
            middles = _graph(window)
            joined = {(min(a, b), max(a, b)) for step in window.steps for a, b in enumerate(step[:-1]) if b != window.nowhere}
            captions = [((x, y + 0.72), window.names[cell]) for cell, (x, y) in enumerate(middles)]
            return Layout(dict(enumerate(middles)), [(middles[a], middles[b]) for a, b in sorted(joined)], captions)


def _square(window: Window, cell: int) -> Point:
    column, row = window.coordinates[cell]
    return float(column), float(row)


def _hex(window: Window, cell: int) -> Point:
    column, row = window.coordinates[cell]
    return column + (row & 1) / 2, row * ROW


def _coordinates(window: Window, cells: Sequence[int]) -> list[tuple[Point, str]]:
    """The number of each column above the board, and of each row to its left."""
    if not cells:
        return []
    across = {window.coordinates[cell][0] for cell in cells}
    down = {window.coordinates[cell][1] for cell in cells}
    north, west = min(down), min(across)
    apart = ROW if window.shape is Shape.HEX else 1.0
    indent = 0.25 if window.shape is Shape.HEX else 0.0
    found = [((column + indent, north * apart - 0.8), str(column)) for column in sorted(across)]
    return found + [((west - 0.8, row * apart), str(row)) for row in sorted(down)]


def _levels(window: Window, cells: Sequence[int]) -> Layout:
    """Levels side by side, the lowest on the left, each under its number."""
    west, east = (limit(window.coordinates[cell][0] for cell in cells) for limit in (min, max))
    north = min(window.coordinates[cell][1] for cell in cells)
    step = east - west + 1 + LEVEL_GAP
    middles, captions = {}, {}
    lowest = min(window.coordinates[cell][2] for cell in cells)
    for cell in cells:
        column, row, level = window.coordinates[cell]
        middles[cell] = (column + (level - lowest) * step, float(row))
        captions[level] = ((west + east) / 2 + (level - lowest) * step, north - 0.8), f"level {level}"
    return Layout(middles, (), [captions[level] for level in sorted(captions)])


def _on_circle(place: int, count: int, radius: float) -> Point:
    angle = 2 * math.pi * place / count
    return radius * math.sin(angle), -radius * math.cos(angle)


def _graph(window: Window) -> list[Point]:
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
