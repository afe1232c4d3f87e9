"""The extents of the windows of a position's unbounded spaces."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.rules.model.game import Game
from rulewright.rules.play.coordinates import Coordinate, CoordinateState, cells_in_use
from rulewright.rules.play.engine import IDLE_RADIUS
from rulewright.rules.spaces.window import Extent
from rulewright.rules.static.dataflow import feeding_zones

BORDER = 2
"""In cells: a window's margin beyond the reach of the tiles still to be placed."""

FARTHEST_COORDINATE = 400
"""The greatest coordinate allowed in an unbounded space: one window must hold them all."""


def needed_extents(game: Game, coordinates: CoordinateState, drawn: Iterable[tuple[str, Coordinate]]) -> dict[str, Extent]:
    """The window that each unbounded space needs: around all cells in use or drawn, with room for the tiles still to come."""
    cells: dict[str, list[Coordinate]] = {}
    for name, coordinate in (*drawn, *cells_in_use(game, coordinates)):
        cells.setdefault(name, []).append(coordinate)
    feeding = feeding_zones(game)
    coming = sum(len(tiles) for (name, _), tiles in coordinates.zones.items() if name in feeding) + BORDER
    found = {}
    for space in game.spaces.values():
        if space.size or space.edges or space.name not in cells:
            continue
        margin = coming if space.of_tiles else IDLE_RADIUS
        axes = list(zip(*cells[space.name], strict=True))
        low, high = [min(axis) for axis in axes], [max(axis) for axis in axes]
        flat = [low[n] - margin for n in range(2)]
        found[space.name] = Extent((*flat, *(min(0, level) for level in low[2:])), tuple(n + margin for n in high))
    return found
