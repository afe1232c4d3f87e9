"""Long definitions as functions of the program: each is written once, however often it is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.semantics.cost_bounds import length_of

from .intervals import Interval
from .tabulated import domains_of
from .writer import Block, BlockKind, Code, Writer, constant

if TYPE_CHECKING:
    from .algebra import CodeSet
    from .code_evaluator import CodeEvaluator

SHORT = 1_000
"""Definitions with fewer characters are inlined."""

MOST_PARTS = 500
"""Definitions with more parts are written once even if their text is short: finding that out would take long."""

MOST_VARIANTS = 8
"""Most specialised functions of a definition, besides a general one."""

Known = int | Interval | None
"""What a function assumes of an argument: its value, or the interval of one without a domain."""
Key = tuple[str, tuple[Known, ...]]


@frozen(eq=False)
class Subroutine:
    """A function of the program. A `total` one never stops the game, so it may run even if its value is not needed.

    A value lies in `interval`; `found` is what is known of a set.
    """

    name: str
    interval: Interval | None
    is_total: bool
    found: CodeSet | None = None


@frozen
class SetCall:
    """A call of a function that lists a set: its name, the state and the arguments; `found` is what is known of the set."""

    name: str
    arguments: tuple[str, ...]
    is_total: bool
    found: CodeSet

    @property
    def text(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


@define(eq=False)
class Subroutines:
    """The functions of definitions, by what is known of their arguments; None for short definitions.

    `evaluator` writes code that only reads the state; `begin` gives the header and first lines of a function with some
    parameters; `fault` is a text that occurs in every line that stops the game.
    """

    writer: Writer
    functions: list[Block]
    evaluator: Callable[[], CodeEvaluator[Any]]
    begin: Callable[[str, Sequence[str]], tuple[str, Sequence[str]]]
    fault: str
    known: dict[Key, Subroutine | None] = field(factory=dict, init=False)
    variants: Counter[str] = field(factory=Counter, init=False)
    count: int = field(default=0, init=False)
    """The number of functions begun, which names them."""

    def call(self, definition: Definition, arguments: Sequence[Any], state: str) -> Code | SetCall | None:
        """The value of a definition by a call of its function, which receives the state; None if it is to be inlined."""
        if not all(isinstance(given, Code) for given in arguments):
            return None
        domains = domains_of(self.evaluator().instance, definition)
        key = definition.name, tuple(_known_of(given, domain) for given, domain in zip(arguments, domains, strict=True))
        if key not in self.known and self.variants[definition.name] == MOST_VARIANTS:
            widest = tuple(
                None if domain else _widened(given.interval) for given, domain in zip(arguments, domains, strict=True)
            )
            key = definition.name, widest
        if key not in self.known:
            self.variants[definition.name] = min(self.variants[definition.name] + 1, MOST_VARIANTS)
            self.known[key] = self._written(definition, key, arguments)
        function = self.known[key]
        if function is None:
            return None
        given = [argument.text for argument, known in zip(arguments, key[1], strict=True) if not isinstance(known, int)]
        if function.found is not None:
            return SetCall(function.name, (state, *given), function.is_total, function.found)
        if function.is_total and function.interval is not None and function.interval.low == function.interval.high:
            return constant(function.interval.low)
        code = Code(f"{function.name}({', '.join((state, *given))})", function.interval)
        code = self.writer.share(code, always=False) if function.is_total else self.writer.recall(code)
        return code if code.simple else self.writer.share_here(code)

    def stops(self, block: Block) -> bool:
        """Whether code may stop the game."""
        stops = [self.fault, *(f"{known.name}(" for known in self.known.values() if known is not None and not known.is_total)]
        return any(text in line for line in block.texts() for text in stops)

    def _written(self, definition: Definition, key: Key, arguments: Sequence[Code]) -> Subroutine | None:
        """Write the function of a definition, unless it is short."""
        evaluator, writer = self.evaluator(), self.writer
        is_set = isinstance(definition.value.type, types.SetOf)
        function = Block("", BlockKind.BODY)
        with writer.elsewhere(function):
            given: list[Code] = []
            parameters = [evaluator.algebra.place] if is_set and evaluator.algebra.place else []
            for argument, known, domain in zip(arguments, key[1], domains_of(evaluator.instance, definition), strict=True):
                if isinstance(known, int):
                    given.append(argument)
                    continue
                parameters.append(writer.fresh("d"))
                interval = Interval(domain.start, domain.stop - 1) if domain else known
                given.append(Code(parameters[-1], interval, simple=True))
            self.count += 1
            name = f"define_{self.count}"
            function.header, first = self.begin(name, parameters)
            function.lines += first
            interval, found = None, None
            if is_set:
                found = evaluator.algebra.give_back(evaluator.definition(definition, given))
            else:
                value = evaluator.algebra.exact(evaluator.definition(definition, given))
                writer.line(f"return {value.text}")
                interval = value.interval
        parts = length_of(evaluator.instance, definition.value, *_said_by(definition.cases))
        if parts <= MOST_PARTS and sum(map(len, function.texts())) < SHORT:
            return None
        self.functions.append(function)
        return Subroutine(name, interval, not self.stops(function), found)


def _said_by(cases: Sequence[Case]) -> Iterator[terms.Term]:
    """The values and conditions of exceptions."""
    for case in cases:
        yield from (case.when, case.value, *_said_by(case.exceptions))


def _known_of(argument: Code, domain: range) -> Known:
    if argument.known is not None:
        return argument.known
    return None if domain else argument.interval


def _widened(interval: Interval | None) -> Interval | None:
    """The next larger interval whose ends are powers of two, so that a definition has few functions for numbers."""
    if interval is None:
        return None
    low, high = interval.low, interval.high
    return Interval(-(1 << (-low - 1).bit_length()) if low < 0 else 0, (1 << high.bit_length()) - 1 if high > 0 else 0)
