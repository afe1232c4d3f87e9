"""States of a game, the moves between them, and the horizon of play."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from rulewright.base.records import frozen

from . import types
from .game import BOX, Variable
from .instance import Instance

Move = tuple[int, ...]
"""The number of an action, then its arguments; `STOP` is the choice to stop."""

STOP: Move = (-1,)


FOREVER = 10**9
"""Stands for more turns than any game has, for a horizon that only counts them."""


@frozen
class Horizon:
    """Play ends when the flow's point `point` has been left `times` times."""

    point: str
    times: int


State = tuple[Any, ...]
"""A state's columns: an int for a value, bytes (or a tuple of ints) for a variable over cells, a tuple of tiles for a zone.

Sets are sorted; a pile's first tile is its top. The header columns precede those of the variables."""

POINT, SEED, COUNTED, HEADER_WIDTH = 0, 1, 2, 3
"""Indices of the header: the current choice (`OVER` at the end), the state of the random generator, and the count of the
horizon's point."""

OVER = -1


def reseeded(state: State, seed: Any) -> State:
    """The same state with other chance to come."""
    return (*state[:SEED], seed, *state[SEED + 1 :])


@frozen
class Column:
    """The columns of one variable: `start` is the first of `count`, `offset` the first value of its index."""

    variable: Variable
    start: int
    count: int
    offset: int = 0
    over_cells: bool = False
    as_bytes: bool = False


@frozen
class StateLayout:
    """The columns of a grounded game."""

    columns: dict[str, Column]
    width: int

    def position(self, name: str, index: int | None) -> int:
        """The column of a variable at an index; for a variable over cells, its single column. Raises `IndexError`."""
        column = self.columns[name]
        if index is None or column.over_cells:
            return column.start
        if not 0 <= index - column.offset < column.count:
            raise IndexError(f"{name} of {index}")
        return column.start + index - column.offset


def layout_of(instance: Instance) -> StateLayout:
    """Assign columns to every variable, in the order of the text."""
    columns: dict[str, Column] = {}
    at = HEADER_WIDTH
    for variable in instance.game.variables.values():
        if isinstance(variable.index, types.Cell):
            allowed = value_range(instance, variable)
            small = allowed.start >= 0 and allowed.stop <= 256
            column = Column(variable, at, 1, 0, over_cells=True, as_bytes=small)
        else:
            domain = range(1) if variable.index is None else instance.domain(variable.index)
            column = Column(variable, at, len(domain), domain.start)
        columns[variable.name], at = column, at + column.count
    return StateLayout(columns, at)


def value_range(instance: Instance, variable: Variable) -> range:
    """The domain of a variable, including the values for nothing and nowhere."""
    match variable.type:
        case types.Number() if variable.is_loop:
            return instance.laps[variable.name]
        case types.Number():
            return range(variable.low, variable.high + 1)
        case types.Tile():
            return range(len(instance.game.tiles) + 1)
        case types.Cell(space):
            return range(instance.windows[space].size + 1)
        case types.Place(pattern):
            return range(len(instance.game.patterns[pattern].places) + 1)
        case other:
            return instance.domain(other)


def empty_state(instance: Instance, layout: StateLayout) -> State:
    """The state before set-up: zones and boards empty, all tiles in the box, numbers at their least."""
    state: list[Any] = [OVER, 0, 0]
    for column in layout.columns.values():
        variable = column.variable
        if variable.is_zone:
            state += [()] * column.count
        elif column.over_cells:
            cells = [least_value(instance, variable)] * (instance.windows[variable.space].size + 1)
            state.append(bytes(cells) if column.as_bytes else tuple(cells))
        else:
            state += [least_value(instance, variable)] * column.count
    if BOX in layout.columns:
        tiles = instance.game.tiles
        state[layout.columns[BOX].start] = tuple(
            n for n, kind in enumerate(tiles, 1) if not kind.owned for _ in range(kind.count)
        )
        for column in layout.columns.values():
            if column.variable.pieces == column.variable.name:
                owned = tuple(
                    n for n, kind in enumerate(tiles, 1) if kind.group == column.variable.name for _ in range(kind.count)
                )
                state[column.start : column.start + column.count] = [owned] * column.count
    return tuple(state)


def least_value(instance: Instance, variable: Variable) -> int:
    """The value of a variable without an initial value."""
    match variable.type:
        case types.Cell() | types.Place():
            return instance.none(variable.type)
        case types.Number() if variable.is_loop:
            return 0
        case _:
            return value_range(instance, variable).start


_CHUNK = 512
"""So many bytes of a column are compared at once with vacant ones."""

_VACANT_CHUNK = bytes(_CHUNK)
_skip_vacant = re.compile(rb"\0*").match


def values_near(column: bytes | tuple[int, ...], values: Sequence[int], near: Sequence[Sequence[int]]) -> list[int]:
    """Those of some values that the occupied cells of a column allow; `near` has their numbers, by cell."""
    return [values[number] for number in sorted({number for cell in occupied_cells(column) for number in near[cell]})]


def occupied_cells(column: bytes | tuple[int, ...]) -> list[int]:
    """The indices of the occupied cells of a board's column, ascending."""
    if isinstance(column, tuple):
        return [cell for cell, tile in enumerate(column) if tile]
    found: list[int] = []
    # A large board is mostly vacant: whole chunks are skipped.
    for start in range(0, len(column), _CHUNK):
        if column[start : start + _CHUNK] != _VACANT_CHUNK:
            stop = min(start + _CHUNK, len(column))
            cell = _skip_vacant(column, start, stop).end()  # type: ignore[union-attr]  # it matches anything
            while cell < stop:
                found.append(cell)
                cell = _skip_vacant(column, cell + 1, stop).end()  # type: ignore[union-attr]
    return found


def marked_cells(column: bytes | tuple[int, ...], least: int) -> list[int]:
    """The indices of the cells where a variable differs from its least value, ascending."""
    return occupied_cells(column) if least == 0 else [cell for cell, value in enumerate(column) if value != least]


@lru_cache(maxsize=4096)
def cells_of_kinds(column: bytes, kinds: bytes) -> tuple[int, ...]:
    """The indices of the cells of a board's column with a tile of some kinds, ascending.

    Cached: each board is queried many times.
    """
    if not kinds:
        return ()
    return tuple(found.start() for found in re.finditer(b"[" + re.escape(kinds) + b"]", column))


# Zones -------------------------------------------------------------------------------------------

Tiles = tuple[int, ...]


def without(tiles: Tiles, tile: int, bottom: bool) -> Tiles | None:
    """The tiles without the first of a kind from one end; None if there is none."""
    if tile not in tiles:
        return None
    ordered = tiles[::-1] if bottom else tiles
    place = ordered.index(tile)
    left = ordered[:place] + ordered[place + 1 :]
    return left[::-1] if bottom else left


def dealt(tiles: Tiles, number: int | None, bottom: bool) -> tuple[Tiles, Tiles]:
    """The `number` tiles (None: all) dealt from one end, in the order in which they go, and the tiles left."""
    ordered = tiles[::-1] if bottom else tiles
    many = len(tiles) if number is None else max(number, 0)
    moved, left = ordered[:many], ordered[many:]
    return moved, left[::-1] if bottom else left


def with_more(tiles: Tiles, more: Tiles, bottom: bool, is_pile: bool) -> Tiles:
    """The tiles with more added one by one: to one end of a pile, else in sorted order."""
    if is_pile:
        return tiles + more if bottom else more[::-1] + tiles
    found = list(tiles)
    for tile in more:
        insort(found, tile)
    return tuple(found)
