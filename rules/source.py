"""The compiled reading: values are Python text. What is known folds away; near cells are written out one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..grammar.classes import define
from ..grammar.expressions import Comparison, Extreme
from .blocks import NO, YES, Code, Kind, constant
from .concrete import near_cells
from .game import Case, Definition
from .ground import FiniteMap, Ground
from .images import image_of
from .layout import Layout, values
from .source_logic import Logic
from .spaces.window import Window

Test = Callable[[Code], Code]
UNROLLED = 8
"""Sets of at most so many known elements are written out one by one."""


@define(eq=False)
class CodeSet:
    """A set as text: either `items` (each with the condition under which it is in), or an iterable.

    `domain` holds all of its elements, where that is known.
    """

    items: list[tuple[Code, Code | None]] | None = None
    text: str = ""
    level: int = 0
    domain: range = range(0)


@define
class Source(Logic):
    """Writes Python that computes on `s`, a state (`pure`), or on `t`, the list of columns that effects change."""

    ground: Ground
    layout: Layout
    pure: bool

    # State ------------------------------------------------------------------------------------

    def read(self, variable: str, index: Code | None) -> Code:
        column = self.layout.columns[variable]
        allowed = values(self.ground, column.variable)
        if len(allowed) == 1 and not column.over_cells:
            return constant(allowed.start)
        place = self.writer.share(self.column(variable, index))
        if column.over_cells:
            assert index is not None
            place = self.writer.share(Code(f"{place.text}[{index.text}]", max(place.level, index.level)))
        place.image = image_of(place.text, allowed)
        return place

    def column(self, variable: str, index: Code | None) -> Code:
        """The column of a variable at an index."""
        column, state = self.layout.columns[variable], "s" if self.pure else "t"
        if index is None or column.over_cells:
            return Code(f"{state}[{column.start}]")
        if index.known is not None:
            return Code(f"{state}[{self.layout.position(variable, index.known)}]")
        return Code(f"{state}[{index.text} + {column.start - column.offset}]", index.level)

    def zone(self, variable: str, index: Code | None) -> CodeSet:
        place = self.writer.share(self.column(variable, index))
        return CodeSet(None, place.text, place.level, range(1, len(self.ground.game.tiles) + 1))

    def element(self, domain: CodeSet) -> Code:
        """A new name that a loop opened next gives to each element of a set."""
        name = self.writer.fresh("e")
        return Code(name, self.writer.top + 1, simple=True, image=image_of(name, domain.domain) if domain.domain else None)

    # Maps and spaces --------------------------------------------------------------------------

    def lookup(self, map: FiniteMap, key: Code) -> Code:
        image = self.knowledge.merged([key], map)
        if isinstance(image, int):
            return constant(image)
        if image is not None and (not map.near or image.of != key.text):
            return self.table(image, key.level)
        name = self.keep("MAP", map.name, (*map.values, map.otherwise))
        if not map.near:
            key = self.writer.share(key)
            guarded = f"({name}[{key.text}] if 0 <= {key.text} < {len(map.values)} else {map.otherwise})"
            return Code(guarded, key.level)
        return self.writer.share(Code(f"{name}[{key.text}]", key.level, image=image), always=False)

    def branch(self, key: Code, family: Callable[[int], Callable[[], Code]], keys: Sequence[int]) -> Code:
        if key.known is not None:
            return family(key.known if key.known in keys else -1)()
        members = [family(k)() for k in (*keys, -1)]
        level = max(key.level, *(m.level for m in members))
        return Code(f"({', '.join(m.text for m in members)})[{key.text}]", level)

    def _called(self, name: str, function: Any, *arguments: Code) -> Code:
        known = [a.known for a in arguments]
        if None not in known:
            return constant(function(*known))
        text = f"{self.keep('call', name, function)}({', '.join(a.text for a in arguments)})"
        return self.writer.share(Code(text, max(a.level for a in arguments)), always=False)

    def toward(self, window: Window, start: Code, end: Code) -> Code:
        if end.base is not None and end.base.text == start.text:
            return constant(end.direction)
        if start.base is not None and start.base.text == end.text:
            return constant(window.opposite[start.direction])
        return self._called(f"toward_{self._space(window)}", window.toward, start, end)

    def _space(self, window: Window) -> str:
        return next(name for name, w in self.ground.windows.items() if w is window)

    def distance(self, window: Window, start: Code, end: Code) -> Code:
        return self._called(f"distance_{self._space(window)}", window.distance, start, end)

    def turn(self, window: Window, direction: Code, times: Code) -> Code:
        def turned(d: int, n: int) -> int:
            return window.turn(d, n) if d >= 0 else -1

        return self._called(f"turn_{self._space(window)}", turned, direction, times)

    def line(self, window: Window, cell: Code, direction: Code) -> CodeSet:
        def along(c: int, d: int) -> tuple[int, ...]:
            return window.line(c, d) if d >= 0 and c < window.size else ()

        name = self.keep("line", self._space(window), along)
        return CodeSet(None, f"{name}({cell.text}, {direction.text})", max(cell.level, direction.level))

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Code) -> CodeSet:
        nowhere = window.nowhere
        if window.periods or len(directions) > UNROLLED or window.names:
            table = tuple(near_cells(window, directions, c) for c in range(window.size + 1))
            name = self.keep("NEAR", f"{space}.{'.'.join(map(str, directions))}", table)
            return CodeSet(None, f"{name}[{cell.text}]", cell.level)
        cell = self.writer.share(cell)
        if cell.known is not None:
            return CodeSet([(constant(n), None) for n in near_cells(window, directions, cell.known)])
        steps = [self.ground.step(space, d) for d in directions]
        maps = [self.keep("MAP", step.name, (*step.values, step.otherwise)) for step in steps]
        found = [Code(f"{name}[{cell.text}]", cell.level) for name in maps]
        table = tuple(zip(*(m.values for m in steps), strict=True))
        name = self.keep("NEAR", f"{space}.{'.'.join(map(str, directions))}", table)
        items: list[tuple[Code, Code | None]] = []
        for direction, near in zip(directions, self.writer.share_all(found, f"{name}[{cell.text}]"), strict=True):
            if window.unbounded and cell.base is not None and direction == window.opposite[cell.direction]:
                items.append((cell.base, None))
                continue
            near.base, near.direction = cell, direction
            items.append((near, None if window.unbounded else Code(f"{near.text} != {nowhere}", near.level)))
        return CodeSet(items, level=cell.level)

    # Sets -------------------------------------------------------------------------------------

    def known(self, values: Sequence[int]) -> CodeSet:
        if len(values) <= UNROLLED:
            return CodeSet([(constant(v), None) for v in values])
        if isinstance(values, range):
            return CodeSet(None, f"range({values.start}, {values.stop})", domain=values)
        return CodeSet(None, self.keep("SET", str(len(self.constants)), tuple(values)))

    def listed(self, values: Sequence[Code]) -> CodeSet:
        if all(v.known is not None for v in values):
            return self.known(tuple(dict.fromkeys(v.known for v in values if v.known is not None)))
        text = f"dict.fromkeys(({', '.join(self.exact(v).text for v in values)},))"
        return CodeSet(None, text, max(v.level for v in values))

    def interval(self, low: Code, high: Code) -> CodeSet:
        if low.known is not None and high.known is not None:
            return self.known(range(low.known, high.known + 1))
        return CodeSet(None, f"range({low.text}, {high.text} + 1)", max(low.level, high.level))

    def board_cells(self, window: Window, board: str) -> CodeSet:
        place = self.writer.share(self.column(board, None))
        return CodeSet(None, f"occupied({place.text})", place.level)

    def member(self, value: Code, domain: CodeSet) -> Code:
        value = self.exact(value)
        if domain.items is None:
            return Code(f"({value.text} in {domain.text})", max(value.level, domain.level))
        value = self.writer.share(value)
        items = domain.items
        return self.disjunction([lambda i=item: self._is(value, i) for item in items])  # type: ignore[misc]

    def _is(self, value: Code, item: tuple[Code, Code | None]) -> Code:
        same = self.compare(Comparison.EQUAL, value, item[0])
        guard = item[1]
        return same if guard is None else self.conjunction([lambda: guard, lambda: same])

    def size(self, domain: CodeSet) -> Code:
        if domain.items is None:
            return Code(f"len({domain.text})", domain.level, bare=domain.text)
        fixed = sum(guard is None for _, guard in domain.items)
        result = constant(fixed)
        for _, guard in domain.items:
            if guard is not None:
                result = Code(f"({result.text} + ({guard.text} != 0))", max(result.level, guard.level))
        return result

    def top(self, pile: CodeSet) -> Code:
        top = self.writer.share(Code(f"({pile.text}[0] if {pile.text} else 0)", pile.level))
        top.image = image_of(top.text, range(pile.domain.stop))
        return top

    def those(self, domain: CodeSet, where: Test) -> CodeSet:
        name = self.writer.fresh("l")
        self.writer.line(f"{name} = []")
        self.for_each(domain, where, lambda v: self.writer.line(f"{name}.append({v.text})"), 2)
        return CodeSet(None, name, self.writer.top, domain.domain)

    def image(self, domain: CodeSet, where: Test | None, body: Test, uses: int) -> CodeSet:
        name = self.writer.fresh("i")
        self.writer.line(f"{name} = {{}}")
        self.for_each(domain, where, lambda v: self.writer.line(f"{name}[{self.exact(body(v)).text}] = 0"), uses)
        return CodeSet(None, name, self.writer.top)

    def for_each(self, domain: CodeSet, where: Test | None, body: Callable[[Code], None], uses: int) -> None:
        """Write a body for every element: one by one where the elements are known, else a loop."""
        if domain.items is not None:
            for item, guard in domain.items:
                conditions = [] if guard is None else [guard]
                self._under(conditions, self.share(item, uses), where, body)
            return
        element = self.element(domain)
        self.writer.open(f"for {element.text} in {domain.text}:", Kind.LOOP)
        self._under([], element, where, body)
        self.writer.close()

    def _under(self, guards: list[Code], value: Code, where: Test | None, body: Callable[[Code], None]) -> None:
        opened = 0
        for guard in guards:
            self.writer.open(f"if {guard.text}:", Kind.GUARD)
            opened += 1
        condition = YES if where is None else where(value)
        if condition.known is None:
            self.writer.open(f"if {condition.text}:", Kind.PART)
            opened += 1
        if condition.known != 0:
            body(value)
        for _ in range(opened):
            self.writer.close()

    def every(self, domain: CodeSet, where: Test | None, body: Test, uses: int) -> Code:
        return self._quantified(domain, where, body, uses, True)

    def some(self, domain: CodeSet, where: Test | None, body: Test, uses: int) -> Code:
        return self._quantified(domain, where, body, uses, False)

    def _quantified(self, domain: CodeSet, where: Test | None, body: Test, uses: int, every: bool) -> Code:
        if domain.items is not None:

            def part(item: Code, guard: Code | None) -> Code:
                value = self.share(item, uses)
                tests: list[Callable[[], Code]] = [] if guard is None else [lambda: guard]
                if where is not None:
                    tests.append(lambda: where(value))
                if every:
                    refuted = [lambda t=t: self.negation(t()) for t in tests]
                    return self.disjunction([*refuted, lambda: body(value)])
                return self.conjunction([*tests, lambda: body(value)])

            parts = [lambda i=i, g=g: part(i, g) for i, g in domain.items]
            return self.conjunction(parts) if every else self.disjunction(parts)
        name = self.writer.fresh("q")
        self.writer.line(f"{name} = {int(every)}")

        def check(value: Code) -> None:
            code = body(value)
            self.writer.open(f"if not {code.text}:" if every else f"if {code.text}:", Kind.PART)
            self.writer.line(f"{name} = {int(not every)}")
            self.writer.line("break")
            self.writer.close()

        self.for_each(domain, where, check, uses)
        return Code(name, self.writer.top, simple=True)

    def total(self, domain: CodeSet, where: Test | None, body: Test, uses: int) -> Code:
        name = self.writer.fresh("n")
        self.writer.line(f"{name} = 0")
        self.for_each(domain, where, lambda v: self.writer.line(f"{name} += {self.exact(body(v)).text}"), uses)
        return Code(name, self.writer.top, simple=True)

    def extreme(self, extreme: Extreme, domain: CodeSet, where: Test | None, body: Test, element: bool) -> Code:
        best, value = self.writer.fresh("x"), self.writer.fresh("y")
        self.writer.line(f"{best}, {value} = 0, None")
        sign = "<" if extreme is Extreme.LEAST else ">"

        def consider(item: Code) -> None:
            code = self.exact(body(item))
            new = self.writer.fresh("z")
            self.writer.line(f"{new} = {code.text}")
            self.writer.open(f"if {value} is None or {new} {sign} {value}:", Kind.PART)
            self.writer.line(f"{best}, {value} = {item.text if element else new}, {new}")
            self.writer.close()

        self.for_each(domain, where, consider, 2)
        return Code(best, self.writer.top, simple=True)

    def closure(self, start: Code, successors: Callable[[Code], CodeSet]) -> CodeSet:
        found, here = self.writer.fresh("f"), self.writer.fresh("h")
        self.writer.line(f"{found} = [{start.text}]")
        self.writer.open(f"for {here} in {found}:", Kind.LOOP)
        reached = successors(Code(here, self.writer.top, simple=True))

        def add(item: Code) -> None:
            self.writer.open(f"if {item.text} not in {found}:", Kind.PART)
            self.writer.line(f"{found}.append({item.text})")
            self.writer.close()

        self.for_each(reached, None, add, 2)
        self.writer.close()
        return CodeSet(None, found, self.writer.top)

    def clash(self, one: Case, other: Case) -> Code:
        name = self.keep("CLASH", f"{one.name}..{other.name}", (one, other))
        self.writer.line(f"raise clash(*{name})")
        return NO

    def invoke(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Code]) -> Code:
        return body(arguments)
