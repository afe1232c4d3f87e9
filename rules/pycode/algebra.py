"""The algebra of Python text: values are expressions, sets are iterables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.base.records import define, evolve
from rulewright.base.spans import Span
from rulewright.rules.codegen import intervals
from rulewright.rules.codegen.algebra import Body, CodeAlgebra, CodeSet, Item, Test
from rulewright.rules.codegen.anchors import Anchor
from rulewright.rules.codegen.intervals import TRUTH, Interval
from rulewright.rules.codegen.subroutines import SetCall
from rulewright.rules.codegen.writer import NO, YES, Block, BlockKind, Code, constant
from rulewright.rules.model.game import Case
from rulewright.rules.model.instance import FiniteMap, FiniteRows
from rulewright.rules.model.state import SEED, StateLayout, least_value, value_range
from rulewright.rules.semantics.cell_test import has_marks
from rulewright.rules.spaces.window import Function, Window


@define(eq=False)
class PythonSet(CodeSet):
    """A set without items is the value of an expression, a Python iterable."""

    text: str = ""
    repeats: bool = False
    """Whether it may hold an element more than once."""


@define
class PythonAlgebra(CodeAlgebra[PythonSet]):
    """Code that computes on `s`, a state (`pure`), or on `t`, the list of columns that effects change."""

    layout: StateLayout
    pure: bool

    @property
    def state(self) -> str:
        return "s" if self.pure else "t"

    # State ------------------------------------------------------------------------------------

    def read(self, variable: str, index: Code | None) -> Code:
        column = self.layout.columns[variable]
        allowed = value_range(self.instance, column.variable)
        if len(allowed) == 1 and not column.over_cells:
            return constant(allowed.start)
        place = self.writer.share(Code(self.column(variable, index)))
        if column.over_cells:
            assert index is not None
            place = self.writer.share(Code(f"{place.text}[{index.text}]"))
        return self.element(place.text, Interval(allowed.start, allowed.stop - 1))

    def column(self, variable: str, index: Code | None) -> str:
        """The column of a variable at an index."""
        column, state = self.layout.columns[variable], self.state
        if index is None or column.over_cells:
            return f"{state}[{column.start}]"
        if index.known is not None:
            return f"{state}[{column.start + index.known - column.offset}]"
        return f"{state}[{index.text} + {column.start - column.offset}]"

    def zone(self, variable: str, index: Code | None) -> PythonSet:
        place = self.writer.share(Code(self.column(variable, index)))
        return PythonSet(place.text, True, interval=Interval(1, len(self.instance.game.tiles)))

    # Maps and spaces --------------------------------------------------------------------------

    def lookup(self, map: FiniteMap, key: Code) -> Code:
        table = self.conditions.combined([key], map)
        if isinstance(table, int):
            return constant(table)
        if table is not None and (not map.near or table.argument != key.text):
            return self.lookup_in(table)
        name = self.keep("MAP", map.name, (*map.values, map.otherwise))
        if not map.near:
            key = self.writer.share(key)
            return Code(f"({name}[{key.text}] if 0 <= {key.text} < {len(map.values)} else {map.otherwise})")
        return self.writer.share(
            Code(f"{name}[{key.text}]", None if table is None else table.interval, table=table), always=False
        )

    def branch(self, key: Code, subject: Code, family: Callable[[int, Code], Code], keys: Sequence[int]) -> Code:
        if key.known is not None:
            return family(key.known if key.known in keys else -1, subject)
        subject = self.writer.share(subject)
        members = [family(k, subject) for k in (*keys, -1)]
        return Code(f"({', '.join(member.text for member in members)})[{key.text}]")

    def called(self, function: Function, window: Window, *arguments: Code) -> Code:
        name = self.keep("call", f"{function.value}_{self.space_of(window)}", window.function(function))
        return self.writer.share(Code(f"{name}({', '.join(argument.text for argument in arguments)})"), always=False)

    def line(self, window: Window, cell: Code, direction: Code) -> PythonSet:
        return PythonSet(f"{self.keep('line', self.space_of(window), window.line)}({cell.text}, {direction.text})")

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Code) -> PythonSet:
        name = f"{space}.{'.'.join(map(str, directions))}"
        if not self.is_unrolled(window, directions):
            table = tuple(window.near(directions, at) for at in range(window.size + 1))
            return PythonSet(f"{self.keep('NEAR', name, table)}[{cell.text}]")
        cell = self.writer.share(cell)
        if cell.known is not None:
            return self.of_items([(constant(near), None) for near in window.near(directions, cell.known)])
        found = [self.writer.share(self.lookup(self.instance.step(space, direction), cell)) for direction in directions]
        return self.around(window, directions, cell, found, str(window.nowhere))

    def row(self, rows: FiniteRows, key: Code) -> PythonSet:
        if key.known is not None:
            return self.known(rows(key.known))
        text = f"{self.keep('ROWS', rows.name, (*rows.rows, ()))}[{key.text}]"
        return PythonSet(text, interval=Interval(*rows.range), most=rows.longest)

    # Sets -------------------------------------------------------------------------------------

    def of_items(self, items: Sequence[Item]) -> PythonSet:
        return PythonSet(items=items)

    def loop(self, domain: PythonSet, body: Body, ordered: bool = True) -> None:
        with self.writer.loop("e", domain.text) as name:
            body(self.element(name, domain.interval))

    def distinct(self, domain: PythonSet, body: Body) -> None:
        if domain.repeats:
            text = domain.text
            once = self.writer.share(Code(f"({text} if len({text}) < 2 else dict.fromkeys({text}))"))
            domain = evolve(domain, text=once.text)
        self.loop(domain, body)

    def is_any(self, domain: PythonSet) -> Code:
        return Code(domain.text, loose=True)

    def in_turn(self, values: Sequence[int]) -> PythonSet:
        if isinstance(values, range):
            return PythonSet(f"range({values.start}, {values.stop})", interval=Interval(values.start, values.stop - 1))
        return PythonSet(self.keep("SET", str(len(self.constants)), tuple(values)), interval=Interval(min(values), max(values)))

    def listed(self, values: Sequence[Code]) -> PythonSet:
        if all(value.known is not None for value in values):
            return self.known(tuple(dict.fromkeys(value.known for value in values if value.known is not None)))
        return PythonSet(f"dict.fromkeys(({', '.join(self.exact(value).text for value in values)},))")

    def interval(self, low: Code, high: Code) -> PythonSet:
        if low.known is not None and high.known is not None:
            return self.known(range(low.known, high.known + 1))
        return PythonSet(f"range({low.text}, {high.text} + 1)")

    def board_cells(self, window: Window, board: str) -> PythonSet:
        return PythonSet(f"occupied_cells({self.writer.share(Code(self.column(board, None))).text})")

    def cells_of_kinds(self, board: str, kinds: frozenset[int], domain: Callable[[], PythonSet]) -> PythonSet | None:
        if not self.layout.columns[board].as_bytes:
            return None
        name = self.keep("KINDS", " ".join(map(str, sorted(kinds))), bytes(sorted(kinds)))
        last = self.instance.windows[board].size - 1
        return PythonSet(
            f"cells_of_kinds({self.writer.share(Code(self.column(board, None))).text}, {name})", interval=Interval(0, last)
        )

    def marked(self, variable: str) -> PythonSet | None:
        known = self.layout.columns[variable].variable
        if not has_marks(self.instance, known) or known.index is None:
            return None
        column, least = self.writer.share(Code(self.column(variable, None))), least_value(self.instance, known)
        last = len(self.instance.domain(known.index)) - 1
        return PythonSet(f"marked_cells({column.text}, {least})", interval=Interval(0, last))

    def anchored(self, anchor: Anchor, all: Code) -> PythonSet | None:
        every, near = self.in_turn(anchor.values), self.keep("ANCHOR", anchor.near.name, (anchor.values, anchor.near.rows))
        found = f"values_near({self.writer.share(Code(self.column(anchor.variable, None))).text}, *{near})"
        if all.known is None:
            found = f"({every.text} if {all.text} else {found})"
        elif all.known:
            found = every.text
        return PythonSet(self.writer.share(Code(found)).text, interval=every.interval)

    def member(self, value: Code, domain: PythonSet) -> Code:
        if domain.items is None:
            return Code(f"({self.exact(value).text} in {domain.text})", TRUTH)
        return super().member(value, domain)

    def size(self, domain: PythonSet) -> Code:
        return Code(f"len({domain.text})", nonzero=domain.text) if domain.items is None else super().size(domain)

    def top(self, pile: PythonSet, bottom: bool) -> Code:
        top = self.writer.share(Code(f"({pile.text}[{-1 if bottom else 0}] if {pile.text} else 0)"))
        return self.element(top.text, Interval(0, len(self.instance.game.tiles)))

    def those(self, domain: PythonSet, where: Test) -> PythonSet:
        name = self.writer.fresh("l")
        self.writer.line(f"{name} = []")
        self.for_each(domain, where, lambda value: self.writer.line(f"{name}.append({value.text})"), 2)
        return PythonSet(name, domain.repeats, interval=domain.interval)

    def give_back(self, found: PythonSet) -> PythonSet:
        listed = found if found.items is None else self.those(found, lambda _: YES)
        self.writer.line(f"return {listed.text}")
        return PythonSet("", found.repeats, interval=_interval_of(found), most=listed.most)

    def listed_by(self, call: SetCall) -> PythonSet:
        code = self.writer.recall(Code(call.text))
        code = code if code.simple else self.writer.keep(code, call.text, call.is_total)
        assert isinstance(call.found, PythonSet)
        return evolve(call.found, text=code.text)

    def gathered(self, cases: Sequence[tuple[Block, PythonSet]]) -> PythonSet:
        name = self.writer.fresh("l")
        self.writer.line(f"{name} = ()")
        for block, found in cases:
            with self.writer.into(block):
                if found.items is None:
                    self.writer.line(f"{name} = {found.text}")
                elif found.items:
                    self.writer.line(f"{name} = {self.those(found, lambda _: YES).text}")
            if block.lines:
                self.writer.attach(block)
        parts = [found for _, found in cases if found.items is None or found.items]
        return PythonSet(name, any(found.repeats for found in parts), interval=intervals.hull(*map(_interval_of, parts)))

    def united(self, parts: Sequence[PythonSet]) -> PythonSet | None:
        if any(part.repeats for part in parts) or all(part.items is not None for part in parts):
            return None
        listed = [part if part.items is None else self.those(part, lambda _: YES) for part in parts]
        text = f"dict.fromkeys(({''.join(f'*{part.text}, ' for part in listed)}))"
        return PythonSet(self.writer.share_here(Code(text)).text, interval=intervals.hull(*map(_interval_of, parts)))

    def path(self, start: Code, way: Callable[[Code], tuple[Code, Code]]) -> PythonSet:
        writer, found, here = self.writer, self.writer.fresh("f"), self.writer.fresh("h", self.writer.top + 1)
        writer.line(f"{found} = [{start.text}]")
        writer.line(f"{here} = {found}[0]")
        with writer.block("while True:", BlockKind.LOOP):
            after, condition = way(Code(here, simple=True))
            after = writer.share(after)
            with writer.block(f"if {after.text} == {here} or not {condition.text}:"):
                writer.line("break")
            writer.line(f"{found}.append({after.text})")
            writer.line(f"{here} = {after.text}")
        return PythonSet(found)

    def joined(self, first: PythonSet, second: PythonSet) -> PythonSet:
        name = self.writer.fresh("l")
        self.writer.line(f"{name} = []")
        for part in (first, second):
            self.for_each(part, None, lambda value: self.writer.line(f"{name}.append({value.text})"), 1, ordered=True)
        return PythonSet(name, first.repeats or second.repeats)

    def image(self, domain: PythonSet, where: Test | None, body: Test, uses: int) -> PythonSet:
        name = self.writer.fresh("i")
        self.writer.line(f"{name} = {{}}")
        self.for_each(domain, where, lambda value: self.writer.line(f"{name}[{self.exact(body(value)).text}] = 0"), uses)
        return PythonSet(name)

    def closure(self, start: Code, successors: Callable[[Code], PythonSet]) -> PythonSet:
        found = self.writer.fresh("f")
        self.writer.line(f"{found} = [{start.text}]")

        def add(item: Code) -> None:
            with self.writer.block(f"if {item.text} not in {found}:", BlockKind.PART):
                self.writer.line(f"{found}.append({item.text})")

        with self.writer.loop("h", found) as here:
            self.for_each(successors(Code(here, simple=True)), None, add, 2)
        return PythonSet(found)

    def draw(self, domain: PythonSet, span: Span) -> Code:
        name, interval = self.writer.fresh("v"), domain.interval
        if domain.items is not None:
            interval = intervals.hull(*(item.interval for item, _ in domain.items))
            domain = self.those(domain, lambda _: YES)
        listed = self.writer.share(Code(domain.text if domain.text.startswith("range(") else f"tuple({domain.text})"))
        place = self.keep("PLACE", f"{span.line}.{span.column} {span.source}", span)
        self.writer.line(f"if not {listed.text}: raise nothing_to_draw({place})")
        self.writer.line(f"{name}, t[{SEED}] = drawn({listed.text}, t[{SEED}])")
        return self.element(name, interval)

    def clash(self, one: Case, other: Case) -> Code:
        name = self.keep("CLASH", f"{one.name}..{other.name}", (one, other))
        self.writer.line(f"raise clash(*{name})")
        return NO


def _interval_of(found: PythonSet) -> Interval | None:
    return intervals.hull(*(item.interval for item, _ in found.items)) if found.items else found.interval
