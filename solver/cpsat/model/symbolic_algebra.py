"""The symbolic reading: values guarded by literals, sets whose elements are guarded. Whatever is known folds away."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Protocol

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.model.instance import FiniteMap
from rulewright.rules.semantics.concrete_algebra import arithmetic, compare, near_cells
from rulewright.rules.spaces.window import Window

from .circuit import FALSE, TRUE, Linear, Lit
from .guarded_values import Guarded, Guards, TooWide, Value, exactly, truth


class Unsupported(Exception):
    """Rules that this reading does not reach; the message says which."""


class Memory(Protocol):
    """What is read."""

    def read(self, variable: str, index: int | None) -> Guarded: ...

    def zone(self, variable: str, index: int | None) -> Domain:
        """The tiles of a zone."""
        ...

    def standing(self, board: str) -> Sequence[tuple[int, Lit]]:
        """The cells on which a tile may stand, each with the literal that one does."""
        ...


@frozen
class Items:
    """Elements that are in where their guard holds; `ordered` as the rules order them. No two that are in are equal."""

    items: tuple[tuple[Value, Lit], ...]
    ordered: bool = True


@frozen
class Zone:
    """The tiles of a zone: a set with copies, or a pile."""

    contents: Guarded


Domain = Items | Zone
Test = Callable[[Value], Value]


@define
class Symbolic:
    """An algebra over one memory. A definition applied to the same arguments is computed once."""

    guards: Guards
    memory: Memory
    _known: dict[Any, Value] = field(factory=dict)

    def forget(self) -> None:
        """What was computed may be different now: the memory has changed."""
        self._known.clear()

    def constant(self, value: int) -> Value:
        return exactly(value)

    def share(self, value: Value, uses: int) -> Value:
        return self.guards.narrow(value) if uses > 1 and isinstance(value, Linear) and value.high - value.low < 64 else value

    def read(self, variable: str, index: Value | None) -> Value:
        if index is None:
            return self.guards.narrowed(self.memory.read(variable, None))
        places = self.guards.narrow(index)
        return self.guards.select([(lit, self.guards.narrowed(self.memory.read(variable, at))) for at, lit in places.numbers()])

    def zone(self, variable: str, index: Value | None) -> Domain:
        places = [(None, TRUE)] if index is None else self.guards.narrow(index).numbers()
        zones = [(lit, self.memory.zone(variable, at)) for at, lit in places]
        if len(zones) == 1:
            return zones[0][1]
        if all(isinstance(zone, Zone) for _, zone in zones):
            contents = self.guards.select([(lit, zone.contents) for lit, zone in zones if isinstance(zone, Zone)])
            return Zone(self.guards.narrow(contents))
        both = [(item, self._both(lit, guard)) for lit, zone in zones for item, guard in self.elements(zone).items]
        return Items(tuple(both), ordered=False)

    def lookup(self, map: FiniteMap, key: Value) -> Value:
        return self.guards.mapped(map, key)

    def branch(self, key: Value, family: Callable[[int], Callable[[], Value]], keys: Sequence[int]) -> Value:
        members: dict[int, Value] = {}
        choices: list[tuple[Lit, Value]] = []
        for value, lit in self.guards.narrow(key).numbers():
            picked = value if value in keys else -1
            if picked not in members:
                members[picked] = family(picked)()
            choices.append((lit, members[picked]))
        return self.guards.select(choices)

    def toward(self, window: Window, start: Value, end: Value) -> Value:
        return self.guards.map2(window.toward, start, end)

    def distance(self, window: Window, start: Value, end: Value) -> Value:
        return self.guards.map2(window.distance, start, end)

    def turn(self, window: Window, direction: Value, times: Value) -> Value:
        return self.guards.map2(lambda d, n: window.turn(d, n) if d >= 0 else -1, direction, times)

    def line(self, window: Window, cell: Value, direction: Value) -> Domain:
        def cells(c: int, d: int) -> tuple[int, ...]:
            return window.line(c, d) if d >= 0 and c < window.size else ()

        return self._spread(self.guards.map2(cells, cell, direction))

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Value) -> Domain:
        return self._spread(self.guards.map(lambda c: near_cells(window, directions, c), cell))

    def _spread(self, sets: Guarded) -> Items:
        """The elements of sets of known elements, each with the literal that the set it is in is the one."""
        if sets.known:
            values = sets.cases[0][0]
            assert isinstance(values, tuple)
            return Items(tuple((exactly(v), TRUE) for v in dict.fromkeys(values)))
        guards: dict[Hashable, list[Lit]] = {}
        for values, lit in sets.cases:
            assert isinstance(values, tuple)
            for value in dict.fromkeys(values):
                guards.setdefault(value, []).append(lit)
        one_of = self.guards.circuit.one_of
        return Items(tuple((exactly(value), one_of(lits)) for value, lits in guards.items()), ordered=False)

    # Logic and numbers ------------------------------------------------------------------------

    def negation(self, value: Value) -> Value:
        return truth(-self.guards.yes(value))

    def conjunction(self, parts: Sequence[Callable[[], Value]]) -> Value:
        return truth(self._all(self.guards.yes(part()) for part in parts))

    def _all(self, lits: Iterator[Lit]) -> Lit:
        found: list[Lit] = []
        for lit in lits:
            if lit == FALSE:
                return FALSE
            found.append(lit)
        return self.guards.circuit.all_of(found)

    def _any(self, lits: Iterator[Lit]) -> Lit:
        return -self._all(-lit for lit in lits)

    def disjunction(self, parts: Sequence[Callable[[], Value]]) -> Value:
        return truth(self._any(self.guards.yes(part()) for part in parts))

    def choice(self, condition: Value, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
        yes = self.guards.yes(condition)
        if abs(yes) == TRUE:
            return then() if yes == TRUE else otherwise()
        return self.guards.select([(yes, then()), (-yes, otherwise())])

    def compare(self, operator: Comparison, left: Value, right: Value) -> Value:
        guards = self.guards
        if isinstance(left, Linear) or isinstance(right, Linear):
            gap = guards.add([(1, left), (-1, right)])
            match operator:
                case Comparison.AT_LEAST:
                    return truth(guards.at_least(gap, 0))
                case Comparison.GREATER:
                    return truth(guards.at_least(gap, 1))
                case Comparison.AT_MOST:
                    return truth(-guards.at_least(gap, 1))
                case Comparison.LESS:
                    return truth(-guards.at_least(gap, 0))
                case Comparison.EQUAL | Comparison.UNEQUAL:
                    equal = guards.circuit.all_of([guards.at_least(gap, 0), -guards.at_least(gap, 1)])
                    return truth(equal if operator is Comparison.EQUAL else -equal)
        if isinstance(left, Guarded) and left.known:
            a = left.only
            return truth(guards.test(lambda v: compare(operator, a, v), right))
        if isinstance(right, Guarded) and right.known:
            b = right.only
            return truth(guards.test(lambda v: compare(operator, v, b), left))
        return guards.map2(lambda v, w: compare(operator, v, w), left, right)

    def arithmetic(self, operator: Operator, left: Value, right: Value) -> Value:
        guards = self.guards
        if operator in (Operator.PLUS, Operator.MINUS):
            small = isinstance(left, Guarded) and isinstance(right, Guarded) and (left.known or right.known)
            if not small:
                return guards.add([(1, left), (1 if operator is Operator.PLUS else -1, right)])
        if operator is Operator.TIMES:
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Guarded) and one.known and isinstance(other, Linear):
                    return guards.add([(one.only, other)])
        return guards.map2(lambda v, w: arithmetic(operator, v, w), left, right)

    # Sets -------------------------------------------------------------------------------------

    def known(self, values: Sequence[int]) -> Domain:
        return Items(tuple((exactly(v), TRUE) for v in values))

    def listed(self, values: Sequence[Value]) -> Domain:
        items: list[tuple[Value, Lit]] = []
        for value in values:
            again = self._any(self._both(guard, self._equal(value, other)) for other, guard in items)
            if again != TRUE:
                items.append((value, -again))
        return Items(tuple(items))

    def _both(self, one: Lit, other: Lit) -> Lit:
        return self.guards.circuit.all_of((one, other))

    def _equal(self, one: Value, other: Value) -> Lit:
        return self.guards.yes(self.compare(Comparison.EQUAL, one, other))

    def interval(self, low: Value, high: Value) -> Domain:
        a, b = self.guards.narrow(low), self.guards.narrow(high)
        first, last = min(v for v, _ in a.numbers()), max(v for v, _ in b.numbers())

        def inside(value: int) -> Lit:
            return self._both(self.guards.test(lambda v: v <= value, a), self.guards.test(lambda v: v >= value, b))

        return Items(tuple((exactly(v), lit) for v in range(first, last + 1) if (lit := inside(v)) != FALSE))

    def board_cells(self, window: Window, board: str) -> Domain:
        return Items(tuple((exactly(cell), lit) for cell, lit in self.memory.standing(board) if lit != FALSE))

    def elements(self, domain: Domain) -> Items:
        """The elements of a set, copies of a tile as elements of their own."""
        if isinstance(domain, Items):
            return domain
        guards: dict[tuple[int, int], list[Lit]] = {}
        for contents, lit in domain.contents.cases:
            assert isinstance(contents, tuple)
            seen: dict[int, int] = {}
            for tile in contents:
                seen[tile] = seen.get(tile, 0) + 1
                guards.setdefault((tile, seen[tile]), []).append(lit)
        one_of = self.guards.circuit.one_of
        known = domain.contents.known
        found = {tile: one_of(lits) for tile, lits in (guards.items() if known else sorted(guards.items()))}
        return Items(tuple((exactly(tile), lit) for (tile, _), lit in found.items()), ordered=known)

    def member(self, value: Value, domain: Domain) -> Value:
        return truth(self._any(self._both(guard, self._equal(value, item)) for item, guard in self.elements(domain).items))

    def size(self, domain: Domain) -> Value:
        if isinstance(domain, Zone):
            return self.guards.gather((len(c) if isinstance(c, tuple) else 0, lit) for c, lit in domain.contents.cases)
        return self.guards.add((1, truth(guard)) for _, guard in domain.items)

    def top(self, pile: Domain) -> Value:
        if not isinstance(pile, Zone):
            raise Unsupported("the top of a pile of tiles taken from a board")
        return self.guards.gather((c[0] if isinstance(c, tuple) and c else 0, lit) for c, lit in pile.contents.cases)

    def those(self, domain: Domain, where: Test) -> Domain:
        found = self.elements(domain)
        return Items(tuple(self._inside(found, where)), found.ordered)

    def _inside(self, domain: Items, where: Test | None) -> Iterator[tuple[Value, Lit]]:
        for item, guard in domain.items:
            inside = guard if where is None else self._both(guard, self.guards.yes(where(item)))
            if inside != FALSE:
                yield item, inside

    def image(self, domain: Domain, where: Test | None, body: Test, uses: int) -> Domain:
        ways: dict[int, list[Lit]] = {}
        ordered = True
        for item, guard in self._inside(self.elements(domain), where):
            value = self.guards.narrow(body(item))
            ordered = ordered and guard == TRUE and value.known
            for v, lit in value.numbers():
                ways.setdefault(v, []).append(self._both(guard, lit))
        return Items(tuple((exactly(v), self.guards.circuit.any_of(lits)) for v, lits in ways.items()), ordered)

    def every(self, domain: Domain, where: Test | None, body: Test, uses: int) -> Value:
        inside = self._inside(self.elements(domain), where)
        return truth(self._all(self._any(iter((-guard, self.guards.yes(body(item))))) for item, guard in inside))

    def some(self, domain: Domain, where: Test | None, body: Test, uses: int) -> Value:
        inside = self._inside(self.elements(domain), where)
        return truth(self._any(self._both(guard, self.guards.yes(body(item))) for item, guard in inside))

    def total(self, domain: Domain, where: Test | None, body: Test, uses: int) -> Value:
        guards = self.guards
        parts = [(1, guards.times(guard, body(item))) for item, guard in self._inside(self.elements(domain), where)]
        return guards.add(parts)

    def extreme(self, extreme: Extreme, domain: Domain, where: Test | None, body: Test, element: bool) -> Value:
        """A running best, none at first; a later element replaces it only when it is better."""
        guards, items = self.guards, self.elements(domain)
        if element and not items.ordered:
            raise Unsupported("the first of the best elements of a set whose order is not known")
        best: list[tuple[tuple[int, int] | None, Lit]] = [(None, TRUE)]
        for item, guard in self._inside(items, where):
            pairs = guards.map2(lambda v, e: (v, e), body(item), item)
            cases: list[tuple[tuple[int, int] | None, Lit]] = []
            for old, lit in best:
                better = [
                    (new, x)
                    for new, x in pairs.cases
                    if isinstance(new, tuple)
                    and (old is None or (new[0] < old[0] if extreme is Extreme.LEAST else new[0] > old[0]))
                ]
                taken = [(new, guards.circuit.all_of((lit, guard, x))) for new, x in better]
                kept = guards.circuit.all_of((lit, -self._both(guard, guards.circuit.one_of([x for _, x in better]))))
                cases += [*taken, (old, kept)]
            best = list(guards.gather(cases).cases)  # type: ignore[arg-type]
        return guards.gather((0 if pair is None else pair[int(element)], lit) for pair, lit in best)

    def closure(self, start: Value, successors: Callable[[Value], Domain]) -> Domain:
        """What is reached in more and more steps, as many as there are elements less one: the least set, whatever holds."""
        circuit = self.guards.circuit
        first = dict(self.guards.narrow(start).numbers())
        steps: dict[int, list[tuple[int, Lit]]] = {}
        pending = list(first)
        while pending:
            here = pending.pop()
            if here in steps:
                continue
            items = self.elements(successors(exactly(here))).items
            steps[here] = [
                (v, self._both(guard, lit)) for item, guard in items for v, lit in self.guards.narrow(item).numbers()
            ]
            pending += [there for there, guard in steps[here] if guard != FALSE]
            if len(steps) > CLOSURE_ELEMENTS:
                raise Unsupported(f"a closure that may hold more than {CLOSURE_ELEMENTS} elements")
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
        return Items(tuple((exactly(value), lit) for value, lit in reached.items() if lit != FALSE), ordered=False)

    def clash(self, one: Case, other: Case) -> Value:
        """Play stops there: no plan leads through it, and the value does not matter."""
        return exactly(0)

    def invoke(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Value]) -> Value:
        if any(isinstance(argument, Linear) for argument in arguments):
            return body(arguments)
        key = (definition.name, *arguments)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = body(arguments)
        return found


CLOSURE_ELEMENTS = 60
"""More elements than this a closure cannot have in this reading: it takes as many rounds as elements."""

__all__ = ["Domain", "Items", "Memory", "Symbolic", "TooWide", "Unsupported", "Zone"]
