"""What positions are set up with: the windows that they need, and games after their set-up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rulewright.base.records import field, frozen
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import OVER, State
from rulewright.rules.play.coordinates import Coordinate, CoordinateState, cells_in_use, to_coordinates
from rulewright.rules.play.engine import IDLE_RADIUS, Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.spaces.window import Extent
from rulewright.rules.static.dataflow import feeding_zones

# The extents of the windows of a position's unbounded spaces ----------------------------------------------------------


BORDER = 2
"""Drawn around the reach of the tiles still to be placed, in cells."""

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


# A cache of engines and of games after set-up -------------------------------------------------------------------------
# Many positions and saved games of one game compile it once.


MOST_GAMES = 8
"""The size of each cache, in games."""


@frozen
class _GameKey:
    """A game, compared by identity, and its number of players."""

    game: Game = field(eq=id)
    players: int


def cached_engine(game: Game, players: int) -> Engine:
    """The engine of a game in its widest windows."""
    return _engine(_GameKey(game, players))


def cached_setup(game: Game, players: int) -> CoordinateState:
    """A modifiable copy of the game's state after set-up with seed 0, at no choice."""
    return _unseeded(game, players, _set_up(_GameKey(game, players)))


def cached_beginning(game: Game, players: int) -> CoordinateState:
    """A modifiable copy of the game's state at the choice to which it comes first after set-up with seed 0.

    If it comes to none, the state after set-up at the first choice of the flow, where it has any.
    """
    engine, after = cached_engine(game, players), _set_up(_GameKey(game, players))
    begun = ReferenceEngine(engine).begun(after)
    if not engine.over(begun):
        return _unseeded(game, players, begun)
    coordinates = _unseeded(game, players, after)
    coordinates.point = 0 if engine.choices else OVER
    return coordinates


def _unseeded(game: Game, players: int, state: State) -> CoordinateState:
    coordinates = to_coordinates(cached_engine(game, players), state)
    coordinates.seed = 0
    return coordinates


@lru_cache(maxsize=MOST_GAMES)
def _engine(key: _GameKey) -> Engine:
    return Engine.of(key.game, key.players)


@lru_cache(maxsize=MOST_GAMES)
def _set_up(key: _GameKey) -> State:
    return ReferenceEngine(_engine(key)).set_up(0)
