"""Restricts unbounded spaces to smaller windows around the occupied cells: a heuristic restriction, for finding plans only.

States of a small window are faster to copy and hash. A plan found there is replayed in the large window before it counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.base.records import frozen
from rulewright.rules.model import types
from rulewright.rules.model.game import Parameter
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import COUNTED
from rulewright.rules.play.coordinates import Coordinate, cells_in_use, from_coordinates, to_coordinates
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.spaces.from_tree import Extent
from rulewright.rules.spaces.window import Window


@frozen
class Narrowed:
    """An engine with smaller windows, the state in it, and the translation of its moves."""

    engine: Engine
    state: State
    _wide: Engine

    def widened(self, plan: Iterable[Move]) -> tuple[Move, ...]:
        """The moves in the large windows."""
        return _translated(self._wide, self.engine, plan)

    def within(self, plan: tuple[Move, ...]) -> tuple[Move, ...] | None:
        """Moves of the large windows in the small ones; None if they leave the small windows."""
        found = _translated(self.engine, self._wide, plan)
        return found if self.widened(found) == plan else None


def margin(state: State) -> int:
    """Cells of margin around the occupied cells. Measured: good plans stay compact."""
    coming = sum(len(column) for column in state if isinstance(column, tuple))
    return 3 + int(coming**0.5 + 1)


def narrowed(engine: Engine, state: State, margin: int) -> Narrowed | None:
    """The position with a margin around all occupied cells; None unless the windows shrink to less than half."""
    coordinates, windows = to_coordinates(engine, state), engine.instance.windows
    unbounded: dict[str, list[Coordinate]] = {
        name: [window.coordinates[window.origin]] if window.origin != window.nowhere else []
        for name, window in windows.items()
        if window.unbounded
    }
    for name, coordinate in cells_in_use(engine.game, coordinates):
        if name in unbounded:
            unbounded[name].append(coordinate)
    if not unbounded or not all(unbounded.values()):
        return None
    extents = {name: _extent(windows[name], cells, margin) for name, cells in unbounded.items()}
    small = Engine.of(engine.game, engine.instance.players, extents, engine.horizon)
    if sum(w.size for w in small.instance.windows.values()) * 2 > sum(w.size for w in windows.values()):
        return None
    columns = list(from_coordinates(small, coordinates))
    columns[COUNTED] = state[COUNTED]
    return Narrowed(small, tuple(columns), engine)


def _translated(engine: Engine, other: Engine, plan: Iterable[Move]) -> tuple[Move, ...]:
    """The moves of the engine `other`, translated into the windows of `engine`."""
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


def _extent(window: Window, cells: Iterable[Coordinate], margin: int) -> Extent:
    """The bounding box of some cells plus the margin, within the present window."""
    axes = [(min(axis), max(axis)) for axis in zip(*cells, strict=True)]
    limits = [(min(axis), max(axis)) for axis in zip(*window.coordinates, strict=True)]
    low = tuple(max(first - margin, least) for (first, _), (least, _) in zip(axes, limits, strict=True))
    high = tuple(min(last + margin, most) for (_, last), (_, most) in zip(axes, limits, strict=True))
    return Extent(low, high)


def _moved(window: Window, other: Window, cell: int) -> int:
    """The same cell in another window."""
    return other.nowhere if cell >= window.size else other.cell(window.coordinates[cell])
