"""Effects as code that changes the state by way of the trail."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import define
from rulewright.rules.model import types
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.state import value_range

from .algebra import Machine
from .set_code import Many, Test, from_list
from .writer import Number

Zone = tuple[str, Number | None]


@define
class MachineStore:
    """`may_stop` and `may_finish` say whether an effect sets `stopped` or `finished`."""

    machine: Machine
    may_stop: bool = False
    may_finish: bool = False

    def _line(self, text: str) -> None:
        self.machine.text.line(text)

    def _named(self, number: Number) -> Number:
        return self.machine.text.named(number)

    def _changed(self, text: str) -> None:
        """A line that changes the state."""
        self._line(text)
        self.machine.text.forget()

    def _fault(self) -> None:
        self._line("game.fault = Fault.STOPPED")

    def assign(self, variable: str, index: Number | None, value: Number, clause: EffectClause) -> None:
        place = self.machine.slots.places[variable]
        allowed = value_range(self.machine.instance, place.column.variable)
        if len(allowed) == 1 and value.known == allowed.start and not place.column.over_cells:
            return
        value = self._named(value)
        kind = place.column.variable.index
        if index is not None and kind is not None:
            index = self._named(index)
            there = self.machine.instance.domain(kind)
            if index.low < there.start or index.high >= there.stop:
                self._where_there_is(variable, index, there, lambda at: self._write(variable, at, value))
                return
        self._write(variable, index, value)

    def _where_there_is(self, variable: str, index: Number, there: range, write: Callable[[Number], None]) -> None:
        """What is done at an index that is one; a fault at any other: no terrain, or a cell beyond the border."""
        end = str(there.stop)
        match self.machine.slots.places[variable].column.variable.index:
            case types.Cell(space):
                end = self.machine.tables.size(space)
        with self.machine.text.block(f"if {index.text} < {there.start} or {index.text} >= {end}:"):
            self._fault()
        with self.machine.text.block("else:"):
            write(Number(index.text, there.start, there.stop - 1, True))

    def _write(self, variable: str, index: Number | None, value: Number) -> None:
        text, place = self.machine.text, self.machine.slots.places[variable]
        allowed = value_range(self.machine.instance, place.column.variable)
        slot = self._named(Number(self.machine.slot(variable, index), 0, 1 << 31))
        change = "change_tile(game" if place.of_tiles else "change(game"
        write = f"{change}, {slot.text}, {value.text})"
        low, high = allowed.start, allowed.stop - 1
        if low <= value.low and value.high <= high:
            self._changed(write)
            return
        with text.block(f"if {value.text} < {low} or {value.text} > {high}:"):
            self._fault()
        with text.block("else:"):
            self._changed(write)

    def put(self, space: str, cell: Number, tile: Number, clause: EffectClause) -> None:
        text, place = self.machine.text, self.machine.slots.places[space]
        cell, tile = self._named(cell), self._named(tile)
        size = self.machine.tables.size(space)
        with text.block(f"if {cell.text} < 0 or {cell.text} >= {size} or state[tables[{place.entry}] + {cell.text}]:"):
            self._fault()
        with text.block("else:"):
            self._changed(f"lay(game, Board({self._board(space)}), {cell.text}, {tile.text})")

    def _board(self, space: str) -> str:
        place = self.machine.slots.places[space]
        return f"tables[{place.entry}], {place.slot}, tables[{place.entry + 1}], tables[{place.entry + 2}]"

    def clear(self, space: str, cell: Number, clause: EffectClause) -> Number:
        text = self.machine.text
        cell = self._named(cell)
        tile = self._named(self.machine.read(space, cell))
        with text.block(f"if not {tile.text}:"):
            self._fault()
        with text.block("else:"):
            self._changed(f"lift(game, Board({self._board(space)}), {cell.text})")
        return tile

    def remove(self, variable: str, index: Number | None, tile: Number, clause: EffectClause) -> None:
        base, length, ids = self.machine.zone_place(variable, index)
        if self.machine.slots.places[variable].is_pile:
            found = f"pull(game, Zone({base}, {length}, {ids}), {tile.text})"
        else:
            found = f"lose(game, Zone({base}, {length}, {ids}), {tile.text})"
        with self.machine.text.block(f"if not {found}:"):
            self._fault()
        self.machine.text.forget()

    def add(self, variable: str, index: Number | None, tile: Number) -> None:
        zone = ", ".join(self.machine.zone_place(variable, index))
        with self.machine.text.block(f"if {tile.text}:"):
            self._changed(f"receive(game, Zone({zone}), {tile.text})")

    def move_all(self, source: Zone, target: Zone) -> None:
        self._changed(f"move_all(game, {self._zone(source)}, {self._zone(target)})")

    def deal(self, number: Number, source: Zone, target: Zone) -> None:
        number = self._named(number)
        self._changed(f"deal(game, {number.text}, {self._zone(source)}, {self._zone(target)})")

    def shuffle(self, variable: str, index: Number | None) -> None:
        self._changed(f"shuffle(game, {self._zone((variable, index))})")

    def _zone(self, zone: Zone) -> str:
        return f"Zone({', '.join(self.machine.zone_place(*zone))})"

    def when(self, condition: Number, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if condition.known is not None:
            chosen = then if condition.known else otherwise
            if chosen is not None:
                chosen()
            return
        with self.machine.text.block(f"if {condition.text}:"):
            then()
        if otherwise is not None:
            with self.machine.text.block("else:"):
                otherwise()

    def for_each(self, domain: Many, where: Test | None, body: Callable[[Number], None], uses: int) -> None:
        """The elements are listed before the first turn of the loop changes anything."""
        machine = self.machine
        if domain.items is not None:
            kept = [(self._named(item), None if guard is None else self._named(guard)) for item, guard in domain.items]
            domain = Many(kept, None, domain.low, domain.high, domain.most)
        elif domain.bounds is None:
            room, count = machine.tables.room(domain.most), machine.text.fresh("l")
            self._line(f"{count} = 0")

            def note(value: Number) -> None:
                self._line(f"scratch[{room} + {count}] = {value.text}")
                self._line(f"{count} += 1")

            machine.for_each(domain, None, note, 2, ordered=True)
            domain = from_list(machine.text, "scratch", room, count, domain.low, domain.high, domain.most)
        machine.text.forget()

        def turn(value: Number) -> None:
            machine.text.forget()
            if where is None:
                body(value)
            else:
                self.when(where(value), lambda: body(value), None)
            machine.text.forget()

        machine.for_each(domain, None, turn, 2, ordered=True)

    def stop(self) -> None:
        self.may_stop = True
        self._line("stopped = 1")

    def finish(self) -> None:
        self.may_finish = True
        self._line("finished = 1")
