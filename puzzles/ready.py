"""Games after set-up: what a position starts from, kept so that many positions of one game are read at little cost."""

from __future__ import annotations

from functools import lru_cache

from ..grammar.classes import define
from ..rules.engine import Engine
from ..rules.game import Game
from ..rules.reference import Reference
from .sheet import Sheet, sheet_of

KEPT = 8
"""How many games are kept."""


@define(eq=False)
class _Same:
    """A game for so many players, known by identity."""

    game: Game
    players: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.game is self.game and other.players == self.players

    def __hash__(self) -> int:
        return hash((id(self.game), self.players))


def ready_engine(game: Game, players: int) -> Engine:
    """The game in its widest windows."""
    return _ready(_Same(game, players))[0]


def ready_sheet(game: Game, players: int) -> Sheet:
    """The game after a set-up by chance of seed 0; a copy that may be changed."""
    sheet = _ready(_Same(game, players))[1]
    fields = {name: dict(cells) for name, cells in sheet.fields.items()}
    return Sheet(sheet.point, 0, dict(sheet.values), dict(sheet.zones), fields)


@lru_cache(maxsize=KEPT)
def _ready(same: _Same) -> tuple[Engine, Sheet]:
    engine = Engine.of(same.game, same.players)
    return engine, sheet_of(engine, Reference(engine).start(0))
