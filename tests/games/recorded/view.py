"""A state as a few lines that a reader can hold against the rulebook: boards drawn, zones and numbers listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.rules.model import types
from rulewright.rules.model.game import BOX
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, State, describe_value
from rulewright.rules.spaces.drawing import draw_rows
from rulewright.rules.spaces.window import Extent, Window

SMALL = 100
"""Cells of a board that is always drawn whole."""

MOST_NAMED = 12
"""Of longer piles only the number of tiles is given."""


def show(engine: Engine, state: State) -> Iterator[str]:
    """The lines of a state; what is empty, zero or nowhere is left out."""
    for space in engine.game.spaces:
        texts = _texts(engine, state, space)
        if texts:
            window = engine.instance.windows[space]
            yield from (f"    {row}".rstrip() for row in draw_rows(window, texts, _box(window, texts)))
    for column in engine.layout.columns.values():
        if not column.over_cells and not column.variable.is_loop:
            yield from _values(engine, state, column)


def _box(window: Window, texts: Mapping[int, str]) -> Extent | None:
    """All of a bounded window, of a large one without what is vacant in the south and east."""
    if window.unbounded or window.size <= SMALL:
        return None
    low = tuple(map(min, zip(*window.coordinates, strict=True)))
    high = tuple(map(max, zip(*(window.coordinates[cell] for cell in texts), strict=True)))
    return Extent(low, high)


def _texts(engine: Engine, state: State, space: str) -> dict[int, str]:
    """What stands on each cell of a space: tiles, values over its cells, and the pieces that are there."""
    window = engine.instance.windows[space]
    texts: dict[int, str] = {}
    for name, column in engine.layout.columns.items():
        variable = column.variable
        if column.over_cells and variable.index == types.Cell(space):
            for cell, value in enumerate(state[column.start][:-1]):
                if value:
                    text = name if variable.type == types.Truth() else describe_value(engine, variable.type, value)
                    texts[cell] = f"{texts[cell]}+{text}" if cell in texts else text
        elif variable.type == types.Cell(space) and variable.index in (None, types.Player()):
            for n in range(column.count):
                mark = f"@{column.offset + n}" if variable.index else f"@{name}"
                if (cell := state[column.start + n]) != window.nowhere:
                    texts[cell] = texts.get(cell, ".") + mark
    return texts


def _values(engine: Engine, state: State, column: Column) -> Iterator[str]:
    variable = column.variable
    for n in range(column.count):
        value = state[column.start + n]
        label = variable.name
        if variable.index is not None:
            label = f"{variable.name} {describe_value(engine, variable.index, column.offset + n)}"
        if variable.is_zone:
            if value and variable.name != BOX:
                yield f"    {label}: {_tiles(engine, value)}"
        elif value and not isinstance(variable.type, types.Cell):
            yield f"    {label}: {describe_value(engine, variable.type, value)}"


def _tiles(engine: Engine, zone: tuple[int, ...]) -> str:
    if len(zone) > MOST_NAMED:
        return f"{len(zone)} tiles"
    return ", ".join(engine.game.tiles[tile - 1].name for tile in zone)
