"""The turns of a game, for turn-by-turn searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.base.records import frozen
from rulewright.rules.model import types
from rulewright.rules.model.game import Parameter
from rulewright.rules.model.state import COUNTED, FOREVER, OVER, POINT, Horizon, Move
from rulewright.rules.play.coordinates import Coordinate, cells_in_use, from_coordinates, to_coordinates
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.spaces.from_tree import Extent
from rulewright.rules.spaces.window import Window

from .problem import Problem

FEW_COMING, MANY_COMING = 14, 34
"""Tiles to come. Measured: with 14, exact search usually ends; with 34, no bound becomes tight within minutes."""

MANY_TURNS = 20
"""Horizons of at most this many turns are left to exact search, however many tiles are to come."""


def plans_share(problem: Problem) -> float:
    """The share of the time for the plan search that precedes exact search; it grows with the number of tiles to come.

    At 1.0 there is no exact search.
    """
    horizon = problem.engine.horizon
    if (horizon is not None and horizon.times <= MANY_TURNS) or problem.board_sums is None:
        return 0.0
    coming = tiles_coming(problem, problem.root)
    return min(max(0.0, (coming - FEW_COMING) / (MANY_COMING - FEW_COMING)), 1.0) ** 2


def tiles_coming(problem: Problem, state: State) -> int:
    """The number of tiles in the supplies of a state."""
    return sum(len(state[at]) for at in problem.reachable.supplies)


def turns_of(problem: Problem, plan: Sequence[Move]) -> list[tuple[int, State]]:
    """The index in a plan at which each turn begins, and the state there."""
    state = problem.root
    found = [(0, state)]
    for place, move in enumerate(plan, 1):
        turn = state[COUNTED]
        state = problem.engine.apply(state, move)
        if state[POINT] != OVER and state[COUNTED] != turn:
            found.append((place, state))
    return found


def counting_turns(engine: Engine, state: State) -> Engine:
    """The game with a turn counter in its state: for the horizon's point, else the innermost point."""
    choice = engine.choice(state)
    if engine.horizon is not None or choice is None or not choice.points:
        return engine
    return engine.with_horizon(Horizon(choice.points[-1], FOREVER))


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
