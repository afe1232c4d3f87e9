"""States with coordinates in place of cell indices, so that a position can move from one window to another."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import define, field
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Variable
from rulewright.rules.model.state import COUNTED, POINT, SEED, Column, State

from .engine import Engine

Coordinate = tuple[int, ...]
"""A cell's column, row and level, or its number on a ring or graph; empty for nowhere."""

NOWHERE: Coordinate = ()

Value = int | Coordinate
"""A variable's value: a coordinate if its type is a cell, otherwise the number stored in a state."""

Key = tuple[str, int | None]
"""A variable and its index: a player, a member of an enumeration, or None without an index."""


@define
class CoordinateState:
    """The contents of a state, mutable: `point` is the number of its choice, `seed` that of its random generator.

    `fields` are the variables over cells, sparse: only values that differ from the initial one.
    """

    point: int
    seed: int
    values: dict[Key, Value] = field(factory=dict)
    zones: dict[Key, tuple[int, ...]] = field(factory=dict)
    fields: dict[str, dict[Coordinate, Value]] = field(factory=dict)

    def tiles(self, game: Game) -> Iterator[int]:
        """Every tile on the boards and in the zones, by number."""
        for zone in self.zones.values():
            yield from zone
        for name, cells in self.fields.items():
            if game.variables[name].is_board:
                yield from (tile for tile in cells.values() if isinstance(tile, int))


def to_coordinates(engine: Engine, state: State) -> CoordinateState:
    """The contents of a state."""
    coordinates = CoordinateState(state[POINT], state[SEED])
    for name, column in engine.layout.columns.items():
        if column.over_cells:
            coordinates.fields[name] = _field_of(engine, column, state)
            continue
        for slot, key in slots(column):
            if column.variable.is_zone:
                coordinates.zones[key] = state[slot]
            else:
                coordinates.values[key] = _value_of(engine, column.variable, state[slot])
    return coordinates


def from_coordinates(engine: Engine, coordinates: CoordinateState) -> State:
    """The state with these contents; a cell outside the engine's window becomes nowhere."""
    state = list(engine.unset)
    state[POINT], state[SEED], state[COUNTED] = coordinates.point, coordinates.seed, 0
    for name, column in engine.layout.columns.items():
        if column.over_cells:
            cells = list(state[column.start])
            for coordinate, value in coordinates.fields[name].items():
                cell = engine.instance.windows[column.variable.space].cell(coordinate)
                if cell < len(cells) - 1:
                    cells[cell] = _number_of(engine, column.variable, value)
            state[column.start] = bytes(cells) if column.as_bytes else tuple(cells)
            continue
        for slot, key in slots(column):
            if column.variable.is_zone:
                state[slot] = coordinates.zones[key]
            else:
                state[slot] = _number_of(engine, column.variable, coordinates.values[key])
    return tuple(state)


def slots(column: Column) -> Iterator[tuple[int, Key]]:
    """The columns of a variable that is not over cells, each with its key."""
    variable = column.variable
    for number in range(column.count):
        yield column.start + number, (variable.name, None if variable.index is None else column.offset + number)


def initial_value(engine: Engine, name: str) -> Value:
    """The value before set-up of a variable over cells, equal at all cells."""
    column = engine.layout.columns[name]
    return _value_of(engine, column.variable, engine.unset[column.start][0])


def cells_in_use(game: Game, coordinates: CoordinateState) -> Iterator[tuple[str, Coordinate]]:
    """Every cell that holds something or that a variable refers to, with its space."""
    for name, field_ in coordinates.fields.items():
        yield from ((game.variables[name].space, coordinate) for coordinate in field_)
        match game.variables[name].type:
            case types.Cell(space):
                yield from ((space, c) for c in field_.values() if isinstance(c, tuple) and c)
    for (name, _), value in coordinates.values.items():
        match game.variables[name].type, value:
            case types.Cell(space), (_, *_) as coordinate:
                yield space, tuple(coordinate)


def _field_of(engine: Engine, column: Column, state: State) -> dict[Coordinate, Value]:
    window = engine.instance.windows[column.variable.space]
    initial = engine.unset[column.start][0]
    return {
        window.coordinates[cell]: _value_of(engine, column.variable, value)
        for cell, value in enumerate(state[column.start][:-1])
        if value != initial
    }


def _value_of(engine: Engine, variable: Variable, number: int) -> Value:
    match variable.type:
        case types.Cell(space):
            window = engine.instance.windows[space]
            return NOWHERE if number == window.nowhere else window.coordinates[number]
        case _:
            return number


def _number_of(engine: Engine, variable: Variable, value: Value) -> int:
    match variable.type:
        case types.Cell(space):
            assert isinstance(value, tuple)
            return engine.instance.windows[space].cell(value)
        case _:
            assert isinstance(value, int)
            return value
