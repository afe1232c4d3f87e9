"""Reads of states, maps and spaces as subset code. Indices that may be out of range are tested at run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from rulewright.base.records import define, evolve
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.codegen import intervals
from rulewright.rules.codegen.algebra import CodeAlgebra, Item
from rulewright.rules.codegen.intervals import Interval
from rulewright.rules.codegen.writer import BlockKind, Code, constant, truth
from rulewright.rules.model.instance import FiniteMap, FiniteRows
from rulewright.rules.model.state import value_range
from rulewright.rules.model.terms import Coordinate
from rulewright.rules.spaces.window import Function, Window
from rulewright.subset.refusal import CannotCompile

from .lookup_tables import WIDEST, Tables
from .memory_layout import Slots
from .set_code import MachineSet, from_list, from_row, from_walk

BRANCHES = 16
"""The most keys for which a choice by key is unrolled."""

NUMBERS = Interval(-(1 << 40), 1 << 40)
"""The numbers that rules may compute: wider intervals are refused, so that no sum or product overflows a word."""


@define
class StateAccess(CodeAlgebra[MachineSet]):
    """The part of the algebra that reads `state` and `tables`, two arrays of the game's memory."""

    slots: Slots
    tables: Tables
    state = "game"

    def of_items(self, items: Sequence[Item]) -> MachineSet:
        interval = intervals.hull(*(item.bounds for item, _ in items)) or Interval(0, 0)
        return MachineSet(items=items, interval=interval, most=len(items))

    # Numbers ----------------------------------------------------------------------------------

    def constant(self, value: int) -> Code:
        return self.checked(constant(value))

    def checked(self, code: Code) -> Code:
        if not NUMBERS.includes(code.bounds):
            raise CannotCompile("numbers that may grow too large")
        return code

    def fault(self) -> None:
        """Write code that marks the result as invalid."""
        self.writer.line("game.fault = Fault.STOPPED")

    def inside(self, value: Code, low: int, high: int) -> Code:
        """The value, tested to lie in a range; out of range is a fault, with the least value in its place."""
        value = self.exact(value)
        if Interval(low, high).includes(value.bounds):
            return value
        name = self.writer.fresh("i")
        self.writer.line(f"{name} = {value.text}")
        with self.writer.block(f"if {name} < {low} or {name} > {high}:"):
            self.fault()
            self.writer.line(f"{name} = {low}")
        return Code(name, Interval(low, high), simple=True)

    # State ------------------------------------------------------------------------------------

    def read(self, variable: str, index: Code | None) -> Code:
        """The value of a variable, assigned to a local at once, since effects may change the state later."""
        column = self.slots.places[variable].column
        allowed = value_range(self.instance, column.variable)
        if len(allowed) == 1 and not column.over_cells:
            return constant(allowed.start)
        found = Code(f"state[{self.slot(variable, index)}]", Interval(allowed.start, allowed.stop - 1))
        return self.writer.share(self.checked(found))

    def slot(self, variable: str, index: Code | None) -> str:
        """The slot of a value."""
        place = self.slots.places[variable]
        column = place.column
        if index is None:
            return str(place.slot)
        if column.over_cells:
            assert column.variable.index is not None
            cells = self.instance.domain(column.variable.index)
            return f"tables[{place.entry}] + {self.inside(index, 0, len(cells)).text}"
        index = self.inside(index, column.offset, column.offset + column.count - 1)
        first = place.slot - column.offset
        return str(first + index.known) if index.known is not None else f"{index.text} + {first}"

    def zone_place(self, variable: str, index: Code | None) -> tuple[str, str, str]:
        """Code for the slot of a zone's first tile, the slot of its length, and its first hashed place."""
        place = self.slots.places[variable]
        column, share = place.column, self.writer.share
        start, hashed = f"tables[{place.entry}]", f"tables[{place.entry + 1}]"
        if index is None or column.count == 1:
            return start, str(place.slot), hashed
        number = share(self.inside(index, column.offset, column.offset + column.count - 1))
        before = f"({number.text} - {column.offset})"
        length = share(Code(f"{place.slot - column.offset} + {number.text}"))
        start = share(Code(f"{start} + {before} * game.capacity")).text
        if not place.is_pile:
            hashed = share(Code(f"{hashed} + {before} * {len(self.instance.game.tiles) + 1}")).text
        return start, length.text, hashed

    def zone(self, variable: str, index: Code | None) -> MachineSet:
        """The tiles of a zone; the top of a pile is last in memory and first in order."""
        start, length, _ = self.zone_place(variable, index)
        kinds, is_pile = Interval(1, max(len(self.instance.game.tiles), 1)), self.slots.places[variable].is_pile
        tiles = from_list(self.writer, "state", start, f"state[{length}]", kinds, self.slots.capacity, is_pile)
        return evolve(tiles, repeats=True, is_sorted=not is_pile)

    # Maps -------------------------------------------------------------------------------------

    def lookup(self, map: FiniteMap, key: Code) -> Code:
        key, size = self.exact(key), len(map.values)
        if self.tables.is_of_window(map):
            key = self.inside(key, 0, size - 1)
            return Code(f"tables[{self.tables.map(map)} + {key.text}]", Interval(min(map.values), max(map.values)))
        if key.known is not None:
            return self.constant(map(key.known))
        low, high = key.bounds.low, key.bounds.high
        is_total = low >= 0 and high < size
        reached = map.values[max(low, 0) : max(high + 1, 0)] + (() if is_total else (map.otherwise,))
        interval = Interval(min(reached), max(reached))
        if interval.low == interval.high:
            return self.constant(interval.low)
        if is_total:
            return self.checked(Code(f"{self.keep('T', map.name, map.values)}[{key.text}]", interval))
        if low < -1 or high >= size:
            key = self.writer.share(key)
            key = Code(f"({key.text} if 0 <= {key.text} < {size} else -1)")
        name = self.keep("T", f"{map.name} or none", (map.otherwise, *map.values))
        return self.checked(Code(f"{name}[{key.text} + 1]", interval))

    def branch(self, key: Code, subject: Code, family: Callable[[int, Code], Code], keys: Sequence[int]) -> Code:
        if key.known is not None:
            return family(key.known if key.known in keys else -1, subject)
        if len(keys) > BRANCHES:
            raise CannotCompile("a value that depends on too many members of an enumeration")
        key, subject = self.writer.share(self.exact(key)), self.writer.share(subject)
        possible = [k for k in keys if k in key.bounds.values]

        def further(at: int) -> Code:
            if at == len(possible):
                return family(-1, subject)
            if at == len(possible) - 1 and len(possible) == len(key.bounds.values):
                return family(possible[at], subject)
            here = truth(f"({key.text} == {possible[at]})")
            return self.choice(here, lambda: family(possible[at], subject), lambda: further(at + 1))

        return further(0)

    # Spaces -----------------------------------------------------------------------------------

    def called(self, function: Function, window: Window, *arguments: Code) -> Code:
        match function:
            case Function.TOWARD:
                return self._toward(window, *arguments)
            case Function.DISTANCE:
                return self._distance(window, *arguments)
            case Function.TURN:
                return self._turn(window, *arguments)
            case Function.LEAP:
                return self._leap(window, *arguments)
            case Function.LINE:
                raise TypeError("a line is a set")
            case _:
                assert_never(function)

    def _toward(self, window: Window, start: Code, end: Code) -> Code:
        space, directions = self.space_of(window), len(window.directions)
        start, end = self.inside(start, 0, window.size), self.inside(end, 0, window.size)
        if window.size <= WIDEST:
            return Code(self._of_pair(self.tables.directions(space), space, start, end), Interval(-1, directions - 1))
        steps = f"{self.tables.steps(space)}, {self.tables.size(space)}, {directions}, {self.tables.room(directions)}"
        found = Code(f"toward(game, Steps({steps}), {start.text}, {end.text})", Interval(-1, directions - 1))
        return self.writer.share(found)

    def _distance(self, window: Window, start: Code, end: Code) -> Code:
        space, interval = self.space_of(window), Interval(-1, window.size)
        start, end = self.inside(start, 0, window.size), self.inside(end, 0, window.size)
        if window.size > WIDEST and window.shape is Shape.SQUARE and not window.periods:
            return Code(self._straight_distance(window, space, self.writer.share(start), self.writer.share(end)), interval)
        return Code(self._of_pair(self.tables.distances(space), space, start, end), interval)

    def _of_pair(self, table: str, space: str, start: Code, end: Code) -> str:
        return f"tables[{table} + {start.text} * ({self.tables.size(space)} + 1) + {end.text}]"

    def _straight_distance(self, window: Window, space: str, start: Code, end: Code) -> str:
        """The distance, by coordinates, on a square grid too large for a table."""
        axes = [self.tables.map(self.instance.map(Coordinate(space, axis))) for axis in (0, 1)]
        apart = [f"abs(tables[{axis} + {start.text}] - tables[{axis} + {end.text}])" for axis in axes]
        steps = " + ".join(apart) if len(window.around) == 4 else f"max({', '.join(apart)})"
        nowhere = self.tables.size(space)
        return f"(-1 if {start.text} == {nowhere} or {end.text} == {nowhere} else {steps})"

    def _turn(self, window: Window, direction: Code, times: Code) -> Code:
        directions, space = range(len(window.directions)), self.space_of(window)
        circles = [_circle(window, d) for d in directions]
        width = max(circles)
        rows = [window.turn(d, n) if n < circles[d] else -1 for d in directions for n in range(width)]
        turned = self.keep("T", f"turn {space}", (*[-1] * width, *rows))
        lengths = self.keep("T", f"circles {space}", (1, *circles))
        direction = self.writer.share(self.inside(direction, -1, len(directions) - 1))
        place = f"({direction.text} + 1) * {width} + {times.text} % {lengths}[{direction.text} + 1]"
        return Code(f"{turned}[{place}]", Interval(-1, len(directions) - 1))

    def _leap(self, window: Window, cell: Code, direction: Code, times: Code) -> Code:
        """A walk that stops at the border; a wrapped space repeats."""
        space, writer, directions = self.space_of(window), self.writer, len(window.directions)
        nowhere, bounds = self.tables.size(space), self.exact(times).bounds
        here, left, way = writer.fresh("h"), writer.fresh("l"), writer.fresh("w")
        writer.line(f"{here} = {self.inside(cell, 0, window.size).text}")
        writer.line(f"{left} = {self.exact(times).text}")
        writer.line(f"{way} = {self.inside(direction, -1, directions - 1).text}")
        if bounds.low < 0:
            opposite = self.keep("T", f"opposite {space} or none", (-1, *window.opposite))
            with writer.block(f"if {left} < 0:"):
                writer.line(f"{left} = 0 - {left}")
                writer.line(f"{way} = {opposite}[{way} + 1]")
        with writer.block(f"if {way} < 0 and {left} > 0:"):
            writer.line(f"{here} = {nowhere}")
        if window.periods:
            writer.line(f"{left} = {left} % {window.size}")
        with writer.block(f"while {left} > 0 and {here} != {nowhere}:", BlockKind.LOOP):
            writer.line(f"{here} = tables[{self.tables.steps(space)} + {way} * ({nowhere} + 1) + {here}]")
            writer.line(f"{left} -= 1")
        return Code(here, Interval(0, window.size), simple=True)

    def line(self, window: Window, cell: Code, direction: Code) -> MachineSet:
        space, share = self.space_of(window), self.writer.share
        nowhere = self.tables.size(space)
        cell = share(self.inside(cell, 0, window.size))
        direction = share(self.inside(direction, -1, len(window.directions) - 1))
        row = share(Code(f"{self.tables.steps(space)} + {direction.text} * ({nowhere} + 1)"))
        interval = Interval(0, max(window.size - 1, 0))
        return from_walk(self.writer, nowhere, cell, direction, row.text, interval, once=window.shape is Shape.GRAPH)

    def row(self, rows: FiniteRows, key: Code) -> MachineSet:
        if key.known is not None:
            return self.known(rows(key.known))
        key = self.inside(key, 0, len(rows.rows))
        return from_row(
            self.writer, f"{self.tables.rows(rows)} + {key.text} * {rows.longest}", rows.longest, Interval(*rows.range)
        )

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Code) -> MachineSet:
        cell = self.writer.share(self.inside(cell, 0, window.size))
        if not self.is_unrolled(window, directions):
            row = f"{self.tables.near(space, directions)} + {cell.text} * {len(directions)}"
            return from_row(self.writer, row, len(directions), Interval(0, window.size))
        if cell.known is not None and not window.unbounded:
            return self.of_items([(constant(near), None) for near in window.near(directions, cell.known)])
        found = [self.writer.share(self.lookup(self.instance.step(space, direction), cell)) for direction in directions]
        return self.around(window, directions, cell, found, self.tables.size(space))


def _circle(window: Window, direction: int) -> int:
    """The number of turns that lead back to a direction."""
    length, here = 1, window.clockwise[direction]
    while here != direction:
        here, length = window.clockwise[here], length + 1
    return length
