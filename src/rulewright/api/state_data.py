"""A state for scripts: boards cell by cell, and every visible variable."""

from __future__ import annotations

from typing import Any, TypedDict

from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import types
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, State, describe_cell, describe_value
from rulewright.rules.play.visibility import Viewer

Cell = list[int] | str | None
"""`[column, row]` or with a level, the name of a node of a graph, null for nowhere."""


class TileOnCell(TypedDict):
    """A tile on a board; `name` is the cell as moves name it."""

    cell: Cell
    name: str
    tile: str


class Situation(TypedDict):
    """A state: boards cell by cell, and every variable, by index if it has one; `{"hidden": N}` for what nobody sees."""

    player: int
    over: bool
    score: int
    boards: dict[str, list[TileOnCell]]
    state: dict[str, Any]


def state_as_json(engine: Engine, state: State, viewer: Viewer) -> Situation:
    """A state for scripts."""
    columns = engine.layout.columns.values()
    return {
        "player": engine.player(state),
        "over": engine.over(state),
        "score": engine.score(state),
        "boards": {c.variable.name: _board(engine, state, c) for c in columns if c.variable.is_board},
        "state": {
            c.variable.name: _variable(engine, state, c, viewer)
            for c in columns
            if not c.variable.is_board and not c.variable.is_loop
        },
    }


def cell_as_json(engine: Engine, space: str, cell: int) -> list[int] | str | None:
    """`[column, row]`, the name of a graph's node; null for nowhere."""
    window = engine.instance.windows[space]
    if cell == window.nowhere:
        return None
    return window.names[cell] if window.shape is Shape.GRAPH else list(window.coordinates[cell])


def value_as_json(engine: Engine, type: types.Type, value: int) -> Any:
    """A value as JSON: numbers and truth values as such, a cell as its coordinates, anything else by name."""
    match type:
        case types.Number() | types.Player():
            return value
        case types.Truth():
            return bool(value)
        case types.Cell(space):
            return cell_as_json(engine, space, value)
        case types.Tile() if value == 0:
            return None
        case types.Direction() if value < 0:
            return None
        case other:
            return describe_value(engine, other, value)


def _board(engine: Engine, state: State, column: Column) -> list[TileOnCell]:
    space, tiles = column.variable.name, engine.game.tiles
    window, cells = engine.instance.windows[space], enumerate(state[column.start][:-1])
    return [
        {"cell": cell_as_json(engine, space, cell), "name": describe_cell(window, cell), "tile": tiles[tile - 1].name}
        for cell, tile in cells
        if tile
    ]


def _variable(engine: Engine, state: State, column: Column, viewer: Viewer) -> Any:
    variable = column.variable
    match variable.index:
        case types.Cell() if not viewer.sees(engine, state, variable, None):
            return {"hidden": len(state[column.start]) - 1}
        case types.Cell(space):
            values = enumerate(state[column.start][:-1])
            return [
                {"cell": cell_as_json(engine, space, c), "value": value_as_json(engine, variable.type, v)}
                for c, v in values
                if v
            ]
        case None:
            return _one(engine, state, column, 0, viewer)
        case index:
            return {
                describe_value(engine, index, column.offset + n): _one(engine, state, column, n, viewer)
                for n in range(column.count)
            }


def _one(engine: Engine, state: State, column: Column, number: int, viewer: Viewer) -> Any:
    variable, value = column.variable, state[column.start + number]
    if not viewer.sees(engine, state, variable, column.offset + number):
        return {"hidden": len(value) if variable.is_zone else 1}
    if not variable.is_zone:
        return value_as_json(engine, variable.type, value)
    return [engine.game.tiles[tile - 1].name for tile in value]
