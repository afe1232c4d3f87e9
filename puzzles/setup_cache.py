"""A cache of engines and of games after set-up: many positions and saved games of one game compile it once."""

from __future__ import annotations

from functools import lru_cache

from rulewright.base.records import field, frozen
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import OVER, State
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
