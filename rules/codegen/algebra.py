"""Sets as code, and computations over them: quantifiers, sums, extremes. Loops over few known elements are unrolled."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, TypeVar

from rulewright.base.records import define, evolve, field
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model.game import Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows, Instance
from rulewright.rules.model.terms import Kind
from rulewright.rules.model.types import SetOf
from rulewright.rules.semantics.algebra import Algebra
from rulewright.rules.semantics.costs import UNROLLED
from rulewright.rules.spaces.window import Function, Window

from . import intervals
from .anchors import Anchor
from .intervals import TRUTH, Interval
from .logic import Logic, Thunk
from .subroutines import SetCall, Subroutines
from .tabulated import domains_of, identity, table_of
from .writer import NO, YES, Block, BlockKind, Code, constant, truth

Test = Callable[[Code], Code]
Body = Callable[[Code], None]
Item = tuple[Code, Code | None]
"""An element of a set, and the condition of its membership (None: always)."""


@define(eq=False)
class CodeSet:
    """A set: its `items`, or what a subclass has instead. The elements lie in `interval`, and there are at most `most`.

    A loop over it that `is_long` looks for each element whether time is over.
    """

    items: Sequence[Item] | None = field(default=None, kw_only=True)
    interval: Interval | None = field(default=None, kw_only=True)
    most: int | None = field(default=None, kw_only=True)
    is_long: bool = field(default=False, kw_only=True)


CodeSetT = TypeVar("CodeSetT", bound=CodeSet)


@define
class CodeAlgebra(Logic, Algebra[Code, CodeSetT]):
    """The part of the algebra common to all languages. A language adds the state, the spaces, and its own kinds of sets."""

    instance: Instance
    subroutines: Subroutines

    @property
    @abstractmethod
    def state(self) -> str:
        """The text of the state argument passed to functions."""

    @abstractmethod
    def of_items(self, items: Sequence[Item]) -> CodeSetT:
        """A set given by its unrolled items."""

    @abstractmethod
    def loop(self, domain: CodeSetT, body: Body, ordered: bool = True) -> None:
        """Write a loop over a set without items; in no particular order unless `ordered`."""

    def look_up(self) -> None:
        """Write code by which a function returns when time is over, if the language needs any."""

    @abstractmethod
    def in_turn(self, values: Sequence[int]) -> CodeSetT:
        """A set of known elements as a set to loop over."""

    def known(self, values: Sequence[int]) -> CodeSetT:
        return self.of_items([(constant(value), None) for value in values]) if len(values) <= UNROLLED else self.in_turn(values)

    def looped(self, domain: CodeSetT) -> CodeSetT | None:
        """An unrolled set as one to loop over; None if its elements are not known, or fewer than two."""
        values = [item.known for item, guard in domain.items or () if guard is None and item.known is not None]
        if len(values) < 2 or len(values) != len(domain.items or ()):
            return None
        return self.in_turn(tuple(values))

    def rolled(self, domain: CodeSetT) -> CodeSetT:
        """An unrolled set as one to loop over."""
        return self.looped(domain) or self.those(domain, lambda _: YES)

    place: ClassVar[str] = ""
    """The parameter that says where a function is to write a set, if the language needs one."""

    @abstractmethod
    def give_back(self, found: CodeSetT) -> CodeSetT:
        """Write the return of a set from a function; what is known of the set in every caller."""

    @abstractmethod
    def listed_by(self, call: SetCall) -> CodeSetT:
        """The set that a function lists."""

    @abstractmethod
    def gathered(self, cases: Sequence[tuple[Block, CodeSetT]]) -> CodeSetT:
        """The set that one of several exclusive blocks finds; the blocks were written aside. Without any, an empty one."""

    @abstractmethod
    def united(self, parts: Sequence[CodeSetT]) -> CodeSetT | None:
        """The elements of some sets, each once, in order; None if no way is better than to look for each element of a set in
        those before it."""

    @abstractmethod
    def path(self, start: Code, way: Callable[[Code], tuple[Code, Code]]) -> CodeSetT:
        """A cell and those after it, each by `way` from the one before, as long as a condition holds. No cell comes again,
        but the last may lead to itself."""

    def chosen(self, condition: Code, then: Callable[[], CodeSetT], otherwise: Callable[[], CodeSetT]) -> CodeSetT | None:
        """One of two sets, of which only that one is found; None if nothing would be saved, or if finding the other one might
        stop the game, as it does where both are found."""
        condition = self.writer.share(self.settled(condition))
        with self.writer.aside(f"if {condition.text}:") as one, self.conditions.assuming(condition, True):
            yes = then()
        with self.writer.aside(f"if not {condition.text}:") as other, self.conditions.assuming(condition, False):
            no = otherwise()
        if self.subroutines.stops(one) or self.subroutines.stops(other):
            return None
        if condition.known is not None:
            self.writer.splice(one if condition.known else other)
            return yes if condition.known else no
        if yes.items is not None and no.items is not None and not one.lines and not other.lines:
            return None
        return self.gathered([(one, yes), (other, no)])

    @abstractmethod
    def anchored(self, anchor: Anchor, all: Code) -> CodeSetT | None:
        """The values near the marked cells of a set, in order, or all if `all` holds; None if marked cells are not tracked."""

    @abstractmethod
    def distinct(self, domain: CodeSetT, body: Body) -> None:
        """Write a loop over a set without items that visits equal elements once."""

    @abstractmethod
    def is_any(self, domain: CodeSetT) -> Code:
        """Whether a set without items has an element."""

    # Loops ------------------------------------------------------------------------------------

    def element(self, name: str, interval: Interval | None) -> Code:
        """The variable of a loop."""
        return Code(name, interval, simple=True, table=None if interval is None else identity(name, interval.values))

    def for_each(self, domain: CodeSetT, where: Test | None, body: Body, uses: int, ordered: bool = False) -> None:
        """Write a body for every element that passes a test."""
        if domain.items is None:
            self.loop(domain, lambda value: self._where(value, where, body), ordered)
            return
        for item, guard in domain.items:
            if guard is None:
                self._where(self.share(item, uses), where, body)
                continue
            with self.writer.block(f"if {guard.text}:"):
                self._where(self.share(item, uses), where, body)

    def _where(self, value: Code, where: Test | None, body: Body) -> None:
        condition = YES if where is None else where(value)
        if condition.known is None:
            with self.writer.block(f"if {condition.text}:", BlockKind.PART):
                body(value)
        elif condition.known:
            body(value)

    def every(self, domain: CodeSetT, where: Test | None, body: Test, uses: int) -> Code:
        return self._quantified(domain, where, body, uses, True)

    def some(self, domain: CodeSetT, where: Test | None, body: Test, uses: int) -> Code:
        return self._quantified(domain, where, body, uses, False)

    def _quantified(self, domain: CodeSetT, where: Test | None, body: Test, uses: int, every: bool) -> Code:
        if domain.items is not None:

            def instance(item: Code, guard: Code | None) -> Code:
                value = self.share(item, uses)
                tests: list[Thunk] = [] if guard is None else [lambda: guard]
                tests += [] if where is None else [lambda: where(value)]
                if every:
                    refuted = [lambda test=test: self.negation(test()) for test in tests]
                    return self.disjunction([*refuted, lambda: body(value)])
                return self.conjunction([*tests, lambda: body(value)])

            parts = [partial(instance, *item) for item in domain.items]
            return self.conjunction(parts) if every else self.disjunction(parts)
        name = self.writer.fresh("q")
        self.writer.line(f"{name} = {int(every)}")

        def check(value: Code) -> None:
            code = body(value)
            with self.writer.block(f"if not {code.text}:" if every else f"if {code.text}:", BlockKind.PART):
                self.writer.line(f"{name} = {int(not every)}")
                self.writer.line("break")

        self.for_each(domain, where, check, uses)
        return Code(name, TRUTH, simple=True)

    def total(self, domain: CodeSetT, where: Test | None, body: Test, uses: int) -> Code:
        name = self.writer.fresh("n")
        self.writer.line(f"{name} = 0")
        terms: list[Interval | None] = []

        def add(value: Code) -> None:
            term = self.exact(body(value))
            terms.append(term.interval)
            self.writer.line(f"{name} += {term.text}")

        self.for_each(domain, where, add, uses)
        return self.checked(Code(name, intervals.total(terms, domain.most if domain.items is None else 1), simple=True))

    def extreme(self, kind: Kind, domain: CodeSetT, where: Test | None, body: Test) -> Code:
        best, value, found = (self.writer.fresh(prefix) for prefix in "xyf")
        for name in (best, value, found):
            self.writer.line(f"{name} = 0")
        sign = "<" if kind.is_least else ">"
        possible: list[Interval | None] = [Interval(0, 0)]

        def consider(item: Code) -> None:
            code = self.writer.share(self.exact(body(item)))
            result = item if kind.is_element else code
            possible.append(result.interval)
            with self.writer.block(f"if not {found} or {code.text} {sign} {value}:", BlockKind.PART):
                self.writer.line(f"{best} = {result.text}")
                self.writer.line(f"{value} = {code.text}")
                self.writer.line(f"{found} = 1")

        self.for_each(domain, where, consider, 2, ordered=kind.is_element)
        return Code(best, intervals.hull(*possible), simple=True)

    def member(self, value: Code, domain: CodeSetT) -> Code:
        value = self.writer.share(self.exact(value))
        return self.some(domain, None, lambda item: self.compare(Comparison.EQUAL, value, item), 1)

    def size(self, domain: CodeSetT) -> Code:
        if domain.items is None:
            return self.total(domain, None, lambda _: YES, 0)
        found = constant(sum(guard is None for _, guard in domain.items))
        for _, guard in domain.items:
            if guard is not None:
                found = self.arithmetic(Operator.PLUS, found, guard)
        return found

    def holders(self, rows: FiniteRows, element: Thunk) -> CodeSetT | None:
        return self.row(rows, element())

    # Spaces and definitions -------------------------------------------------------------------

    def space_of(self, window: Window) -> str:
        return next(name for name, other in self.instance.windows.items() if other is window)

    def is_unrolled(self, window: Window, directions: Sequence[int]) -> bool:
        """Whether loops over neighbours are unrolled: no two neighbours can be the same cell."""
        return not (window.periods or len(directions) > UNROLLED or window.names)

    def around(self, window: Window, directions: Sequence[int], cell: Code, found: Sequence[Code], nowhere: str) -> CodeSetT:
        """The neighbours of a cell: `found`, one for each direction; `nowhere` is the text for a cell beyond the border."""
        items: list[Item] = []
        for direction, near in zip(directions, found, strict=True):
            if window.unbounded and cell.neighbour is not None and direction == window.opposite[cell.direction]:
                items.append((cell.neighbour, None))
                continue
            inside = None if window.unbounded else truth(f"({near.text} != {nowhere})")
            items.append((evolve(near, neighbour=cell, direction=direction), inside))
        return self.of_items(items)

    def adjacent_direction(self, window: Window, start: Code, end: Code) -> Code | None:
        """The direction from one cell to another, if one was computed as a neighbour of the other."""
        if end.neighbour is not None and end.neighbour.text == start.text:
            return constant(end.direction)
        if start.neighbour is not None and start.neighbour.text == end.text:
            return constant(window.opposite[start.direction])
        return None

    def applied(self, function: Function, window: Window, *arguments: Code) -> Code:
        known = [argument.known for argument in arguments]
        adjacent = self.adjacent_direction(window, *arguments) if function is Function.TOWARD else None
        if adjacent is not None:
            return adjacent
        return self.called(function, window, *arguments) if None in known else constant(window.function(function)(*known))

    @abstractmethod
    def called(self, function: Function, window: Window, *arguments: Code) -> Code:
        """The value of a function of a space, of which not all arguments are known."""

    def invoke(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Any]) -> Any:
        """A value or set: looked up if it is known before play, computed by a function, or `body(arguments)`."""
        match table_of(self.instance, definition):
            case FiniteMap() as table:
                return self.lookup(table, self._key(definition, arguments))
            case FiniteRows() as rows:
                return self.row(rows, self._key(definition, arguments))
        if not isinstance(definition.value.type, SetOf):
            return self.writer.once(lambda: self._called(definition, arguments, body))
        return self._called(definition, arguments, body)

    def _called(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Any]) -> Any:
        match self.subroutines.call(definition, arguments, self.state):
            case SetCall() as call:
                return self.listed_by(call)
            case None:
                return body(arguments)
            case code:
                return code

    def _key(self, definition: Definition, arguments: Sequence[Code]) -> Code:
        """The number of the arguments of a tabulated definition."""
        key = NO
        for domain, argument in zip(domains_of(self.instance, definition), arguments, strict=True):
            at = self.arithmetic(Operator.MINUS, argument, self.constant(domain.start)) if domain.start else argument
            key = (
                at
                if key.known == 0
                else self.arithmetic(Operator.PLUS, self.arithmetic(Operator.TIMES, key, self.constant(len(domain))), at)
            )
        return key
