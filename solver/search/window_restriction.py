"""Restricts unbounded spaces to smaller windows, around what lies there: a heuristic restriction, for finding plans only.

States of a small window are quicker to copy and to hash. A plan found there is replayed in the large window before it counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.base.records import frozen
from rulewright.rules.model import types
from rulewright.rules.model.game import Parameter
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import HEADER_WIDTH, Column
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.spaces.from_tree import Extent
from rulewright.rules.spaces.window import Window


@frozen
class Narrowed:
    """An engine with smaller windows, the state there, and the translation of its moves."""

    engine: Engine
    state: State
    _wide: Engine

    def widened(self, plan: Iterable[Move]) -> tuple[Move, ...]:
        """The moves in the large windows."""
        return _translated(self._wide, self.engine, plan)

    def within(self, plan: tuple[Move, ...]) -> tuple[Move, ...] | None:
        """Moves of the large windows in the small ones; None where they leave them."""
        found = _translated(self.engine, self._wide, plan)
        return found if self.widened(found) == plan else None


def margin(state: State) -> int:
    """The cells around what lies that plans are given; measured: good plans stay compact."""
    coming = sum(len(column) for column in state if isinstance(column, tuple))
    return 3 + int(coming**0.5 + 1)


def narrowed(engine: Engine, state: State, margin: int) -> Narrowed | None:
    """The position with a margin around all that lies there; None unless the windows shrink to less than half."""
    extents: dict[str, Extent] = {}
    for name, window in engine.instance.windows.items():
        if window.unbounded:
            extent = _extent(engine, state, name, margin)
            if extent is None:
                return None
            extents[name] = extent
    if not extents:
        return None
    small = Engine.of(engine.game, engine.instance.players, extents, engine.horizon)
    if sum(w.size for w in small.instance.windows.values()) * 2 > sum(w.size for w in engine.instance.windows.values()):
        return None
    columns = list(state[:HEADER_WIDTH])
    for name, column in engine.layout.columns.items():
        columns += _columns(engine, small, state, column, small.layout.columns[name])
    return Narrowed(small, tuple(columns), engine)


def _translated(engine: Engine, other: Engine, plan: Iterable[Move]) -> tuple[Move, ...]:
    """The moves of another engine in the windows of this one."""
    actions = list(engine.game.actions.values())
    return tuple(
        move if move[0] < 0 else (move[0], *_arguments(engine, other, move, actions[move[0]].parameters)) for move in plan
    )


def _arguments(engine: Engine, other: Engine, move: Move, parameters: Iterable[Parameter]) -> Iterable[int]:
    for value, parameter in zip(move[1:], parameters, strict=True):
        match parameter.type:
            case types.Cell(space):
                yield _moved(other.instance.windows[space], engine.instance.windows[space], value)
            case _:
                yield value


def _extent(engine: Engine, state: State, space: str, margin: int) -> Extent | None:
    """The bounding box of all that is on a space, and the margin, within the present window."""
    window = engine.instance.windows[space]
    cells = set(_cells(engine, state, space)) | {window.origin}
    cells.discard(window.nowhere)
    if not cells:
        return None
    axes = list(zip(*(window.coordinates[cell] for cell in cells), strict=True))
    all_axes = list(zip(*window.coordinates, strict=True))
    low = tuple(max(min(axis) - margin, min(whole)) for axis, whole in zip(axes, all_axes, strict=True))
    high = tuple(min(max(axis) + margin, max(whole)) for axis, whole in zip(axes, all_axes, strict=True))
    return Extent(low, high)


def _cells(engine: Engine, state: State, space: str) -> Iterable[int]:
    """The cells that a state holds something on, or refers to."""
    for column in engine.layout.columns.values():
        if column.over_cells and column.variable.index == types.Cell(space):
            usual = engine.unset[column.start][0]
            yield from (cell for cell, value in enumerate(state[column.start][:-1]) if value != usual)
        if column.variable.type == types.Cell(space):
            for at in range(column.start, column.start + column.count):
                yield from state[at] if column.over_cells else (state[at],)


def _columns(engine: Engine, small: Engine, state: State, old: Column, new: Column) -> Iterable[object]:
    for at in range(old.start, old.start + old.count):
        value = state[at]
        if old.over_cells:
            assert isinstance(old.variable.index, types.Cell)
            window, narrow = (e.instance.windows[old.variable.index.space] for e in (engine, small))
            cells = [_value(engine, small, old, value[_moved(narrow, window, cell)]) for cell in range(narrow.size + 1)]
            yield bytes(cells) if new.as_bytes else tuple(cells)
        elif isinstance(value, tuple):
            yield value
        else:
            yield _value(engine, small, old, value)


def _value(engine: Engine, small: Engine, column: Column, value: int) -> int:
    match column.variable.type:
        case types.Cell(space):
            return _moved(engine.instance.windows[space], small.instance.windows[space], value)
        case _:
            return value


def _moved(window: Window, other: Window, cell: int) -> int:
    """The same cell in another window."""
    return other.nowhere if cell >= window.size else other.cell(window.coordinates[cell])
