"""What a player may see: zones that are hidden from them show only how many tiles they hold."""

from __future__ import annotations

from attrs import frozen

from ..grammar.modules import Visibility
from . import types
from .engine import Engine, State
from .game import Storage, Variable


@frozen
class ZoneView:
    """A zone as one player sees it. `tiles` are in order, top first; None when only the number is to be seen."""

    variable: str
    index: int | None
    size: int
    tiles: tuple[int, ...] | None


def may_see(variable: Variable, owner: int | None, viewer: int | None) -> bool:
    """Whether a viewer (None: someone who watches) sees the tiles of a zone that belongs to `owner`."""
    match variable.visibility:
        case Visibility.OPEN:
            return True
        case Visibility.HIDDEN:
            return False
        case Visibility.OWNER:
            return viewer is not None and owner == viewer


def zones_seen(engine: Engine, state: State, viewer: int | None) -> tuple[ZoneView, ...]:
    """Every zone of a state as a player sees it, in the order of the text."""
    found: list[ZoneView] = []
    for column in engine.layout.columns.values():
        variable = column.variable
        if variable.storage is Storage.VALUE:
            continue
        for at in range(column.count):
            index = None if variable.index is None else column.offset + at
            owner = index if isinstance(variable.index, types.Player) else None
            tiles: tuple[int, ...] = state[column.start + at]
            seen = tiles if may_see(variable, owner, viewer) else None
            found.append(ZoneView(variable.name, index, len(tiles), seen))
    return tuple(found)
