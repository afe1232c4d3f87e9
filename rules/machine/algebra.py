"""The algebra of subset code: sets as loops over memory, and as lists in scratch memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.base.records import define, evolve
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.codegen import intervals
from rulewright.rules.codegen.algebra import Body, Item, Test
from rulewright.rules.codegen.anchors import Anchor
from rulewright.rules.codegen.intervals import TRUTH, Interval
from rulewright.rules.codegen.subroutines import SetCall
from rulewright.rules.codegen.writer import NO, YES, Block, BlockKind, Code, constant, truth
from rulewright.rules.model.game import Case
from rulewright.rules.model.instance import FiniteMap
from rulewright.rules.semantics.costs import UNROLLED
from rulewright.rules.spaces.window import Window
from rulewright.subset.refusal import CannotCompile

from .memory_layout import ListPlace
from .runtime import words_of
from .set_code import MachineSet, from_board, from_list, from_marks, from_range
from .state_access import StateAccess

MOST_MARKED = 1024
"""The widest interval of elements that are marked to find which of them come again."""

MOST_REACHED = 1 << 20
"""The widest interval of the elements of a closure."""


@define
class MachineAlgebra(StateAccess):
    """The algebra over which a game is written as subset code."""

    place = "room"

    # Loops ------------------------------------------------------------------------------------

    def loop(self, domain: MachineSet, body: Body, ordered: bool = True) -> None:
        write = domain.in_order if ordered or domain.any_order is None else domain.any_order
        assert write is not None

        def turn(value: Code) -> None:
            self.look_up()
            body(value)

        write(turn if domain.is_long else body)

    def look_up(self) -> None:
        with self.writer.block("if halted(game):"):
            self.writer.line("return 0")

    def distinct(self, domain: MachineSet, body: Body) -> None:
        if not domain.repeats:
            self.loop(domain, body)
            return
        if not domain.is_sorted:
            self.loop(self.image(domain, None, lambda value: value, 2), body)
            return
        before = self.writer.fresh("b")
        self.writer.line(f"{before} = -1")

        def new(value: Code) -> None:
            with self.writer.block(f"if {value.text} != {before}:", BlockKind.PART):
                self.writer.line(f"{before} = {value.text}")
                body(value)

        self.loop(domain, new)

    def is_any(self, domain: MachineSet) -> Code:
        return Code(domain.length, loose=True) if domain.length else YES

    # Sets -------------------------------------------------------------------------------------

    def in_turn(self, values: Sequence[int]) -> MachineSet:
        interval = Interval(min(values), max(values))
        if isinstance(values, range) and values.step == 1:
            return from_range(self.writer, str(values.start), self._end(values), interval)
        name = self.keep("T", f"set {' '.join(map(str, values))}", tuple(values))
        return from_list(self.writer, name, "0", str(len(values)), interval, len(values))

    def _end(self, values: range) -> str:
        """The end of a range; for cells of an unbounded space a table entry, since the text must fit every window."""
        for name, window in self.instance.windows.items():
            if window.unbounded and values == range(window.size):
                if window.size in map(len, self.instance.game.enumerations.values()):
                    raise CannotCompile("as many members of an enumeration as cells")
                return self.tables.size(name)
        return str(values.stop)

    def listed(self, values: Sequence[Code]) -> MachineSet:
        named = [self.writer.share(self.exact(value)) for value in values]
        items: list[Item] = []
        for at, value in enumerate(named):
            new = [self.compare(Comparison.UNEQUAL, value, before) for before in named[:at]]
            guard = self.conjunction([lambda test=test: test for test in new])  # type: ignore[misc]
            if guard.known != 0:
                items.append((value, None if guard.known else guard))
        return self.of_items(items)

    def interval(self, low: Code, high: Code) -> MachineSet:
        if low.known is not None and high.known is not None:
            numbers = range(low.known, high.known + 1)
            if len(numbers) <= UNROLLED:
                return self.known(numbers)
            return from_range(self.writer, str(numbers.start), str(numbers.stop), Interval(low.known, high.known))
        low, high = self.writer.share(self.exact(low)), self.writer.share(self.exact(high))
        reach = Interval(low.bounds.low, max(high.bounds.high, low.bounds.low))
        return from_range(self.writer, low.text, f"{high.text} + 1", reach)

    def board_cells(self, window: Window, board: str) -> MachineSet:
        place, cells = self.slots.places[board], Interval(0, max(window.size - 1, 0))
        size = self.tables.size(self.space_of(window))
        return from_board(self.writer, f"tables[{place.entry}]", size, self._listed(place.occupied, cells))

    def cells_of_kinds(self, board: str, kinds: frozenset[int], domain: Callable[[], MachineSet]) -> MachineSet | None:
        window, listing = self.instance.windows[board], self.slots.places[board].by_kind.get(kinds)
        if listing is None:
            return None
        found, in_order = self._listed(listing, Interval(0, window.size - 1)), domain()
        if in_order.items is not None:
            return None
        return evolve(found, in_order=in_order.in_order, any_order=found.in_order)

    def marked(self, variable: str) -> MachineSet | None:
        place = self.slots.places[variable]
        if not place.marks or place.column.variable.index is None:
            return None
        cells, words = self.instance.domain(place.column.variable.index), f"tables[{place.marks}]"
        return from_marks(self.writer, "state", words, str(len(cells)), Interval(0, len(cells) - 1))

    def anchored(self, anchor: Anchor, all: Code) -> MachineSet | None:
        place, count = self.slots.places[anchor.variable], len(anchor.values)
        if not place.marks:
            return None
        room, near = self.tables.room(words_of(count)), anchor.near
        ends = f"tables[{place.marks}], {len(near.rows)}, {self.tables.rows(near)}, {near.longest}, {room}, {count}"
        spread = f"spread(game, Spread({ends}))"
        if all.known is None:
            with self.writer.block(f"if {all.text}:", BlockKind.PART):
                self.writer.line(f"mark_all(game, {room}, {count})")
            with self.writer.block("else:", BlockKind.PART):
                self.writer.line(spread)
        else:
            self.writer.line(f"mark_all(game, {room}, {count})" if all.known else spread)
        found = from_marks(self.writer, "scratch", room, str(count), Interval(0, count - 1))
        if isinstance(anchor.values, range):
            return found
        values = FiniteMap(f"values {near.name}", tuple(anchor.values))
        return evolve(
            found, in_order=lambda body: self.loop(found, lambda at: body(self.writer.share(self.lookup(values, at))))
        )

    def _listed(self, listing: ListPlace, cells: Interval) -> MachineSet:
        """The cells of a list in the state."""
        return from_list(self.writer, "state", f"tables[{listing.entry}]", f"state[{listing.length}]", cells, len(cells.values))

    def is_one_of(self, tile: Code, kinds: frozenset[int]) -> Code:
        """Whether a tile is of one of some kinds."""
        if tile.known is not None:
            return constant(int(tile.known in kinds))
        every = range(len(self.instance.game.tiles) + 1)
        table = self.keep("T", f"kinds {' '.join(map(str, sorted(kinds)))}", tuple(int(kind in kinds) for kind in every))
        return Code(f"{table}[{tile.text}]", TRUTH)

    def member(self, value: Code, domain: MachineSet) -> Code:
        if domain.ends is None:
            return super().member(value, domain)
        first, end = domain.ends
        return truth(f"({first} <= {self.exact(value).text} < {end})")

    def size(self, domain: MachineSet) -> Code:
        if domain.length:
            return self.writer.share(Code(domain.length, Interval(0, domain.most)))
        return super().size(domain)

    def top(self, pile: MachineSet, bottom: bool) -> Code:
        if not pile.first:
            raise CannotCompile("the top of what is no zone")
        tile = pile.last if bottom else pile.first
        return self.writer.share(Code(f"({tile} if {pile.length} else 0)", Interval(0, pile.interval.high)))

    def those(self, domain: MachineSet, where: Test | None) -> MachineSet:
        return self._collected((domain,), where, 2)

    def joined(self, first: MachineSet, second: MachineSet) -> MachineSet:
        return self._collected((first, second), None, 1)

    def _collected(self, parts: Sequence[MachineSet], where: Test | None, uses: int) -> MachineSet:
        """The elements of sets that pass a test, as a list in scratch memory."""
        most, length = sum(part.most for part in parts), self.writer.fresh("l")
        room = self.tables.room(most)
        self.writer.line(f"{length} = 0")
        for part in parts:
            self.for_each(part, where, lambda value: self._append(room, length, value.text), uses, ordered=True)
        interval = intervals.hull(*(part.interval for part in parts)) or parts[0].interval
        found = from_list(self.writer, "scratch", room, length, interval, most)
        return evolve(found, repeats=any(part.repeats for part in parts))

    # Sets by functions, by cases, by steps -----------------------------------------------------

    def give_back(self, found: MachineSet) -> MachineSet:
        length = self.writer.fresh("l")
        self.writer.line(f"{length} = 0")
        self.for_each(found, None, lambda value: self._append(self.place, length, value.text), 2, ordered=True)
        self.writer.line(f"return {length}")
        return MachineSet(interval=found.interval, most=found.most, repeats=found.repeats, is_sorted=found.is_sorted)

    def listed_by(self, call: SetCall) -> MachineSet:
        known = call.found
        assert isinstance(known, MachineSet)
        stands_for, (game, *given) = Code(call.text), call.arguments
        length = self.writer.recall(stands_for)
        if not length.simple:
            room = self.tables.room(known.most)
            made = Code(f"{call.name}({', '.join((game, room, *given))})", Interval(0, known.most))
            length = self.writer.keep(made, stands_for.text, call.is_total)
            self.tables.listings[length.text] = room
        room = self.tables.listings[length.text]
        found = from_list(self.writer, "scratch", room, length.text, known.interval, known.most)
        return evolve(found, repeats=known.repeats, is_sorted=known.is_sorted)

    def gathered(self, cases: Sequence[tuple[Block, MachineSet]]) -> MachineSet:
        most, length = max((found.most for _, found in cases), default=0), self.writer.fresh("l")
        room = self.tables.room(most)
        self.writer.line(f"{length} = 0")
        for block, found in cases:
            with self.writer.into(block):
                self.for_each(found, None, lambda value: self._append(room, length, value.text), 2, ordered=True)
            if block.lines:
                self.writer.attach(block)
        parts = [found for _, found in cases if found.most] or [found for _, found in cases]
        interval = intervals.hull(*(found.interval for found in parts)) or Interval(0, 0)
        gathered = from_list(self.writer, "scratch", room, length, interval, most)
        return evolve(gathered, repeats=any(found.repeats for found in parts))

    def united(self, parts: Sequence[MachineSet]) -> MachineSet | None:
        """Elements are marked by bits in scratch memory."""
        interval = intervals.hull(*(part.interval for part in parts if part.most)) or Interval(0, 0)
        numbers, most = len(interval.values), sum(part.most for part in parts)
        is_short = all(part.items is not None for part in parts) and most <= UNROLLED
        if is_short or numbers > MOST_MARKED or any(part.repeats for part in parts):
            return None
        words, room, length = self.tables.room(words_of(numbers)), self.tables.room(min(most, numbers)), self.writer.fresh("l")
        self.writer.line(f"unmark_all(game, {words}, {words_of(numbers)})")
        self.writer.line(f"{length} = 0")

        def add(value: Code) -> None:
            at = value.text if interval.low == 0 else f"{value.text} - ({interval.low})"
            with self.writer.block(f"if mark_new(game, {words}, {at}):"):
                self._append(room, length, value.text)

        for part in parts:
            self.for_each(part, None, add, 2, ordered=True)
        return from_list(self.writer, "scratch", room, length, interval, min(most, numbers))

    def path(self, start: Code, way: Callable[[Code], tuple[Code, Code]]) -> MachineSet:
        start = self.writer.share(self.exact(start))
        return self._widened(start.bounds, lambda interval: self._walked(start, interval, way))

    def _widened(self, interval: Interval, write: Callable[[Interval], tuple[MachineSet, Interval]]) -> MachineSet:
        """What is written for an interval of elements, which is widened until it contains all that are met."""
        while True:
            with self.writer.aside() as block:
                found, reached = write(interval)
            if interval == reached:
                self.writer.splice(block)
                return found
            interval = reached
            if interval.high - interval.low > MOST_REACHED:
                raise CannotCompile("a closure of numbers without limits")

    def _walked(self, start: Code, interval: Interval, way: Callable[[Code], tuple[Code, Code]]) -> tuple[MachineSet, Interval]:
        """The path within an interval of cells, and the interval of all that are met."""
        size, writer = len(interval.values), self.writer
        room, length, more = self.tables.room(size), writer.fresh("l"), writer.fresh("m")
        here = writer.fresh("h", writer.top + 1)
        for line in (f"scratch[{room}] = {start.text}", f"{length} = 1", f"{here} = {start.text}", f"{more} = 1"):
            writer.line(line)
        with writer.block(f"while {more}:", BlockKind.LOOP):
            writer.line(f"{more} = 0")
            after, condition = way(Code(here, interval, simple=True))
            after = writer.share(after)
            with writer.block(f"if {after.text} != {here} and {condition.text}:"):
                self._append(room, length, after.text)
                writer.line(f"{here} = {after.text}")
                writer.line(f"{more} = 1")
        span = intervals.hull(interval, after.bounds)
        assert span is not None
        return from_list(writer, "scratch", room, length, interval, size), span

    def _append(self, room: str, length: str, value: str) -> None:
        self.writer.line(f"scratch[{room} + {length}] = {value}")
        self.writer.line(f"{length} += 1")

    def image(self, domain: MachineSet, where: Test | None, body: Test, uses: int) -> MachineSet:
        room, length = self.tables.room(domain.most), self.writer.fresh("l")
        found: list[Interval] = []
        self.writer.line(f"{length} = 0")

        def note(value: Code) -> None:
            new, at = self.writer.share(self.exact(body(value))), self.writer.fresh("j")
            found.append(new.bounds)
            self.writer.line(f"{at} = 0")
            with self.writer.block(f"while {at} < {length} and scratch[{room} + {at}] != {new.text}:"):
                self.writer.line(f"{at} += 1")
            with self.writer.block(f"if {at} == {length}:"):
                self._append(room, length, new.text)

        self.for_each(domain, where, note, uses, ordered=True)
        interval = intervals.hull(*found) or Interval(0, 0)
        return from_list(self.writer, "scratch", room, length, interval, domain.most)

    def closure(self, start: Code, successors: Callable[[Code], MachineSet]) -> MachineSet:
        """Breadth-first search."""
        start = self.writer.share(self.exact(start))
        return self._widened(start.bounds, lambda interval: self._reached(start, interval, successors))

    def _reached(
        self, start: Code, interval: Interval, successors: Callable[[Code], MachineSet]
    ) -> tuple[MachineSet, Interval]:
        """The closure within an interval of elements, and the interval of all successors.

        One piece of scratch memory holds the queue; another marks visited elements (`next_mark`).
        """
        size, writer = len(interval.values), self.writer
        queue, marks = self.tables.room(size), self.tables.room(size + 1)
        mark, length, at = writer.fresh("k"), writer.fresh("l"), writer.fresh("a")
        first = marks if interval.low == 0 else f"{marks} - ({interval.low})"
        writer.line(f"{mark} = next_mark(game, {marks}, {size})")
        writer.line(f"scratch[{queue}] = {start.text}")
        writer.line(f"scratch[{first} + {start.text}] = {mark}")
        writer.line(f"{length} = 1")
        writer.line(f"{at} = 0")
        reached = [interval]

        def add(item: Code) -> None:
            reached.append(item.bounds)
            with writer.block(f"if scratch[{first} + {item.text}] != {mark}:"):
                writer.line(f"scratch[{first} + {item.text}] = {mark}")
                self._append(queue, length, item.text)

        with writer.block(f"while {at} < {length}:", BlockKind.LOOP):
            self.look_up()
            here = writer.fresh("h")
            writer.line(f"{here} = scratch[{queue} + {at}]")
            writer.line(f"{at} += 1")
            self.for_each(successors(Code(here, interval, simple=True)), None, add, 2, ordered=True)
        span = intervals.hull(*reached)
        assert span is not None
        return from_list(writer, "scratch", queue, length, interval, size), span

    def draw(self, domain: MachineSet, span: Span) -> Code:
        if domain.items is not None or not domain.length:
            domain = self.those(domain, None)
        number, at, value, here = self.writer.share(self.size(domain)), *(self.writer.fresh(prefix) for prefix in "avh")
        with self.writer.block(f"if {number.text} < 1:"):
            self.fault()
        self.writer.line(f"{at} = pick(game, {number.text})")
        self.writer.line(f"{value} = {domain.interval.low}")
        self.writer.line(f"{here} = 0")

        def take(item: Code) -> None:
            with self.writer.block(f"if {here} == {at}:"):
                self.writer.line(f"{value} = {item.text}")
            self.writer.line(f"{here} += 1")

        self.loop(domain, take)
        return Code(value, domain.interval, simple=True)

    def clash(self, one: Case, other: Case) -> Code:
        self.fault()
        return NO
