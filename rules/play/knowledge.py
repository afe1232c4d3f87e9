"""What a player knows of a state, and in words what tells states apart that they know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Storage
from rulewright.rules.model.state import COUNTED, POINT, Column

from .engine import Engine, State, describe_cell, describe_value
from .visibility import EVERYONE, Viewer


def sight(engine: Engine, player: int) -> Callable[[State], tuple[Any, ...]]:
    """What a player sees of a state: the point of play, values and zones; of a hidden zone its size."""
    shown, counted = [POINT, COUNTED], []
    for column, number in _columns(engine):
        at = column.start + number
        if _sees(engine, player, column, number):
            shown.append(at)
        elif column.variable.storage is not Storage.VALUE:
            counted.append(at)

    def seen(state: State) -> tuple[Any, ...]:
        return (*(state[at] for at in shown), *(len(state[at]) for at in counted))

    return seen


def told_apart(engine: Engine, player: int, states: Sequence[State]) -> list[list[str]]:
    """For each state, in words, the values that a player sees and that are not the same in all of them: `hand: jack`.

    A value that is what it was before the set-up is left out.
    """
    found: list[list[str]] = [[] for _ in states]
    for column, number in _columns(engine):
        values = [state[column.start + number] for state in states]
        if len(set(values)) == 1 or column.variable.is_loop or not _sees(engine, player, column, number):
            continue
        for said, value in zip(found, values, strict=True):
            if value != engine.unset[column.start + number]:
                said.append(f"{_label(engine, player, column, number)}: {_in_words(engine, column, value, values)}")
    return found


def _columns(engine: Engine) -> Iterator[tuple[Column, int]]:
    return ((column, number) for column in engine.layout.columns.values() for number in range(column.count))


def _sees(engine: Engine, player: int, column: Column, number: int) -> bool:
    """Whether a player sees a value or the tiles of a zone; nobody looks into the box."""
    if column.variable.name == BOX:
        return False
    index = None if column.variable.index is None or column.over_cells else column.offset + number
    return Viewer(player=player).audience(engine.instance, column.variable, index) == EVERYONE


def _label(engine: Engine, player: int, column: Column, number: int) -> str:
    """`deck`, `hand` for what is the player's own, `bet of 2`."""
    variable, index = column.variable, column.offset + number
    name = engine.game.called(variable.name)
    if variable.index is None or column.over_cells or (variable.index == types.Player() and index == player):
        return name
    return f"{name} of {describe_value(engine, variable.index, index)}"


def _in_words(engine: Engine, column: Column, value: Any, values: Sequence[Any]) -> str:
    variable = column.variable
    if column.over_cells:
        assert isinstance(variable.index, types.Cell)
        window = engine.instance.windows[variable.index.space]
        differ = [cell for cell in range(window.size) if len({each[cell] for each in values}) > 1]
        return ", ".join(
            f"{describe_cell(window, cell)} {describe_value(engine, variable.type, value[cell])}" for cell in differ
        )
    if variable.storage is Storage.VALUE:
        return describe_value(engine, variable.type, value)
    names = Counter(engine.game.tiles[tile - 1].name for tile in value)
    return ", ".join(f"{name} x{count}" if count > 1 else name for name, count in names.items()) or "none"
