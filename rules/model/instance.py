"""A grounded game: a number of players, a window for each space, finite maps of steps, sides, regions and markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import product
from typing import Any, ClassVar, Protocol, assert_never

from rulewright.base.records import define, field, frozen
from rulewright.rules.spaces.window import Extent, Window

from . import terms, types
from .game import Each, Game, Parameter, TileKind, most_regions
from .terms import Aspect, Term
from .traversal import flow_nodes
from .types import SetOf, SetOperator, Type


@frozen
class FiniteMap:
    """A function on 0..n-1 as a tuple, with the value `otherwise` for other arguments. `name` is unique in an instance.

    `near` says that other arguments can only be -1.
    """

    name: str
    values: tuple[int, ...] = field(repr=False)
    otherwise: int = -1
    near: bool = True

    def __call__(self, key: int) -> int:
        return self.values[key] if 0 <= key < len(self.values) else self.otherwise


@frozen
class FiniteRows:
    """A function from 0..n-1 to ordered sets, empty for other arguments. `name` is unique in an instance."""

    name: str
    rows: tuple[tuple[int, ...], ...] = field(repr=False)

    def __call__(self, key: int) -> tuple[int, ...]:
        return self.rows[key] if 0 <= key < len(self.rows) else ()

    @cached_property
    def longest(self) -> int:
        """The size of the largest set."""
        return max(map(len, self.rows), default=0)

    @cached_property
    def range(self) -> tuple[int, int]:
        """The least and the greatest element of all sets; 0 and 0 if there are none."""
        elements = {value for row in self.rows for value in row} or {0}
        return min(elements), max(elements)


Function = Callable[[Sequence[Any], tuple[Any, ...]], Any]


class Reader(Protocol):
    """Evaluates terms of one instance."""

    def value(self, term: Term, state: Sequence[Any], env: Mapping[str, Any]) -> Any:
        """The value of a term in a state, a number or a sequence of them. Raises `PlayError`."""

    def function(self, term: Term, names: tuple[str, ...]) -> Function:
        """The value of a term by a state and values for its free names. Raises `PlayError`."""


def _nothing(instance: Instance) -> dict[Any, Any]:
    """What a cache begins with."""
    return {}


@define
class Instance:
    """A game with players and windows; `read` makes what evaluates its terms. Finite maps are computed once, on first use."""

    game: Game
    players: int
    windows: Mapping[str, Window]
    read: Callable[[Instance], Reader] = field(repr=False)
    # Caches, which are not part of what is compared or pickled.

    passing: ClassVar[cached_property[dict[object, frozenset[int]]]] = cached_property(_nothing)
    """The kinds of tile that pass tests of cells."""
    marks_sought: ClassVar[cached_property[dict[object, str | None]]] = cached_property(_nothing)
    """For tests of cells, the variable whose marked cells alone can pass."""
    tabulated: ClassVar[cached_property[dict[str, FiniteMap | FiniteRows | None]]] = cached_property(_nothing)
    """The tables of definitions with the same value or set in every state; None for other definitions."""
    costs: ClassVar[cached_property[dict[object, object]]] = cached_property(_nothing)
    """Evaluation costs of terms."""
    anchors: ClassVar[cached_property[dict[tuple[str, str], object]]] = cached_property(_nothing)
    """By action and parameter, the sets of cells that narrow it."""
    _maps: ClassVar[cached_property[dict[str, FiniteMap]]] = cached_property(_nothing)
    _rows: ClassVar[cached_property[dict[str, FiniteRows]]] = cached_property(_nothing)

    @cached_property
    def reader(self) -> Reader:
        return self.read(self)

    @cached_property
    def laps(self) -> dict[str, range]:
        """loop variable over numbers -> its values, and 0, which it has before its loop begins."""
        found: dict[str, range] = {}
        for node in flow_nodes(self.game.flow):
            if isinstance(node, Each) and isinstance(self.game.variables[node.variable].type, types.Number):
                known = found.get(node.variable, range(1))
                values = (known.start, known.stop - 1, *self.reader.value(node.domain, (), {}))
                found[node.variable] = range(min(values), max(values) + 1)
        return found

    def number_of(self, kind: TileKind) -> int:
        """The number of tiles of a kind."""
        return kind.count * self.players if kind.owned else kind.count

    @property
    def number_of_tiles(self) -> int:
        """The number of tiles of all kinds."""
        return sum(map(self.number_of, self.game.tiles))

    def step(self, space: str, direction: int) -> FiniteMap:
        """cell -> the next cell in that direction; a negative direction leads nowhere."""
        window = self.windows[space]
        if direction < 0:
            return self._map(f"{space}_nowhere", lambda: (window.size,) * (window.size + 1), window.size)
        return self._map(f"{space}_step_{direction}", lambda: window.steps[direction], window.size)

    def map(self, known: terms.Maps, picked: int = 0) -> FiniteMap:
        """A map known before play; of several, the one that is picked, or that for none."""
        match known:
            case terms.AspectOf(pattern, aspect):
                return self._aspect(pattern, aspect)
            case terms.Column(table, column):
                return self._column(table, column)
            case terms.Coordinate(space, axis):
                cells = self.windows[space].coordinates
                return self._map(f"{space}_axis_{axis}", lambda: tuple(c[axis] if axis < len(c) else 0 for c in cells), 0)
            case terms.Opposite(space):
                return self._map(f"{space}_opposite", lambda: self.windows[space].opposite)
            case terms.Markers():
                return self._map(f"marker_{picked}", lambda: (0, *(k.number(picked) for k in self.game.tiles)), 0)
            case terms.MarkersIn():
                return self._map(f"marker_in_{picked}", partial(self._markers_in, picked), 0)
            case terms.Regions(space):
                return self._by_direction(space, "region", picked, TileKind.region)
            case terms.Sites():
                return self._map(f"site_{picked}", lambda: (-1, *(kind.site(picked) for kind in self.game.tiles)))
            case terms.Side(space):
                return self._by_direction(space or next(iter(self.windows)), "side", picked, TileKind.side)
            case terms.Step(space):
                return self.step(space, picked)
            case _:
                assert_never(known)

    @cached_property
    def most_regions(self) -> int:
        """The largest number of regions of a tile."""
        return most_regions(self.game.tiles)

    def _markers_in(self, marker: int) -> tuple[int, ...]:
        """By tile * most_regions + number of a region: how many times the region bears the marker."""
        most = self.most_regions
        found = [0] * most * (len(self.game.tiles) + 1)
        for tile, kind in enumerate(self.game.tiles, 1):
            for number, region in enumerate(kind.regions):
                found[tile * most + number] = sum(n for m, n in region.markers if m == marker)
        return tuple(found)

    def _column(self, table: str, column: str) -> FiniteMap:
        """key -> the value in a table's column, with keys counted from 0; none where there is no row."""
        name = f"{table}.{column}"
        if name not in self._maps:
            found = self.game.tables[table]
            values, none = dict(found.columns)[column], self.none(found.type_of(column))
            filled = dict(zip(found.keys, values, strict=True))
            last = max(found.keys, default=0)
            self._maps[name] = FiniteMap(name, tuple(filled.get(k, none) for k in range(last + 1)), none, near=False)
        return self._maps[name]

    def cell_at(self, space: str) -> tuple[Extent, FiniteMap]:
        """The extent of a bounded space, and the map from indices in it, axis by axis, to cells."""
        window = self.windows[space]
        axes = list(zip(*window.coordinates, strict=True))
        extent = Extent(tuple(map(min, axes)), tuple(map(max, axes)))

        def values() -> tuple[int, ...]:
            sides = (range(low, high + 1) for low, high in zip(extent.low, extent.high, strict=True))
            return tuple(map(window.cell, product(*sides)))

        return extent, self._map(f"{space}_cell_at", values, window.nowhere)

    def columns(self, space: str) -> FiniteRows:
        """cell -> the cells of its vertical column, including itself, upwards."""
        return self.rows_by(f"{space}_columns", self.windows[space], lambda cell: cell[:2])

    def rows_by(self, name: str, window: Window, part: Callable[[tuple[int, ...]], object]) -> FiniteRows:
        """cell -> all cells whose coordinates are in the same part."""
        if name not in self._rows:
            parts: dict[object, list[int]] = {}
            keys = [part(coordinate) for coordinate in window.coordinates]
            for cell, key in enumerate(keys):
                parts.setdefault(key, []).append(cell)
            self._rows[name] = FiniteRows(name, tuple(tuple(parts[key]) for key in keys))
        return self._rows[name]

    def first_in_row(self, rows: FiniteRows) -> FiniteMap:
        """key -> the first element of its set; -1 if there is none, also for the key after the last."""
        return self._map(f"{rows.name}_first", lambda: tuple(min(row[:1], default=-1) for row in (*rows.rows, ())))

    def holders(self, rows: FiniteRows, elements: range) -> FiniteRows:
        """element -> the keys of the sets that contain it; elements are counted from 0."""

        def found() -> tuple[tuple[int, ...], ...]:
            keys: list[list[int]] = [[] for _ in elements]
            for key, row in enumerate(rows.rows):
                for element in row:
                    keys[element].append(key)
            return tuple(map(tuple, keys))

        return self._sets(f"{rows.name} holders", found)

    def roles(self, pattern: str, role: str) -> FiniteRows:
        """place -> the cells of a role."""
        found = self.game.patterns[pattern]
        at = found.roles.index(role)
        return self._sets(f"{pattern}.{role}", lambda: tuple(place.cells[at] for place in found.places))

    def cells_of(self, pattern: str) -> FiniteRows:
        """place -> all of its cells."""
        places = self.game.patterns[pattern].places
        return self._sets(f"{pattern}.", lambda: tuple(tuple(c for role in place.cells for c in role) for place in places))

    def places_of_kind(self, pieces: str) -> FiniteRows:
        """kind -> the places where a piece of this kind may lie."""
        kinds = self.game.patterns[pieces].kinds
        every = range(len(self.game.tiles) + 1)
        return self._sets(
            f"{pieces}_of_kind", lambda: tuple(tuple(p for p, k in enumerate(kinds) if k == kind) for kind in every)
        )

    def places_over(self, pieces: str) -> FiniteRows:
        """cell -> the places that cover it."""

        def rows() -> tuple[tuple[int, ...], ...]:
            found: list[list[int]] = [[] for _ in range(self.windows[self.game.patterns[pieces].space].size)]
            for place, cells in enumerate(self.cells_of(pieces).rows):
                for cell in cells:
                    found[cell].append(place)
            return tuple(map(tuple, found))

        return self._sets(f"{pieces}_over", rows)

    def _aspect(self, pattern: str, aspect: Aspect) -> FiniteMap:
        """place -> its cell, the direction of the top of its drawing, or whether it is mirrored."""
        found, name = self.game.patterns[pattern], f"{pattern}.{aspect.value}"
        match aspect:
            case Aspect.CELL:
                nowhere = self.windows[found.space].nowhere
                return self._map(name, lambda: tuple(place.cell for place in found.places), nowhere, near=False)
            case Aspect.FACING:
                return self._map(name, lambda: tuple(place.turn for place in found.places), -1, near=False)
            case Aspect.MIRRORED:
                return self._map(name, lambda: tuple(int(place.mirrored) for place in found.places), 0, near=False)
            case _:
                assert_never(aspect)

    def domain(self, type: types.Type) -> range:
        """The values of a finite type, without `nowhere` and `nothing`."""
        match type:
            case types.Truth():
                return range(2)
            case types.Enumeration(name):
                return range(len(self.game.enumerations[name]))
            case types.Player():
                return range(1, self.players + 1)
            case types.Tile():
                return range(1, len(self.game.tiles) + 1)
            case types.Cell(space):
                return range(self.windows[space].size)
            case types.Direction(space):
                return range(len(self.windows[space or next(iter(self.windows))].directions))
            case types.Region(space):
                return range(self.windows[space].size * self.most_regions)
            case types.Place(pattern):
                return range(len(self.game.patterns[pattern].places))
            case types.Pair(first, second):
                return range(len(self.domain(first)) * len(self.domain(second)))
            case types.Number() | types.SetOf():
                return range(0)

    def parts(self, type: types.Pair, index: int) -> tuple[int, int]:
        """The two elements of a pair."""
        first, second = divmod(index, len(self.domain(type.second)))
        return self.domain(type.first)[first], self.domain(type.second)[second]

    def none(self, type: types.Type) -> int:
        """The value for none: nowhere, no direction, no tile; else 0, or the first value if 0 is not a value for none."""
        match type:
            case types.Cell(space):
                return self.windows[space].nowhere
            case types.Direction():
                return -1
            case types.Region(space):
                return self.windows[space].size * self.most_regions
            case types.Place(pattern):
                return len(self.game.patterns[pattern].places)
            case types.Pair():
                return len(self.domain(type))
            case types.Player():
                return 1
            case _:
                return 0

    def absent(self, type: types.Type) -> int:
        """The value for none of a type; it differs from all elements."""
        match type:
            case types.Player():
                return 0
            case types.TERRAIN:
                return -1
            case types.Enumeration() | types.Truth():
                return len(self.domain(type))
            case _:
                return self.none(type)

    @cached_property
    def optional(self) -> frozenset[types.Type]:
        """The types of parameters that may be none."""
        parameters = (parameter for action in self.game.actions.values() for parameter in action.parameters)
        return frozenset(parameter.type for parameter in parameters if is_optional(parameter))

    def _by_direction(self, space: str, name: str, direction: int, of: Callable[[TileKind, str], int]) -> FiniteMap:
        """tile -> a number of its kind for a direction; -1 for no tile or no direction."""
        names = self.windows[space].directions

        def values() -> tuple[int, ...]:
            if not 0 <= direction < len(names):
                return (-1,) * (len(self.game.tiles) + 1)
            return (-1, *(of(kind, names[direction]) for kind in self.game.tiles))

        return self._map(f"{space}_{name}_{direction if direction >= 0 else 'none'}", values)

    def _sets(self, name: str, rows: Callable[[], tuple[tuple[int, ...], ...]]) -> FiniteRows:
        if name not in self._rows:
            self._rows[name] = FiniteRows(name, rows())
        return self._rows[name]

    def _map(self, name: str, values: Callable[[], tuple[int, ...]], otherwise: int = -1, near: bool = True) -> FiniteMap:
        if name not in self._maps:
            self._maps[name] = FiniteMap(name, values(), otherwise, near)
        return self._maps[name]


# Domains of parameters that may be none --------------------------------------------------------------------------------


def or_none(domain: terms.Term, type: Type) -> terms.Term:
    """The elements of a set, followed by none of their type."""
    none = terms.SetLiteral((terms.Absent(type=type, span=domain.span),), type=SetOf(type), span=domain.span)
    return terms.SetOperation(SetOperator.EITHER, domain, none, type=SetOf(type), span=domain.span)


def without_none(domain: terms.Term) -> terms.Term:
    """The set given to `or_none`; any other set is returned unchanged."""
    match domain:
        case terms.SetOperation(SetOperator.EITHER, elements, terms.SetLiteral((terms.Absent(),))):
            return elements
        case _:
            return domain


def is_optional(parameter: Parameter) -> bool:
    """Whether a parameter may be none."""
    return without_none(parameter.domain) is not parameter.domain
