"""A state without windows: cells are coordinates, so that a position can be moved from one window to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field

from ..grammar.classes import define
from ..rules import types
from ..rules.analysis import feeding_zones
from ..rules.engine import IDLE_RADIUS, Engine
from ..rules.game import Game, Storage, Variable
from ..rules.layout import COUNTED, POINT, SEED, Column, State
from ..rules.spaces.window import Extent

Coordinate = tuple[int, ...]
"""Of a cell; empty for nowhere."""

NOWHERE: Coordinate = ()

Value = int | Coordinate
"""A cell is a coordinate, anything else a number as in a state."""

Key = tuple[str, int | None]
"""A variable and the player or the member of an enumeration that it is of."""

BORDER = 2
"""How many cells a window has beyond the reach of the tiles to come."""

FARTHEST = 400
"""The greatest coordinate that may be written in an unbounded space: a window is kept around all of them."""


@define
class Sheet:
    """The contents of a state. `fields` are the variables over cells: only what differs from their initial value."""

    point: int
    seed: int
    values: dict[Key, Value] = field(factory=dict)
    zones: dict[Key, tuple[int, ...]] = field(factory=dict)
    fields: dict[str, dict[Coordinate, Value]] = field(factory=dict)

    def tiles(self, game: Game) -> Iterator[int]:
        """Every tile there is: on boards and in zones."""
        for zone in self.zones.values():
            yield from zone
        for name, cells in self.fields.items():
            if game.variables[name].is_board:
                yield from (tile for tile in cells.values() if isinstance(tile, int))


def sheet_of(engine: Engine, state: State) -> Sheet:
    """What a state says."""
    sheet = Sheet(state[POINT], state[SEED])
    for name, column in engine.layout.columns.items():
        if column.over_cells:
            sheet.fields[name] = _field_of(engine, column, state)
            continue
        for at, key in keys(column):
            if column.variable.storage is Storage.VALUE:
                sheet.values[key] = _value_of(engine, column.variable, state[at])
            else:
                sheet.zones[key] = state[at]
    return sheet


def state_of(engine: Engine, sheet: Sheet) -> State:
    """The state that says so; a cell outside of the engine's window is nowhere."""
    state = list(engine.unset)
    state[POINT], state[SEED], state[COUNTED] = sheet.point, sheet.seed, 0
    for name, column in engine.layout.columns.items():
        if column.over_cells:
            cells = list(state[column.start])
            for coordinate, value in sheet.fields[name].items():
                cell = engine.ground.windows[_space(column.variable)].cell(coordinate)
                if cell < len(cells) - 1:
                    cells[cell] = _number_of(engine, column.variable, value)
            state[column.start] = bytes(cells) if column.as_bytes else tuple(cells)
            continue
        for at, key in keys(column):
            if column.variable.storage is Storage.VALUE:
                state[at] = _number_of(engine, column.variable, sheet.values[key])
            else:
                state[at] = sheet.zones[key]
    return tuple(state)


def keys(column: Column) -> Iterator[tuple[int, Key]]:
    """The columns of a variable that is not over cells, each with what it is of."""
    variable = column.variable
    for n in range(column.count):
        yield column.start + n, (variable.name, None if variable.index is None else column.offset + n)


def initial(engine: Engine, name: str) -> Value:
    """What a variable over cells has at a cell of which nothing is said."""
    column = engine.layout.columns[name]
    return _value_of(engine, column.variable, engine.unset[column.start][0])


def extents_of(game: Game, sheet: Sheet, drawn: Iterable[tuple[str, Coordinate]]) -> dict[str, Extent]:
    """The window that each unbounded space needs: what is there and what is drawn, and room for the tiles to come."""
    cells: dict[str, list[Coordinate]] = {}
    for name, coordinate in (*drawn, *_mentioned(game, sheet)):
        cells.setdefault(name, []).append(coordinate)
    feeding = feeding_zones(game)
    coming = sum(len(tiles) for (name, _), tiles in sheet.zones.items() if name in feeding) + BORDER
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


def _mentioned(game: Game, sheet: Sheet) -> Iterator[tuple[str, Coordinate]]:
    """Every cell that something stands on or points at."""
    for name, field_ in sheet.fields.items():
        yield from ((_space(game.variables[name]), coordinate) for coordinate in field_)
        match game.variables[name].type:
            case types.Cell(space):
                yield from ((space, c) for c in field_.values() if isinstance(c, tuple) and c)
    for (name, _), value in sheet.values.items():
        match game.variables[name].type, value:
            case types.Cell(space), (_, *_) as coordinate:
                yield space, tuple(coordinate)


def _field_of(engine: Engine, column: Column, state: State) -> dict[Coordinate, Value]:
    window = engine.ground.windows[_space(column.variable)]
    usual = engine.unset[column.start][0]
    return {
        window.coordinates[cell]: _value_of(engine, column.variable, value)
        for cell, value in enumerate(state[column.start][:-1])
        if value != usual
    }


def _value_of(engine: Engine, variable: Variable, number: int) -> Value:
    match variable.type:
        case types.Cell(space):
            window = engine.ground.windows[space]
            return NOWHERE if number == window.nowhere else window.coordinates[number]
        case _:
            return number


def _number_of(engine: Engine, variable: Variable, value: Value) -> int:
    match variable.type:
        case types.Cell(space):
            assert isinstance(value, tuple)
            return engine.ground.windows[space].cell(value)
        case _:
            assert isinstance(value, int)
            return value


def _space(variable: Variable) -> str:
    assert isinstance(variable.index, types.Cell)
    return variable.index.space
