"""States, maps and spaces as text in the native subset."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.base.records import define
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model.instance import FiniteMap, Instance
from rulewright.rules.model.state import value_range
from rulewright.rules.spaces.window import Window
from rulewright.subset.refusal import CannotCompile

from .logic import Logic
from .lookup_tables import WIDEST, Tables, space_of
from .memory_layout import Slots
from .set_code import Many, from_items, from_rows, from_walk, from_zone
from .writer import Number, constant, truth

SHORT = 8
"""Sets of at most so many known elements are written out one by one."""

BRANCHES = 16
"""A value that depends on a key is written out for at most so many keys."""


@define
class Reading(Logic):
    """The part of an algebra that looks at `s`. Every read gets a name where it happens: effects may change the state later."""

    instance: Instance
    slots: Slots
    tables: Tables
    constants: dict[str, tuple[int, ...]]

    # State ------------------------------------------------------------------------------------

    def read(self, variable: str, index: Number | None) -> Number:
        allowed = value_range(self.instance, self.slots.places[variable].column.variable)
        if len(allowed) == 1 and not self.slots.places[variable].column.over_cells:
            return constant(allowed.start)
        return self.text.named(Number(f"state[{self.slot(variable, index)}]", allowed.start, allowed.stop - 1))

    def slot(self, variable: str, index: Number | None) -> str:
        """The slot of a value."""
        place = self.slots.places[variable]
        column = place.column
        if column.over_cells:
            assert index is not None
            index = self.inside(index, 0, len(self._cells(variable)))
            return f"tables[{place.entry}] + {index.text}"
        return self._counted(place.slot, variable, index)

    def _cells(self, variable: str) -> range:
        type = self.slots.places[variable].column.variable.index
        assert type is not None
        return self.instance.domain(type)

    def _counted(self, first: int, variable: str, index: Number | None) -> str:
        column = self.slots.places[variable].column
        if index is None:
            return str(first)
        index = self.inside(index, column.offset, column.offset + column.count - 1)
        if index.known is not None:
            return str(first + index.known - column.offset)
        return f"{index.text} + {first - column.offset}"

    def zone_place(self, variable: str, index: Number | None) -> tuple[str, str, str]:
        """Where a zone begins, its length, and where its part of the hash begins."""
        place = self.slots.places[variable]
        column = place.column
        if index is None or column.count == 1:
            return f"tables[{place.entry}]", str(place.slot), f"tables[{place.entry + 1}]"
        number = self.text.named(self.inside(index, column.offset, column.offset + column.count - 1))
        length = self.text.fresh("n")
        self.text.line(f"{length} = {place.slot - column.offset} + {number.text}")
        base, ids = self.text.fresh("b"), self.text.fresh("h")
        many = f"({number.text} - {column.offset})"
        self.text.line(f"{base} = tables[{place.entry}] + {many} * game.capacity")
        step = f" + {many} * {len(self.instance.game.tiles) + 1}"
        self.text.line(f"{ids} = tables[{place.entry + 1}]{'' if place.is_pile else step}")
        return base, length, ids

    def zone(self, variable: str, index: Number | None) -> Many:
        base, length, _ = self.zone_place(variable, index)
        kinds = max(len(self.instance.game.tiles), 1)
        is_pile, most = self.slots.places[variable].is_pile, self.slots.capacity
        return from_zone(self.text, base, f"state[{length}]", is_pile, kinds, most)

    # Maps and spaces --------------------------------------------------------------------------

    def lookup(self, map: FiniteMap, key: Number) -> Number:
        if key.known is not None and not self.tables.is_of_window(map):
            return constant(map(key.known))
        if self.tables.is_of_window(map):
            key = self.inside(key, 0, len(map.values) - 1)
            return Number(f"tables[{self.tables.map(map)} + {key.text}]", min(map.values), max(map.values))
        all_inside = key.low >= 0 and key.high < len(map.values)
        reached = map.values[max(key.low, 0) : max(key.high + 1, 0)] + (() if all_inside else (map.otherwise,))
        low, high = min(reached), max(reached)
        if low == high:
            return constant(low)
        if not all_inside and (key.low < -1 or key.high >= len(map.values)):
            key = self.text.named(key)
            key = Number(f"({key.text} if 0 <= {key.text} < {len(map.values)} else -1)", -1, len(map.values) - 1)
        if all_inside:
            return Number(f"{self.keep(map.name, map.values)}[{key.text}]", low, high)
        name = self.keep(f"{map.name} or none", (map.otherwise, *map.values))
        return Number(f"{name}[{key.text} + 1]", low, high)

    def keep(self, name: str, content: Sequence[int]) -> str:
        """A table of constants in the text: the same name for the same one."""
        escaped = "".join(c if c.isalnum() else f"_{ord(c):x}_" for c in name)
        self.constants.setdefault(f"T_{escaped}", tuple(content))
        return f"T_{escaped}"

    def branch(self, key: Number, family: Callable[[int], Callable[[], Number]], keys: Sequence[int]) -> Number:
        if key.known is not None:
            return family(key.known if key.known in keys else -1)()
        if len(keys) > BRANCHES:
            raise CannotCompile("a value that depends on too many members of an enumeration")
        key = self.text.named(key)
        rest = [k for k in keys if key.low <= k <= key.high]

        def further(at: int) -> Number:
            if at == len(rest):
                return family(-1)()
            if at == len(rest) - 1 and rest == list(range(key.low, key.high + 1)):
                return family(rest[at])()
            return self.choice(truth(f"({key.text} == {rest[at]})"), family(rest[at]), lambda: further(at + 1))

        return further(0)

    def toward(self, window: Window, start: Number, end: Number) -> Number:
        if end.base and end.base == start.text:
            return constant(end.direction)
        if start.base and start.base == end.text:
            return constant(window.opposite[start.direction])
        if start.known is not None and end.known is not None:
            return constant(window.toward(start.known, end.known))
        space, ways = space_of(self.instance, window), len(window.directions)
        start, end = self.inside(start, 0, window.size), self.inside(end, 0, window.size)
        steps = f"Steps({self.tables.steps(space)}, {self.tables.size(space)}, {ways}, {self.tables.room(ways)})"
        return self.text.named(Number(f"toward(game, {steps}, {start.text}, {end.text})", -1, ways - 1))

    def distance(self, window: Window, start: Number, end: Number) -> Number:
        if start.known is not None and end.known is not None:
            return constant(window.distance(start.known, end.known))
        space = space_of(self.instance, window)
        start, end = self.inside(start, 0, window.size), self.inside(end, 0, window.size)
        if window.size > WIDEST and window.shape is Shape.SQUARE and not window.periods:
            return self._straight_distance(window, space, self.text.named(start), self.text.named(end))
        row = f"{start.text} * ({self.tables.size(space)} + 1)"
        return Number(f"tables[{self.tables.distances(space)} + {row} + {end.text}]", -1, window.size)

    def _straight_distance(self, window: Window, space: str, start: Number, end: Number) -> Number:
        """On a square grid too large for a table."""
        along, across = (self.tables.map(self.instance.coordinate(space, axis)) for axis in (0, 1))
        ways = [f"abs(tables[{way} + {start.text}] - tables[{way} + {end.text}])" for way in (along, across)]
        steps = " + ".join(ways) if len(window.around) == 4 else f"max({', '.join(ways)})"
        nowhere = self.tables.size(space)
        return Number(f"(-1 if {start.text} == {nowhere} or {end.text} == {nowhere} else {steps})", -1, window.size)

    def turn(self, window: Window, direction: Number, times: Number) -> Number:
        ways = range(len(window.directions))
        circles = [_circle(window, d) for d in ways]
        width, space = max(circles), space_of(self.instance, window)
        rows = [window.turn(d, n) if n < circles[d] else -1 for d in ways for n in range(width)]
        turned, lengths = self.keep(f"turn {space}", [-1] * width + rows), self.keep(f"circles {space}", [1, *circles])
        direction = self.text.named(self.inside(direction, -1, len(ways) - 1))
        way = f"({direction.text} + 1) * {width} + {times.text} % {lengths}[{direction.text} + 1]"
        return Number(f"{turned}[{way}]", -1, len(ways) - 1)

    def line(self, window: Window, cell: Number, direction: Number) -> Many:
        space = space_of(self.instance, window)
        cell = self.text.named(self.inside(cell, 0, window.size))
        direction = self.text.named(self.inside(direction, -1, len(window.directions) - 1))
        row = self.text.fresh("k")
        self.text.line(f"{row} = {self.tables.steps(space)} + {direction.text} * ({self.tables.size(space)} + 1)")
        return from_walk(self.text, self.tables.size(space), cell.text, direction, row, window.size)

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Number) -> Many:
        cell = self.text.named(self.inside(cell, 0, window.size))
        if window.periods or len(directions) > SHORT or window.names:
            row = f"{self.tables.near(space, directions)} + {cell.text} * {len(directions)}"
            return from_rows(self.text, row, len(directions), window.size)
        items: list[tuple[Number, Number | None]] = []
        for direction in directions:
            if window.unbounded and cell.base and direction == window.opposite[cell.direction]:
                items.append((Number(cell.base, 0, window.size, True), None))
                continue
            found = self.text.named(self.lookup(self.instance.step(space, direction), cell))
            near = Number(found.text, found.low, found.high, True, cell.text, direction)
            outside = truth(f"({near.text} != {self.tables.size(space)})")
            items.append((near, None if window.unbounded or near.high < window.size else outside))
        return from_items(items)


def _circle(window: Window, direction: int) -> int:
    length, here = 1, window.clockwise[direction]
    while here != direction:
        here, length = window.clockwise[here], length + 1
    return length
