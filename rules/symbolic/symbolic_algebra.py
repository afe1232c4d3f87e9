"""Symbolic semantics: the algebra of values and sets guarded by literals of a circuit, with known values folded."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model.game import Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows
from rulewright.rules.model.terms import Kind
from rulewright.rules.semantics.algebra import Algebra, arithmetic, compare
from rulewright.rules.spaces.window import Function as SpaceFunction
from rulewright.rules.spaces.window import Window

from .circuit import FALSE, TRUE, LinearExpression, Lit, Refused
from .guarded_values import CaseSplit, Encoder, Guarded, GuardedSet, Set, Value, ZoneContents, chance_refused, constant, truth
from .symbolic_state import SymbolicState

Function = Callable[[Value], Value]

CLOSURE_ELEMENTS = 60
"""The most elements of a closure, which is unrolled for that many rounds."""

SHARED_RANGE = 64
"""A number used more than once is one-hot encoded if its range is smaller."""


TURNED = {
    Comparison.EQUAL: Comparison.EQUAL,
    Comparison.UNEQUAL: Comparison.UNEQUAL,
    Comparison.LESS: Comparison.GREATER,
    Comparison.GREATER: Comparison.LESS,
    Comparison.AT_MOST: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.AT_MOST,
}
"""Each comparison with its operands swapped."""


@define
class SymbolicAlgebra(Algebra[Value, Set]):
    """Values in one symbolic state. A definition applied to the same arguments is encoded once."""

    encoder: Encoder
    state: SymbolicState
    _applied: dict[tuple[Any, ...], Value | Set] = field(factory=dict)

    def forget(self) -> None:
        """Drop the encoded definitions: the state has changed."""
        self._applied.clear()

    def constant(self, value: int) -> Value:
        return constant(value)

    def share(self, value: Value, uses: int) -> Value:
        small = isinstance(value, LinearExpression) and value.high - value.low < SHARED_RANGE
        return self.encoder.cases(value) if uses > 1 and small else value

    def read(self, variable: str, index: Value | None) -> Value:
        return self.encoder.select(
            [(lit, self.encoder.restricted(self.state.read(variable, at))) for at, lit in self.encoder.indices(index)]
        )

    def zone(self, variable: str, index: Value | None) -> Set:
        zones = [(lit, self.state.zone(variable, at)) for at, lit in self.encoder.indices(index)]
        if len(zones) == 1:
            return zones[0][1]
        known = [(lit, zone.tiles) for lit, zone in zones if isinstance(zone, ZoneContents)]
        if len(known) == len(zones):
            return ZoneContents(self.encoder.cases(self.encoder.select(known)))
        both = [(item, self._both(lit, guard)) for lit, zone in zones for item, guard in self.elements(zone).items]
        return GuardedSet(tuple(both), ordered=False)

    def lookup(self, map: FiniteMap, key: Value) -> Value:
        return self.encoder.map(map, key)

    def branch(self, key: Value, subject: Value, family: Callable[[int, Value], Value], keys: Sequence[int]) -> Value:
        members: dict[int, Value] = {}
        choices: list[tuple[Lit, Value]] = []
        for value, lit in self.encoder.cases(key).numbers():
            picked = value if value in keys else -1
            if picked not in members:
                members[picked] = family(picked, subject)
            choices.append((lit, members[picked]))
        return self.encoder.select(choices)

    def applied(self, function: SpaceFunction, window: Window, *arguments: Value) -> Value:
        known, ways = window.function(function), len(window.directions) + 1
        if function is not SpaceFunction.LEAP:
            return self.encoder.map2(known, *arguments)
        cell, direction, times = arguments
        starts = self.encoder.map2(lambda start, way: start * ways + way + 1, cell, direction)
        return self.encoder.map2(lambda start, count: known(start // ways, start % ways - 1, count), starts, times)

    def row(self, rows: FiniteRows, key: Value) -> Set:
        return self._union(self.encoder.cases(self.encoder.map(rows, key)))

    def line(self, window: Window, cell: Value, direction: Value) -> Set:
        return self._union(self.encoder.map2(window.line, cell, direction))

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Value) -> Set:
        near = self.encoder.map(lambda start: window.near(directions, start), cell)
        return self._union(self.encoder.cases(near))

    def _union(self, sets: Guarded) -> GuardedSet:
        """A guarded choice of known sets: each element with the literal that the chosen set contains it."""
        guards: dict[Hashable, list[Lit]] = {}
        for values, lit in sets.cases:
            assert isinstance(values, tuple)
            for value in dict.fromkeys(values):
                guards.setdefault(value, []).append(lit)
        sum_of = self.encoder.circuit.sum_of
        return GuardedSet(tuple((constant(value), sum_of(lits)) for value, lits in guards.items()), ordered=sets.known)

    # Logic and numbers ------------------------------------------------------------------------

    def negation(self, value: Value) -> Value:
        return truth(-self.encoder.yes(value))

    def conjunction(self, parts: Sequence[Callable[[], Value]]) -> Value:
        return truth(self._all(self.encoder.yes(part()) for part in parts))

    def disjunction(self, parts: Sequence[Callable[[], Value]]) -> Value:
        return truth(self._any(self.encoder.yes(part()) for part in parts))

    def _all(self, lits: Iterable[Lit]) -> Lit:
        """A conjunction that evaluates no literal after a false one."""
        found: list[Lit] = []
        for lit in lits:
            if lit == FALSE:
                return FALSE
            found.append(lit)
        return self.encoder.circuit.all_of(found)

    def _any(self, lits: Iterable[Lit]) -> Lit:
        return -self._all(-lit for lit in lits)

    def _both(self, one: Lit, other: Lit) -> Lit:
        return self.encoder.circuit.all_of((one, other))

    def choice(self, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        yes = self.encoder.yes(condition)
        if abs(yes) == TRUE:
            return then() if yes == TRUE else otherwise()
        return self.encoder.select([(yes, then()), (-yes, otherwise())])

    def compare(self, operator: Comparison, left: Value, right: Value) -> Value:
        encoder = self.encoder
        if isinstance(left, LinearExpression) or isinstance(right, LinearExpression):
            gap = encoder.add([(1, left), (-1, right)])
            match operator:
                case Comparison.AT_LEAST | Comparison.LESS:
                    holds = encoder.at_least(gap, 0)
                case Comparison.GREATER | Comparison.AT_MOST:
                    holds = encoder.at_least(gap, 1)
                case Comparison.EQUAL | Comparison.UNEQUAL:
                    holds = self._both(encoder.at_least(gap, 0), -encoder.at_least(gap, 1))
            is_negated = operator in (Comparison.LESS, Comparison.AT_MOST, Comparison.UNEQUAL)
            return truth(-holds if is_negated else holds)
        if isinstance(left, Guarded) and left.known:
            return self._compared(operator, left.only, right, lambda number: compare(operator, left.only, number))
        if isinstance(right, Guarded) and right.known:
            turned = TURNED[operator]
            return self._compared(turned, right.only, left, lambda number: compare(operator, number, right.only))
        return encoder.map2(lambda one, other: compare(operator, one, other), left, right)

    def _compared(self, operator: Comparison, known: int, other: Value, passes: Callable[[int], int]) -> Value:
        """Whether a comparison of a known number with a value holds; each is encoded once."""
        if isinstance(other, CaseSplit) or (isinstance(other, Guarded) and other.known):
            return truth(self.encoder.test(passes, other))
        key = operator, known, other
        found = self.encoder.compared.get(key)
        if found is None:
            found = self.encoder.compared[key] = truth(self.encoder.test(passes, other))
        return found

    def arithmetic(self, operator: Operator, left: Value, right: Value) -> Value:
        encoder = self.encoder
        if operator in (Operator.PLUS, Operator.MINUS):
            small = isinstance(left, Guarded) and isinstance(right, Guarded) and (left.known or right.known)
            if not small:
                return encoder.add([(1, left), (1 if operator is Operator.PLUS else -1, right)])
        if operator is Operator.TIMES:
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Guarded) and one.known and isinstance(other, LinearExpression):
                    return encoder.add([(one.only, other)])
        return encoder.map2(lambda one, other: arithmetic(operator, one, other), left, right)

    def paired(self, first: Value, second: Value, width: int) -> Value:
        return self.encoder.map2(lambda one, other: one * width + other, first, second)

    # Sets -------------------------------------------------------------------------------------

    def known(self, values: Sequence[int]) -> Set:
        return GuardedSet(tuple((constant(value), TRUE) for value in values))

    def listed(self, values: Sequence[Value]) -> Set:
        items: list[tuple[Value, Lit]] = []
        for value in values:
            again = self._contains(items, value)
            if again != TRUE:
                items.append((value, -again))
        return GuardedSet(tuple(items))

    def _contains(self, items: Iterable[tuple[Value, Lit]], value: Value) -> Lit:
        equal = Comparison.EQUAL
        if isinstance(value, Guarded) and value.known:
            items = [(item, guard) for item, guard in items if _may_be(item, value.only)]
        return self._any(self._both(guard, self.encoder.yes(self.compare(equal, value, item))) for item, guard in items)

    def interval(self, low: Value, high: Value) -> Set:
        first, last = self.encoder.cases(low), self.encoder.cases(high)

        def inside(value: int) -> Lit:
            starts = self.encoder.test(lambda number: number <= value, first)
            return self._both(starts, self.encoder.test(lambda number: number >= value, last))

        values = range(min(first.numbers())[0], max(last.numbers())[0] + 1)
        return GuardedSet(tuple((constant(value), lit) for value in values if (lit := inside(value)) != FALSE))

    def board_cells(self, window: Window, board: str) -> Set:
        return GuardedSet(tuple((constant(cell), lit) for cell, lit in self.state.occupied(board) if lit != FALSE))

    def elements(self, domain: Set) -> GuardedSet:
        """The elements of a set; of a zone, the n-th copy of a tile is an element of its own."""
        if isinstance(domain, GuardedSet):
            return domain
        guards: dict[tuple[int, int], list[Lit]] = {}
        for contents, lit in domain.tiles.cases:
            assert isinstance(contents, tuple)
            for place, tile in enumerate(contents):
                guards.setdefault((tile, contents[: place + 1].count(tile)), []).append(lit)
        known = domain.tiles.known
        copies = guards if known else sorted(guards)
        sum_of = self.encoder.circuit.sum_of
        return GuardedSet(tuple((constant(copy[0]), sum_of(guards[copy])) for copy in copies), ordered=known)

    def member(self, value: Value, domain: Set) -> Value:
        return truth(self._contains(self.elements(domain).items, value))

    def size(self, domain: Set) -> Value:
        if isinstance(domain, ZoneContents):
            return self.encoder.merge((len(tiles) if isinstance(tiles, tuple) else 0, lit) for tiles, lit in domain.tiles.cases)
        return self.encoder.add((1, truth(guard)) for _, guard in domain.items)

    def top(self, pile: Set, bottom: bool) -> Value:
        if not isinstance(pile, ZoneContents):
            raise Refused("the top of a pile of tiles taken from a board")
        return self.encoder.merge(
            (tiles[-1 if bottom else 0] if isinstance(tiles, tuple) and tiles else 0, lit) for tiles, lit in pile.tiles.cases
        )

    def joined(self, first: Set, second: Set) -> Set:
        one, other = self.elements(first), self.elements(second)
        return GuardedSet((*one.items, *other.items), one.ordered and other.ordered)

    def those(self, domain: Set, where: Function) -> Set:
        found = self.elements(domain)
        return GuardedSet(tuple(self._filtered(found, where)), found.ordered)

    def _filtered(self, domain: Set, where: Function | None) -> Iterator[tuple[Value, Lit]]:
        """The elements that may meet a condition, each with the literal that it is in the set and meets it."""
        for item, guard in self.elements(domain).items:
            inside = guard if where is None else self._both(guard, self.encoder.yes(where(item)))
            if inside != FALSE:
                yield item, inside

    def image(self, domain: Set, where: Function | None, body: Function, uses: int) -> Set:
        guards: dict[int, list[Lit]] = {}
        ordered = True
        for item, guard in self._filtered(domain, where):
            value = self.encoder.cases(body(item))
            ordered = ordered and guard == TRUE and value.known
            for number, lit in value.numbers():
                guards.setdefault(number, []).append(self._both(guard, lit))
        any_of = self.encoder.circuit.any_of
        return GuardedSet(tuple((constant(number), any_of(lits)) for number, lits in guards.items()), ordered)

    def every(self, domain: Set, where: Function | None, body: Function, uses: int) -> Value:
        items = self._filtered(domain, where)
        return truth(self._all(self.encoder.circuit.any_of((-guard, self.encoder.yes(body(item)))) for item, guard in items))

    def some(self, domain: Set, where: Function | None, body: Function, uses: int) -> Value:
        items = self._filtered(domain, where)
        return truth(self._any(self._both(guard, self.encoder.yes(body(item))) for item, guard in items))

    def total(self, domain: Set, where: Function | None, body: Function, uses: int) -> Value:
        # All bodies before the sum: literals are numbered in this order.
        return self.encoder.add([(1, self.encoder.times(guard, body(item))) for item, guard in self._filtered(domain, where)])

    def extreme(self, kind: Kind, domain: Set, where: Function | None, body: Function) -> Value:
        """The cases of a running best as (value, element), None while there is none; only a better one replaces it."""
        circuit, items = self.encoder.circuit, self.elements(domain)
        if kind.is_element and not items.ordered:
            raise Refused("the first of several best elements of a set of unknown order")
        best: list[tuple[Any, Lit]] = [(None, TRUE)]
        for item, guard in self._filtered(items, where):
            pairs = self.encoder.map2(lambda value, element: (value, element), body(item), item).cases
            cases: list[tuple[Any, Lit]] = []
            for old, lit in best:
                better = [(new, also) for new, also in pairs if old is None or _is_better(kind, new, old)]
                cases += [(new, circuit.all_of((lit, guard, also))) for new, also in better]
                replaced = self._both(guard, circuit.sum_of(also for _, also in better))
                cases.append((old, self._both(lit, -replaced)))
            best = list(self.encoder.merge(cases).cases)
        return self.encoder.merge((0 if pair is None else pair[int(kind.is_element)], lit) for pair, lit in best)

    def closure(self, start: Value, successors: Callable[[Value], Set]) -> Set:
        """The least fixed point, unrolled for one round fewer than it may have elements."""
        circuit = self.encoder.circuit
        first = dict(self.encoder.cases(start).numbers())
        steps: dict[int, list[tuple[int, Lit]]] = {}
        pending = list(first)
        while pending:
            here = pending.pop()
            if here in steps:
                continue
            steps[here] = [
                (there, self._both(guard, lit))
                for item, guard in self.elements(successors(constant(here))).items
                for there, lit in self.encoder.cases(item).numbers()
            ]
            pending += [there for there, guard in steps[here] if guard != FALSE]
            if len(steps) > CLOSURE_ELEMENTS:
                raise Refused(f"a closure that may hold more than {CLOSURE_ELEMENTS} elements")
        reached: dict[int, Lit] = {value: first.get(value, FALSE) for value in steps}
        for _ in range(len(steps) - 1):
            ways: dict[int, list[Lit]] = {value: [lit] for value, lit in reached.items()}
            for value, lit in reached.items():
                for there, guard in steps[value] if lit != FALSE else ():
                    if guard != FALSE:
                        ways[there].append(self._both(lit, guard))
            after = {value: circuit.any_of(lits) for value, lits in ways.items()}
            if after == reached:
                break
            reached = after
        return GuardedSet(tuple((constant(value), lit) for value, lit in reached.items() if lit != FALSE), ordered=False)

    def draw(self, domain: Set, span: Span) -> Value:
        raise chance_refused(span)

    def invoke(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Any]) -> Any:
        if any(isinstance(argument, LinearExpression) for argument in arguments):
            return body(arguments)
        key = (definition.name, *arguments)
        found = self._applied.get(key)
        if found is None:
            found = self._applied[key] = body(arguments)
        return found


def _may_be(item: Value, number: int) -> bool:
    """Whether an element may equal a number. Most sets are known, with at most one such element."""
    return not isinstance(item, Guarded) or not item.known or item.only == number


def _is_better(kind: Kind, new: Any, old: tuple[int, int]) -> bool:
    value: int = new[0]
    return value < old[0] if kind.is_least else value > old[0]
