"""Translation symmetry: on an unbounded square grid, local conditions behave alike at every cell.

A condition is local if it reads only cells within a small radius and does not depend on position (no coordinates, origin or
distances). What is derived for one cell then holds for its translates.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import terms
from rulewright.rules.model.traversal import nodes_of, parts_of
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces.window import Window

MAX_RADIUS = 2
"""The largest radius, in cells along an axis, within which a condition counts as local."""


def translatable_cells(engine: Engine, space: str, conditions: Iterable[terms.Term]) -> frozenset[int]:
    """The cells that are translates of each other for these conditions, as long as those read no farther than MAX_RADIUS.

    They lie so far from the border that a step changes the index by the same amount everywhere. The caller must check, with
    `is_within`, that no evaluation reads farther.
    """
    classes = translation_classes(engine, space, conditions)
    return frozenset(cell for cell, sides in classes.items() if min(sides) == MAX_RADIUS)


def translation_classes(
    engine: Engine, space: str, conditions: Iterable[terms.Term], radius: int = MAX_RADIUS
) -> dict[int, tuple[int, ...]]:
    """The class of each cell: its distances to the four borders of the window, each capped at `radius`.

    Cells of one class are translates of each other, even near the border, as long as the conditions read no farther than
    `radius`. Empty unless the space is an unbounded square grid, all conditions are local, and `radius` is at most MAX_RADIUS.
    """
    window = engine.instance.windows[space]
    is_grid = window.unbounded and window.shape is Shape.SQUARE
    if radius > MAX_RADIUS or not is_grid or any(depends_on_position(engine, term) for term in conditions):
        return {}
    sides = [(min(axis), max(axis)) for axis in zip(*window.coordinates, strict=True)]
    columns, rows = (
        {at: (min(radius, at - low), min(radius, high - at)) for at in range(low, high + 1)} for low, high in sides
    )
    return {cell: columns[column] + rows[row] for cell, (column, row) in enumerate(window.coordinates)}


def is_within(window: Window, cell: int, other: int, radius: int = MAX_RADIUS) -> bool:
    """Whether `other` lies within a radius of `cell`, in the maximum norm; `nowhere` never does."""
    coordinates = window.coordinates
    return other < len(coordinates) and all(
        abs(a - b) <= radius for a, b in zip(coordinates[cell], coordinates[other], strict=True)
    )


def depends_on_position(engine: Engine, term: terms.Term) -> bool:
    """Whether a term can distinguish cells by anything but nearby tiles."""
    positional = (
        terms.Coordinate,
        terms.CellAt,
        terms.Row,
        terms.Leap,
        terms.Origin,
        terms.Line,
        terms.AllCells,
        terms.Distance,
        terms.Closure,
    )
    return any(isinstance(node, positional) for node in nodes_of(engine.game.definitions, term))


def depends_on_kind(engine: Engine, term: terms.Term, board: str) -> bool:
    """Whether a term distinguishes the kinds of tile on a board, beyond occupancy."""
    pending: list[object] = [term]
    seen: set[str] = set()
    while pending:
        here = pending.pop()
        match here:
            case terms.Compare(Comparison.EQUAL | Comparison.UNEQUAL, terms.Read(variable, index), terms.Constant(0)) if (
                variable == board
            ):
                pending += index
                continue
            case terms.Read(variable) if variable == board:
                return True
            case terms.RegionOf() | terms.MarkerCount():
                return True
            case terms.Invoke(name) if name not in seen:
                seen.add(name)
                definition = engine.game.definitions[name]
                pending += [definition.value, definition.cases]
            case _:
                pass
        pending += parts_of(here)
    return False
