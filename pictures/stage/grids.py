"""The cells of a window as data: where they lie, and the steps between them."""

from __future__ import annotations

from attrs import evolve

from rulewright.grammar.tree.modules import Shape
from rulewright.rules.play.cell_contents import MOST_WHOLE
from rulewright.rules.spaces.window import Window

from ..boards.cell_shapes import Point
from ..boards.layout import spots_of_graph, spots_on_ring
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
    found = Grid(plan, low, high)
    if found.coordinates != window.coordinates:
        found = Grid(plan, low, high, window.coordinates)
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
