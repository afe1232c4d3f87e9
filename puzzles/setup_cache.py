"""A cache of engines and of games after set-up: many positions and saved games of one game compile it once."""

from __future__ import annotations

from functools import lru_cache

from rulewright.base.records import field, frozen
from rulewright.rules.model.game import Game
from rulewright.rules.play.coordinates import CoordinateState, to_coordinates
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine

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
    """A modifiable copy of the game's state after set-up with seed 0."""
    coordinates = _set_up(_GameKey(game, players))
    fields = {name: dict(cells) for name, cells in coordinates.fields.items()}
    return CoordinateState(coordinates.point, 0, dict(coordinates.values), dict(coordinates.zones), fields)


@lru_cache(maxsize=MOST_GAMES)
def _engine(key: _GameKey) -> Engine:
    return Engine.of(key.game, key.players)


@lru_cache(maxsize=MOST_GAMES)
def _set_up(key: _GameKey) -> CoordinateState:
    engine = _engine(key)
    return to_coordinates(engine, ReferenceEngine(engine).start(0))
