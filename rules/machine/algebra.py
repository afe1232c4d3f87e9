"""The machine-code reading: values and sets are text in the native subset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Comparison, Extreme
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.spaces.window import Window
from rulewright.subset.refusal import CannotCompile

from .lookup_tables import space_of
from .set_code import Many, Test, from_cells, from_items, from_list, from_range
from .state_access import SHORT, Reading
from .writer import NO, YES, Number, constant, span_of, truth

MOST_REACHED = 1 << 20
"""What a closure may reach lies no farther apart."""


@define
class Machine(Reading):
    """The whole algebra."""

    def known(self, values: Sequence[int]) -> Many:
        if len(values) <= SHORT:
            return from_items([(constant(v), None) for v in values])
        if isinstance(values, range) and values.step == 1:
            return from_range(self.text, str(values.start), self._end(values), values.start, values.stop - 1)
        name = self.keep(f"set {' '.join(map(str, values))}", values)
        return from_list(self.text, name, "0", str(len(values)), min(values), max(values), len(values))

    def _end(self, values: range) -> str:
        """Behind the last of a range, which may be all cells of an unbounded space: the text must not hold their number."""
        for name, window in self.instance.windows.items():
            if window.unbounded and values == range(window.size):
                if window.size in map(len, self.instance.game.enumerations.values()):
                    raise CannotCompile("as many members of an enumeration as cells")
                return self.tables.size(name)
        return str(values.stop)

    def listed(self, values: Sequence[Number]) -> Many:
        named = [self.text.named(value) for value in values]
        items: list[tuple[Number, Number | None]] = []
        for at, value in enumerate(named):
            new = [self.compare(Comparison.UNEQUAL, value, before) for before in named[:at]]
            guard = self.conjunction([lambda n=n: n for n in new])  # type: ignore[misc]
            if guard.known != 0:
                items.append((value, None if guard.known else guard))
        return from_items(items)

    def interval(self, low: Number, high: Number) -> Many:
        if low.known is not None and high.known is not None:
            numbers = range(low.known, high.known + 1)
            if len(numbers) <= SHORT:
                return self.known(numbers)
            return from_range(self.text, str(numbers.start), str(numbers.stop), numbers.start, numbers.stop - 1)
        low, high = self.text.named(low), self.text.named(high)
        return from_range(self.text, low.text, f"{high.text} + 1", low.low, max(high.high, low.low))

    def board_cells(self, window: Window, board: str) -> Many:
        place = self.slots.places[board]
        return from_cells(
            self.text, f"tables[{place.entry}]", f"tables[{place.entry + 1}]", place.slot, self._sized(window), window.size
        )

    def _sized(self, window: Window) -> str:
        return self.tables.size(space_of(self.instance, window))

    def member(self, value: Number, domain: Many) -> Number:
        value = self.text.named(value)
        if domain.bounds is not None:
            return truth(f"({domain.bounds[0]} <= {value.text} < {domain.bounds[1]})")
        return self.some(domain, None, lambda item: self.compare(Comparison.EQUAL, value, item), 1)

    def size(self, domain: Many) -> Number:
        if domain.length:
            return self.text.named(Number(domain.length, 0, domain.most))
        return self.total(domain, None, lambda _: YES, 0)

    def top(self, pile: Many) -> Number:
        if pile.first is None:
            raise CannotCompile("the top of what is no zone")
        return self.text.named(Number(f"({pile.first} if {pile.length} else 0)", 0, pile.high))

    def those(self, domain: Many, where: Test) -> Many:
        room, count = self.tables.room(domain.most), self.text.fresh("l")
        self.text.line(f"{count} = 0")

        def add(value: Number) -> None:
            self.text.line(f"scratch[{room} + {count}] = {value.text}")
            self.text.line(f"{count} += 1")

        self.for_each(domain, where, add, 2, ordered=True)
        return from_list(self.text, "scratch", room, count, domain.low, domain.high, domain.most, domain.repeats)

    def for_each(
        self, domain: Many, where: Test | None, body: Callable[[Number], None], uses: int, ordered: bool = False
    ) -> None:
        """Write a body for every element, in order where that matters."""
        if domain.items is not None:
            for item, guard in domain.items:
                if guard is None:
                    self._under(self.share(item, uses), where, body)
                    continue
                with self.text.block(f"if {guard.text}:"):
                    self._under(self.share(item, uses), where, body)
            return
        loop = domain.loop if ordered or domain.any_order is None else domain.any_order
        assert loop is not None
        loop(lambda value: self._under(value, where, body))

    def _under(self, value: Number, where: Test | None, body: Callable[[Number], None]) -> None:
        condition = YES if where is None else where(value)
        if condition.known == 0:
            return
        if condition.known is not None:
            body(value)
            return
        with self.text.block(f"if {condition.text}:"):
            body(value)

    def every(self, domain: Many, where: Test | None, body: Test, uses: int) -> Number:
        return self._quantified(domain, where, body, uses, True)

    def some(self, domain: Many, where: Test | None, body: Test, uses: int) -> Number:
        return self._quantified(domain, where, body, uses, False)

    def _quantified(self, domain: Many, where: Test | None, body: Test, uses: int, every: bool) -> Number:
        if domain.items is not None:

            def part(item: Number, guard: Number | None) -> Number:
                value = self.share(item, uses)
                tests: list[Callable[[], Number]] = [] if guard is None else [lambda: guard]
                if where is not None:
                    tests.append(lambda: where(value))
                if every:
                    refuted = [lambda t=t: self.negation(t()) for t in tests]
                    return self.disjunction([*refuted, lambda: body(value)])
                return self.conjunction([*tests, lambda: body(value)])

            parts = [lambda i=i, g=g: part(i, g) for i, g in domain.items]
            return self.conjunction(parts) if every else self.disjunction(parts)
        name = self.text.fresh("q")
        self.text.line(f"{name} = {int(every)}")

        def check(value: Number) -> None:
            code = body(value)
            with self.text.block(f"if not {code.text}:" if every else f"if {code.text}:"):
                self.text.line(f"{name} = {int(not every)}")
                self.text.line("break")

        self.for_each(domain, where, check, uses)
        return Number(name, 0, 1, True)

    def total(self, domain: Many, where: Test | None, body: Test, uses: int) -> Number:
        name = self.text.fresh("n")
        low = high = 0
        self.text.line(f"{name} = 0")

        def add(value: Number) -> None:
            nonlocal low, high
            code = body(value)
            times = 1 if domain.items is not None else domain.most
            low += min(0, code.low) * times
            high += max(0, code.high) * times
            self.text.line(f"{name} += {code.text}")

        self.for_each(domain, where, add, uses)
        return Number(name, low, high, True)

    def extreme(self, extreme: Extreme, domain: Many, where: Test | None, body: Test, element: bool) -> Number:
        best, value, found = self.text.fresh("x"), self.text.fresh("y"), self.text.fresh("f")
        for name in (best, value, found):
            self.text.line(f"{name} = 0")
        sign = "<" if extreme is Extreme.LEAST else ">"
        seen: list[Number] = [NO]

        def consider(item: Number) -> None:
            code = self.text.named(body(item))
            seen.append(item if element else code)
            with self.text.block(f"if not {found} or {code.text} {sign} {value}:"):
                self.text.line(f"{best} = {seen[-1].text}")
                self.text.line(f"{value} = {code.text}")
                self.text.line(f"{found} = 1")

        self.for_each(domain, where, consider, 2, ordered=element)
        return Number(best, *span_of(*seen), simple=True)

    def image(self, domain: Many, where: Test | None, body: Test, uses: int) -> Many:
        room, count = self.tables.room(domain.most), self.text.fresh("l")
        found: list[Number] = []
        self.text.line(f"{count} = 0")

        def note(value: Number) -> None:
            new, at = self.text.named(body(value)), self.text.fresh("j")
            found.append(new)
            self.text.line(f"{at} = 0")
            with self.text.block(f"while {at} < {count} and scratch[{room} + {at}] != {new.text}:"):
                self.text.line(f"{at} += 1")
            with self.text.block(f"if {at} == {count}:"):
                self.text.line(f"scratch[{room} + {count}] = {new.text}")
                self.text.line(f"{count} += 1")

        self.for_each(domain, where, note, uses, ordered=True)
        low, high = span_of(*found) if found else (0, 0)
        return from_list(self.text, "scratch", room, count, low, high, domain.most)

    def closure(self, start: Number, successors: Callable[[Number], Many]) -> Many:
        """The elements reached wait in one piece of scratch room; another marks them by the number of this search."""
        start = self.text.named(start)
        low, high = start.low, start.high
        while True:
            with self.text.aside() as kept:
                found, span = self._reached(start, low, high, successors)
            if (low, high) == span:
                self.text.insert(kept)
                return found
            low, high = span
            if high - low > MOST_REACHED:
                raise CannotCompile("a closure of numbers without limits")

    def _reached(
        self, start: Number, low: int, high: int, successors: Callable[[Number], Many]
    ) -> tuple[Many, tuple[int, int]]:
        """A closure as if nothing beyond `low..high` could be reached; what could be."""
        size = high - low + 1
        queue, marks = self.tables.room(size), self.tables.room(size)
        stamp, count, at = self.text.fresh("k"), self.text.fresh("l"), self.text.fresh("a")
        first = f"{marks}" if low == 0 else f"{marks} - ({low})"
        self.text.line(f"{stamp} = game.stamp + 1")
        self.text.line(f"game.stamp = {stamp}")
        self.text.line(f"scratch[{queue}] = {start.text}")
        self.text.line(f"scratch[{first} + {start.text}] = {stamp}")
        self.text.line(f"{count} = 1")
        self.text.line(f"{at} = 0")
        least, most = low, high

        def add(item: Number) -> None:
            nonlocal least, most
            least, most = min(least, item.low), max(most, item.high)
            with self.text.block(f"if scratch[{first} + {item.text}] != {stamp}:"):
                self.text.line(f"scratch[{first} + {item.text}] = {stamp}")
                self.text.line(f"scratch[{queue} + {count}] = {item.text}")
                self.text.line(f"{count} += 1")

        with self.text.block(f"while {at} < {count}:"):
            here = self.text.named(Number(f"scratch[{queue} + {at}]", low, high), "h")
            self.text.line(f"{at} += 1")
            self.for_each(successors(here), None, add, 2, ordered=True)
        return from_list(self.text, "scratch", queue, count, low, high, size), (least, most)

    def clash(self, one: Case, other: Case) -> Number:
        self.text.line("game.fault = Fault.STOPPED")
        return NO

    def invoke(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Number]) -> Number:
        return body(arguments)
