"""Where tiles can come to, when every tile is laid beside a marker: read off what the actions ask of a marker's way.

A marker goes from cell to cell; whether it may depends on the tiles on both. On a board that only grows a way that is barred by
the tiles that lie stays barred. What a way costs, whose turn it is and all else is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import define, evolve, fields, frozen, has

from ..grammar.statements import Assignment
from ..rules import effects as e
from ..rules import terms as t
from ..rules.analysis import Analysis, flat
from ..rules.engine import Engine, State
from ..rules.evaluator import Evaluator, near_directions
from ..rules.game import Action
from ..rules.possible import Cautious, exactly
from ..rules.spaces.window import Window
from .alike import alike_cells, is_near
from .fitting import unknown
from .looks import Noting

HERE = "the marker's cell"
"""A name that no text can have."""


@frozen
class Way:
    """An action that takes a marker to a cell beside it, or lays a tile there; `tile` is the name of that tile."""

    action: Action
    cell: str
    marker: t.Read
    directions: tuple[int, ...]
    lays: bool
    tile: str | None = None

    @property
    def conditions(self) -> list[t.Term]:
        """What it asks, its marker's cell under a name."""
        asked = [r.condition for r in self.action.requirements] + [p.where for p in self.action.parameters if p.where]
        return [_renamed(condition, self.marker) for condition in asked]


@frozen
class Travel:
    """For each of the directions: the kinds of tile that may be laid on the cell there, and the tiles from which a marker may
    go that way, and to which, without laying. It says nothing of cells that are not `alike`. `markers` are columns of a state.
    """

    directions: tuple[int, ...]
    markers: tuple[int, ...]
    lays: tuple[frozenset[int], ...]
    leaves: tuple[frozenset[int], ...]
    enters: tuple[frozenset[int], ...]
    alike: frozenset[int]


def travel(engine: Engine, analysis: Analysis, space: str, root: State, kinds: Iterable[int]) -> Travel | None:
    """How tiles of those kinds, that lie on a board or are to come, bar a marker's way; None where that is not known."""
    if analysis.lays_beside(space, root) is None:
        return None
    ways = _ways(engine, analysis, space)
    alike = alike_cells(engine, space, [condition for way in ways for condition in way.conditions])
    if not ways or not alike:
        return None
    window = engine.ground.windows[space]
    directions = tuple(sorted({direction for way in ways for direction in way.directions}))
    reader = _Reader(engine, space, min(alike, key=lambda cell: abs(cell - window.size // 2)))
    wanted = sorted(set(kinds))
    laying, going = [way for way in ways if way.lays], [way for way in ways if not way.lays]
    lays = tuple(frozenset(k for k in wanted if reader.may_lay(laying, d, k)) for d in directions)
    leaves = tuple(frozenset(k for k in wanted if reader.may_go(going, d, k, 0)) for d in directions)
    enters = tuple(frozenset(k for k in wanted if reader.may_go(going, d, 0, k)) for d in directions)
    if not reader.sees_only_near:
        return None
    columns = [engine.layout.columns[name] for name in sorted({way.marker.variable for way in ways})]
    markers = tuple(at for column in columns for at in range(column.start, column.start + column.count))
    return Travel(directions, markers, lays, leaves, enters, alike)


def _ways(engine: Engine, analysis: Analysis, space: str) -> list[Way]:
    """Every way that a marker may take, when tiles are known to be laid beside markers only; none where one is not known."""
    window = engine.ground.windows[space]
    found: list[Way] = []
    moved: list[tuple[Action, str, t.Term]] = []
    for action in analysis.offered:
        laid: set[t.Term] = set()
        for clause in flat(action.effects):
            match clause.effect:
                case e.Put(tile, where, t.Local(name) as cell) if where == space:
                    laid.add(cell)
                    if (near := _beside(window, action, name)) is None:
                        return []
                    found.append(Way(action, name, *near, True, tile.name if isinstance(tile, t.Local) else None))
                case e.Assign(target, Assignment.SET, value) if value not in laid:
                    moved.append((action, target.variable, value))
                case _:
                    pass
    markers = {way.marker.variable for way in found}
    for action, variable, value in moved:
        if variable in markers:
            if not isinstance(value, t.Local):
                return []
            near = _beside(window, action, value.name)
            if near is None or near[0].variable not in markers:
                return []
            found.append(Way(action, value.name, *near, False))
    return found


def _beside(window: Window, action: Action, name: str) -> tuple[t.Read, tuple[int, ...]] | None:
    """The marker beside which a parameter is, and in which directions from it."""
    domain = next((p.domain for p in action.parameters if p.name == name), None)
    match domain:
        case t.Neighbours(_, neighbourhood, t.Read() as marker):
            return marker, near_directions(window, neighbourhood)
        case _:
            return None


@define
class _Reader:
    """Reads the way from one cell, in the place of all that are alike."""

    engine: Engine
    space: str
    start: int
    sees_only_near: bool = True

    def may_lay(self, ways: Sequence[Way], direction: int, kind: int) -> bool:
        """Whether a tile of a kind may be laid there."""
        return any(self._may(way, direction, {}, kind) for way in ways)

    def may_go(self, ways: Sequence[Way], direction: int, here: int, there: int) -> bool:
        """Whether a marker may go that way from a tile to a tile; 0 where it may be any."""
        window = self.engine.ground.windows[self.space]
        tiles = {self.start: here, window.steps[direction][self.start]: there}
        return any(self._may(way, direction, tiles, None) for way in ways)

    def _may(self, way: Way, direction: int, tiles: Mapping[int, int], kind: int | None) -> bool:
        if direction not in way.directions:
            return False
        ground = self.engine.ground
        window = ground.windows[self.space]
        board = bytearray(window.size + 1)
        for cell, tile in tiles.items():
            board[cell] = tile
        noting = Noting(board)
        everything = frozenset(range(1, len(ground.game.tiles) + 1))
        reading = Evaluator(ground, Cautious(ground, self.engine.layout, {self.space: noting}, everything))
        env = {
            **unknown(self.engine, way.action),
            way.cell: exactly(window.steps[direction][self.start]),
            HERE: exactly(self.start),
        }
        if way.tile is not None and kind is not None:
            env[way.tile] = exactly(kind)
        may = not any(reading.value(condition, env).never for condition in way.conditions)
        self.sees_only_near &= all(is_near(window, self.start, cell) for cell in noting.looked)
        return may


def _renamed(term: Any, marker: t.Read) -> Any:
    """A term that speaks of where a marker is by the name of that cell."""
    if term == marker:
        return t.Local(HERE, marker.type)
    if isinstance(term, tuple):
        return tuple(_renamed(part, marker) for part in term)
    if not has(type(term)):
        return term
    names = [field.name for field in fields(type(term)) if field.name not in ("span", "type")]
    parts = {name: getattr(term, name) for name in names}
    changed = {name: renamed for name, part in parts.items() if (renamed := _renamed(part, marker)) is not part}
    return evolve(term, **changed) if changed else term
