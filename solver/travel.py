"""Where tiles can come to, when every tile is laid beside a marker: read off what the actions ask of a marker's way.

A marker goes from cell to cell; whether it may depends on the tiles on both. On a board that only grows a way that is barred by
the tiles that lie stays barred. What a way costs, whose turn it is and all else is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..grammar.classes import define, frozen
from ..grammar.statements import Assignment
from ..rules import effects as e
from ..rules import terms as t
from ..rules.analysis import Analysis, flat
from ..rules.engine import Engine, State
from ..rules.evaluator import Env, Evaluator, near_directions
from ..rules.game import Action
from ..rules.moves import free_names
from ..rules.possible import Cautious, Possible, PossibleSet, exactly
from ..rules.spaces.window import Window
from .alike import alike_cells, is_near
from .fitting import unknown
from .looks import Noting


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
        """What it asks."""
        return [r.condition for r in self.action.requirements] + [p.where for p in self.action.parameters if p.where]


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
    start = min(alike, key=lambda cell: abs(cell - window.size // 2))
    tiles = bytearray(window.size + 1)
    board, wanted = Noting(tiles), sorted(set(kinds))
    readers = [_Reader.of(engine, space, way, start, board) for way in ways]
    laying, going = [r for r in readers if r.way.lays], [r for r in readers if not r.way.lays]

    def going_over(cell: int, direction: int) -> frozenset[int]:
        """The tiles on a cell for which a marker may go that way."""
        found = set()
        for kind in wanted:
            tiles[cell] = kind
            if any(reader.may_take(direction) for reader in going):
                found.add(kind)
        tiles[cell] = 0
        return frozenset(found)

    lays = tuple(frozenset(k for k in wanted if any(r.may_take(d, k) for r in laying)) for d in directions)
    leaves = tuple(going_over(start, d) for d in directions)
    enters = tuple(going_over(window.steps[d][start], d) for d in directions)
    if not all(is_near(window, start, cell) for cell in board.looked):
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
    """The marker beside which a parameter is, and in which directions from it; one that no other name tells from others."""
    domain = next((p.domain for p in action.parameters if p.name == name), None)
    match domain:
        case t.Neighbours(_, neighbourhood, t.Read() as marker) if not free_names(marker):
            return marker, near_directions(window, neighbourhood)
        case _:
            return None


@define
class _Reader(Evaluator[Possible, PossibleSet]):
    """Reads a way off a board, where its marker stands on a cell; `ends` are the cells beside it, by direction."""

    way: Way
    start: int
    ends: Mapping[int, int]
    elements: Env

    @classmethod
    def of(cls, engine: Engine, space: str, way: Way, start: int, board: Sequence[int]) -> _Reader:
        """Where the board is vacant, any tile may lie."""
        ground = engine.ground
        cautious = Cautious(ground, engine.layout, {space: board}, frozenset(range(1, len(engine.game.tiles) + 1)))
        ends = {direction: ground.windows[space].steps[direction][start] for direction in way.directions}
        return cls(ground, cautious, way, start, ends, unknown(engine, way.action))

    def value(self, term: t.Term, env: Env) -> Possible:
        """What may be said of a term when the marker stands there."""
        return exactly(self.start) if isinstance(term, t.Read) and term == self.way.marker else Evaluator.value(self, term, env)

    def may_take(self, direction: int, kind: int | None = None) -> bool:
        """Whether it can be gone in a direction; a way that lays a tile, with a tile of that kind."""
        way = self.way
        if direction not in self.ends:
            return False
        env = {**self.elements, way.cell: exactly(self.ends[direction])}
        if way.tile is not None and kind is not None:
            env[way.tile] = exactly(kind)
        return not any(self.value(condition, env).never for condition in way.conditions)
