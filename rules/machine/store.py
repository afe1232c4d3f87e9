"""Effects as subset code that changes the state through the trail."""

from __future__ import annotations

from rulewright.base.records import define, field
from rulewright.rules.codegen.code_evaluator import CodeStore, Zone
from rulewright.rules.codegen.intervals import Interval
from rulewright.rules.codegen.writer import Code
from rulewright.rules.model import types
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.state import least_value, value_range
from rulewright.rules.semantics.executor import ZoneEnd

from .algebra import MachineAlgebra
from .memory_layout import ListPlace
from .set_code import MachineSet
from .zone_runtime import UNDER


@define
class MachineStore(CodeStore[MachineSet]):
    """A store in which effects that the state does not allow are faults."""

    algebra: MachineAlgebra = field()

    def _unless(self, fault: str, change: str) -> None:
        """Write a line that changes the state, or a fault if a condition holds."""
        with self.writer.block(f"if {fault}:"):
            self.algebra.fault()
        with self.writer.block("else:"):
            self.line(change)
        self.writer.forget()

    def assign(self, variable: str, index: Code | None, value: Code, clause: EffectClause) -> None:
        algebra, place = self.algebra, self.algebra.slots.places[variable]
        allowed = value_range(algebra.instance, place.column.variable)
        if len(allowed) == 1 and value.known == allowed.start and not place.column.over_cells:
            return
        value = self.writer.share(algebra.exact(value))
        kind = place.column.variable.index
        if index is None or kind is None:
            self._write(variable, index, value)
            return
        index, there = self.writer.share(algebra.exact(index)), algebra.instance.domain(kind)
        if Interval(there.start, there.stop - 1).includes(index.bounds):
            self._write(variable, index, value)
            return
        # No terrain, or a cell beyond the border.
        end = algebra.tables.size(kind.space) if isinstance(kind, types.Cell) else str(there.stop)
        with self.writer.block(f"if {index.text} < {there.start} or {index.text} >= {end}:"):
            algebra.fault()
        with self.writer.block("else:"):
            self._write(variable, Code(index.text, Interval(there.start, there.stop - 1), simple=True), value)

    def existing(self, variable: str, index: Code, clause: EffectClause) -> Code:
        there = self.algebra.slots.places[variable].column
        return self.writer.share(self.algebra.inside(index, there.offset, there.offset + there.count - 1))

    def _write(self, variable: str, index: Code | None, value: Code) -> None:
        algebra, place = self.algebra, self.algebra.slots.places[variable]
        allowed = value_range(algebra.instance, place.column.variable)
        change = f"{'change_wide' if place.is_wide else 'change'}(game, {algebra.slot(variable, index)}, {value.text})"
        low, high = allowed.start, allowed.stop - 1
        if Interval(low, high).includes(value.bounds):
            self.change(change)
        else:
            self._unless(f"{value.text} < {low} or {value.text} > {high}", change)
        if place.marks and index is not None:
            least = least_value(algebra.instance, place.column.variable)
            is_marked = int(value.known != least) if value.known is not None else f"({value.text} != {least})"
            self.change(f"mark(game, tables[{place.marks}], {index.text}, {is_marked})")

    def put(self, space: str, cell: Code, tile: Code, clause: EffectClause) -> None:
        cell, tile = self.writer.share(cell), self.writer.share(tile)
        size, tiles = self.algebra.tables.size(space), f"tables[{self.algebra.slots.places[space].entry}]"
        taken = f"{cell.text} < 0 or {cell.text} >= {size} or state[{tiles} + {cell.text}]"
        self._unless(taken, f"lay(game, {self._board(space)}, {cell.text}, {tile.text})")
        self._by_kind("enlist", space, cell, tile)

    def clear(self, space: str, cell: Code, clause: EffectClause) -> Code:
        cell = self.writer.share(cell)
        tile = self.writer.share(self.algebra.read(space, cell))
        self._unless(f"not {tile.text}", f"lift(game, {self._board(space)}, {cell.text})")
        self._by_kind("delist", space, cell, tile)
        return tile

    def _board(self, space: str) -> str:
        place = self.algebra.slots.places[space]
        return f"tables[{place.entry}], {_listing(place.occupied)}"

    def _by_kind(self, change: str, space: str, cell: Code, tile: Code) -> None:
        """Update the lists of cells by kind after a tile came to a cell or left it; not after a fault."""
        for kinds, listing in self.algebra.slots.places[space].by_kind.items():
            line = f"{change}(game, {_listing(listing)}, {cell.text})"
            is_one = self.algebra.is_one_of(tile, kinds)
            if is_one.known is None:
                with self.writer.block(f"if {is_one.text} and game.fault == 0:"):
                    self.line(line)
            elif is_one.known:
                with self.writer.block("if game.fault == 0:"):
                    self.line(line)

    def _zone(self, zone: Zone) -> str:
        start, length, hashed = self.algebra.zone_place(*zone.zone)
        return f"Zone({start}, {length}, {UNDER if zone.bottom else hashed})"

    def remove(self, source: Zone, tile: Code, clause: EffectClause) -> None:
        take = "pull" if self.algebra.slots.places[source.variable].is_pile else "lose"
        with self.writer.block(f"if not {take}(game, {self._zone(source)}, {tile.text}):"):
            self.algebra.fault()
        self.writer.forget()

    def add(self, target: Zone, tile: Code) -> None:
        zone = self._zone(target)
        with self.writer.block(f"if {tile.text}:"):
            self.line(f"receive(game, {zone}, {tile.text})")
        self.writer.forget()

    def deal(self, number: Code | None, source: Zone, target: Zone) -> None:
        ends = f"{self._zone(source)}, {self._zone(target)}"
        many = None if number is None else self.writer.share(number).text
        self.change(f"move_all(game, {ends})" if many is None else f"deal(game, {many}, {ends})")

    def shuffle(self, variable: str, index: Code | None) -> None:
        self.change(f"shuffle(game, {self._zone(ZoneEnd(variable, index))})")

    def copied(self, domain: MachineSet) -> MachineSet:
        return domain if domain.ends is not None else self.algebra.those(domain, None)

    def listed(self, domain: MachineSet) -> MachineSet:
        return self.algebra.those(domain, None)


def _listing(listing: ListPlace) -> str:
    return f"Listing({listing.length}, tables[{listing.entry}], tables[{listing.entry + 1}])"
