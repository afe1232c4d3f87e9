"""Cells that the rules tell apart only by what lies near them: what is read for one of them holds for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..grammar.expressions import Comparison
from ..grammar.modules import Shape
from ..rules import terms as t
from ..rules.engine import Engine
from ..rules.spaces.window import Window
from ..rules.walking import nodes_of, parts_of

BORDER = 2
"""How far the rules may look for cells to be treated alike."""

ALIKE = -1
"""In the place of a cell: all those that are alike."""


def alike_cells(engine: Engine, space: str, conditions: Iterable[t.Term]) -> frozenset[int]:
    """The cells that conditions may take for alike, as long as they look no farther than BORDER (`is_near`)."""
    apart = any(tells_cells_apart(engine, condition) for condition in conditions)
    return frozenset() if apart else _inside(engine, space)


def framed_cells(engine: Engine, space: str, conditions: Iterable[t.Term], far: int = BORDER) -> Mapping[int, tuple[int, ...]]:
    """The same with the cells at the border of a window: alike are those with one frame, how far it is to each side.

    They are alike as long as the conditions look no farther than `far`, which is at most BORDER: beyond it none are.
    """
    window = engine.ground.windows[space]
    if far > BORDER or not _is_even(window) or any(tells_cells_apart(engine, condition) for condition in conditions):
        return {}
    sides = [(min(axis), max(axis)) for axis in zip(*window.coordinates, strict=True)]
    columns, rows = ({at: (min(far, at - low), min(far, high - at)) for at in range(low, high + 1)} for low, high in sides)
    return {cell: columns[column] + rows[row] for cell, (column, row) in enumerate(window.coordinates)}


def is_near(window: Window, cell: int, other: int, far: int = BORDER) -> bool:
    """Whether another cell is no farther than that; `nowhere` never is."""
    coordinates = window.coordinates
    return other < len(coordinates) and all(
        abs(a - b) <= far for a, b in zip(coordinates[cell], coordinates[other], strict=True)
    )


def _inside(engine: Engine, space: str) -> frozenset[int]:
    """The cells far from the border of a window in which a step is the same difference of indices everywhere."""
    window = engine.ground.windows[space]
    if not _is_even(window):
        return frozenset()
    (west, north), (east, south) = window.coordinates[0], window.coordinates[-1]
    return frozenset(
        cell
        for cell, (column, row) in enumerate(window.coordinates)
        if west + BORDER <= column <= east - BORDER and north + BORDER <= row <= south - BORDER
    )


def _is_even(window: Window) -> bool:
    """Whether a step is the same everywhere but for its end, and the window stands for what has no border."""
    return window.unbounded and window.shape is Shape.SQUARE


def tells_cells_apart(engine: Engine, term: t.Term) -> bool:
    """Whether a condition can tell one part of a space from another by anything but the tiles near it."""
    telling = (t.Coordinate, t.Origin, t.Line, t.Cells, t.Distance, t.Closure)
    return any(isinstance(node, telling) for node in nodes_of(engine.game.definitions, term))


def tells_tiles_apart(engine: Engine, term: t.Term, board: str) -> bool:
    """Whether a condition asks more of the tiles on a board than whether there is one."""
    pending: list[object] = [term]
    seen: set[str] = set()
    while pending:
        here = pending.pop()
        match here:
            case t.Compare(Comparison.EQUAL | Comparison.UNEQUAL, t.Read(variable, index), t.Constant(0)) if variable == board:
                pending += index
                continue
            case t.Read(variable) if variable == board:
                return True
            case t.RegionOf() | t.MarkerCount():
                return True
            case t.Invoke(name) if name not in seen:
                seen.add(name)
                definition = engine.game.definitions[name]
                pending += [definition.value, definition.cases]
            case _:
                pass
        pending += parts_of(here)
    return False
