"""Tiles laid by hand, ignoring the rules: a position from which a puzzle can be made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.base.refusals import Refused
from rulewright.pictures.things import thing_name, thing_of
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Storage, turned_name
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, State

Step = tuple[str, str]
"""The source and target of a moved tile: cells, or a kind of tile in a hand or the box; "" is the box."""


def arranged(engine: Engine, state: State, steps: Sequence[Step]) -> State:
    """A state with some tiles moved. Raises `Refused` if there is no such tile or place."""
    table = _Table(engine, list(state))
    for source, target in steps:
        tile, turn = table.take(source)
        table.put(target, tile, turn)
    return tuple(table.columns)


def palette(engine: Engine, state: State) -> Iterator[dict[str, Any]]:
    """The kinds of tiles left in the box."""
    column = engine.layout.columns.get(BOX)
    box = state[column.start] if column is not None else ()
    for tile in sorted(set(box)):
        name = engine.game.tiles[tile - 1].name
        yield {"thing": thing_name(types.Tile(), tile), "name": name, "count": box.count(tile)}


@define(eq=False)
class _Table:
    """A mutable state."""

    engine: Engine
    columns: list[Any] = field()

    def take(self, name: str) -> tuple[int, int]:
        """Take a tile from its place; returns its kind and rotation."""
        match _thing(name):
            case types.Cell() as cell, at:
                turn = self._set(turned_name(cell.space), at, 0)
                tile = self._set(cell.space, at, 0)
                if not tile:
                    raise Refused("there is no tile here")
                return tile, turn
            case _, tile:
                for start in self._zones():
                    if tile in self.columns[start]:
                        zone = list(self.columns[start])
                        zone.remove(tile)
                        self.columns[start] = tuple(zone)
                        return tile, 0
        raise Refused("no such tile is left")

    def put(self, name: str, tile: int, turn: int) -> None:
        """Put a tile on a cell, or into the box; a tile already on the cell goes to the box."""
        if not name:
            self._into_box(tile)
            return
        match _thing(name):
            case types.Cell() as cell, at:
                before = self._set(cell.space, at, tile)
                self._set(turned_name(cell.space), at, turn)
                if before:
                    self._into_box(before)
            case _:
                raise Refused("drop the tile on a cell, or back into the box")

    def _set(self, space: str, cell: int, value: int) -> int:
        """Set the value of a cell; returns the old value, 0 if the game has no such board."""
        column = self.engine.layout.columns.get(space)
        if column is None or not column.over_cells:
            if not value:
                return 0
            raise Refused("there are no tiles here")
        board = list(self.columns[column.start])
        if not 0 <= cell < len(board) - 1:
            raise Refused("there is no such cell")
        before, board[cell] = int(board[cell]), value
        self.columns[column.start] = bytes(board) if column.as_bytes else tuple(board)
        return before

    def _into_box(self, tile: int) -> None:
        column = self.engine.layout.columns.get(BOX)
        if column is not None:
            self.columns[column.start] = tuple(sorted((*self.columns[column.start], tile)))

    def _zones(self) -> Iterator[int]:
        """The columns of zones: the box first, then those of the player to move."""
        zones = [column for column in self.engine.layout.columns.values() if _is_zone(column)]
        player = self.engine.player(tuple(self.columns))
        own = [c.start + player - c.offset for c in zones if c.variable.index == types.Player() and player]
        yield from (column.start for column in zones if column.variable.name == BOX)
        yield from own
        yield from (start for column in zones for start in range(column.start, column.start + column.count))


def _is_zone(column: Column) -> bool:
    return column.variable.storage is not Storage.VALUE and not column.over_cells


def _thing(name: str) -> tuple[types.Cell | types.Tile, int]:
    try:
        return thing_of(name)
    except ValueError:
        raise Refused("nothing on the board has this name") from None
