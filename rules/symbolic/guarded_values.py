"""Guarded values: each possible value with the literal under which it holds; exactly one of the literals holds.

These are the value summaries of symbolic execution (Sen et al. 2015, "MultiSE"). A number is one-hot encoded as such a list
of cases, or kept as a linear expression if there are many; a case split is expanded only when needed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison

from .circuit import FALSE, TRUE, Circuit, LinearExpression, Lit, Refused

MOST_CASES = 600
"""The most values of one guarded value."""


def chance_refused(span: Span) -> Refused:
    """The error that the model does not cover values drawn by chance."""
    return Refused("a random draw", span)


@frozen(cache_hash=True)
class Guarded:
    """`cases` are values (numbers, or tuples of tiles for a pile) with their literals; impossible cases are left out."""

    cases: tuple[tuple[Hashable, Lit], ...]

    @property
    def known(self) -> bool:
        """Whether there is one case only."""
        return len(self.cases) == 1

    @property
    def only(self) -> int:
        """The number of the one case of a known value."""
        value = self.cases[0][0]
        assert isinstance(value, int)
        return value

    def numbers(self) -> list[tuple[int, Lit]]:
        """The cases that are numbers."""
        return [(value, lit) for value, lit in self.cases if isinstance(value, int)]


@frozen(cache_hash=True)
class CaseSplit:
    """An if-then-else over several values, by guards of which exactly one holds; not yet expanded to cases."""

    choices: tuple[tuple[Lit, Guarded], ...]


Value = Guarded | CaseSplit | LinearExpression


@frozen
class GuardedSet:
    """Distinct elements, each in the set if its guard holds; `ordered` if their order is that of the rules."""

    items: tuple[tuple[Value, Lit], ...]
    ordered: bool = True


@frozen
class ZoneContents:
    """The tiles of a zone, as a guarded tuple: a multiset, or a pile with its top first."""

    tiles: Guarded


Set = GuardedSet | ZoneContents


def constant(value: Hashable) -> Guarded:
    """A known value."""
    return Guarded(((value, TRUE),))


NO, YES = constant(0), constant(1)


def truth(lit: Lit) -> Guarded:
    """A literal as a number, 0 or 1."""
    if abs(lit) == TRUE:
        return YES if lit == TRUE else NO
    return Guarded(((0, -lit), (1, lit)))


@define
class Encoder:
    """Encodes operations on guarded values in `circuit`, under a path condition.

    `assumed` has the places of the values that the path condition leaves of each domain. Results hold only under it.
    `compared` caches comparisons of values with known numbers, which hold under any path condition.
    """

    circuit: Circuit
    assumed: dict[int, frozenset[int]] = field(factory=dict)
    compared: dict[tuple[Comparison, int, Value], Value] = field(factory=dict)

    def assuming(self, lits: Iterable[Lit]) -> Encoder:
        """An encoder whose path condition has these literals too."""
        assumed = dict(self.assumed)
        for lit in lits:
            values = self.circuit.value_set(lit)
            if values is not None:
                assumed[values.domain] = assumed.get(values.domain, values.places) & values.places
        return Encoder(self.circuit, assumed, self.compared)

    def restricted(self, value: Guarded) -> Guarded:
        """A value without the cases that the path condition rules out."""
        if value.known or not self.assumed:
            return value
        left = tuple((case, lit) for case, lit in value.cases if not self._excluded(lit))
        if len(left) == 1:
            return constant(left[0][0])
        return value if len(left) == len(value.cases) or not left else Guarded(left)

    def _excluded(self, lit: Lit) -> bool:
        values = self.circuit.value_set(lit)
        return values is not None and values.domain in self.assumed and not values.places & self.assumed[values.domain]

    # Making values ----------------------------------------------------------------------------

    def merge(self, cases: Iterable[tuple[Hashable, Lit]]) -> Guarded:
        """A value from cases of which exactly one holds; cases of equal value become one. Raises `Refused`."""
        guards: dict[Hashable, list[Lit]] = {}
        for value, lit in cases:
            if lit == TRUE:
                return constant(value)
            if lit != FALSE:
                guards.setdefault(value, []).append(lit)
        if len(guards) == 1:
            return constant(next(iter(guards)))
        if len(guards) > MOST_CASES:
            raise Refused(f"a value with more than {MOST_CASES} cases")
        return Guarded(tuple((value, self.circuit.sum_of(lits)) for value, lits in guards.items()))

    def _expanded(self, choices: Iterable[tuple[Lit, Guarded]]) -> Guarded:
        both = self.circuit.all_of
        return self.merge((case, both((guard, lit))) for guard, value in choices for case, lit in value.cases)

    def free(self, values: Sequence[Hashable]) -> Guarded:
        """An unconstrained value out of several."""
        if len(values) == 1:
            return constant(values[0])
        lits = [self.circuit.new_literal() for _ in values]
        self.circuit.add_domain(lits)
        return Guarded(tuple(zip(values, lits, strict=True)))

    def cases(self, value: Value) -> Guarded:
        """Any value as a list of cases. Raises `Refused`."""
        match value:
            case Guarded():
                return value
            case CaseSplit(choices):
                return self._expanded(choices)
            case LinearExpression(terms, base, low, high):
                if not terms:
                    return constant(base)
                if len(terms) == 1:
                    ((lit, coefficient),) = terms.items()
                    return self.merge([(base, -lit), (base + coefficient, lit)])
                if high - low >= MOST_CASES:
                    raise Refused(f"a number in {low}..{high}, more than {MOST_CASES} values")
                found = self.free(range(low, high + 1))
                sides = [(number, lit) for number, lit in found.numbers() if number]
                self.circuit.add_linear([*sides, *((-coefficient, lit) for lit, coefficient in terms.items())], base, base)
                return found

    def indices(self, index: Value | None) -> list[tuple[int | None, Lit]]:
        """The cases of an index; without an index, certainly None."""
        return [(None, TRUE)] if index is None else [*self.cases(index).numbers()]

    def select(self, choices: Sequence[tuple[Lit, Value]]) -> Value:
        """The value whose guard holds; exactly one does."""
        possible = [(guard, value) for guard, value in choices if guard != FALSE]
        if len(possible) == 1:
            return possible[0][1]
        if any(isinstance(value, LinearExpression) for _, value in possible):
            return self.add((1, self.times(guard, value)) for guard, value in possible)
        flat: list[tuple[Lit, Guarded]] = []
        for guard, value in possible:
            inner = value.choices if isinstance(value, CaseSplit) else ((TRUE, self.cases(value)),)
            flat += [(self.circuit.all_of((guard, lit)), leaf) for lit, leaf in inner]
        flat = [(guard, value) for guard, value in flat if guard != FALSE]
        if any(len(value.cases) > 2 for _, value in flat):
            return CaseSplit(tuple(flat))
        return self._expanded(flat)

    # Functions of values ----------------------------------------------------------------------

    def map(self, function: Callable[[int], Hashable], value: Value) -> Value:
        """A function of a value; a case split is mapped choice by choice."""
        if isinstance(value, Guarded) and value.known:
            return constant(function(value.only))
        if isinstance(value, CaseSplit):
            return self.select([(guard, self._map_cases(function, leaf)) for guard, leaf in value.choices])
        return self._map_cases(function, self.cases(value))

    def _map_cases(self, function: Callable[[int], Hashable], value: Guarded) -> Guarded:
        return self.merge((function(number), lit) for number, lit in value.numbers())

    def combined(self, function: Callable[[Any, Any], Hashable], one: Guarded, other: Guarded) -> Guarded:
        """A function of two values that need not be numbers."""
        both = self.circuit.all_of
        return self.merge((function(left, right), both((lit, also))) for left, lit in one.cases for right, also in other.cases)

    def map2(self, function: Callable[[int, int], Hashable], one: Value, other: Value) -> Guarded:
        """A function of two values."""
        left, right = self.cases(one), self.cases(other)
        if left.known and right.known:
            return constant(function(left.only, right.only))
        if left.known:
            return self._map_cases(lambda number: function(left.only, number), right)
        if right.known:
            return self._map_cases(lambda number: function(number, right.only), left)
        both = self.circuit.all_of
        pairs = [(case, second) for case in left.numbers() for second in right.numbers()]
        return self.merge((function(first, second), both((lit, also))) for (first, lit), (second, also) in pairs)

    def test(self, passes: Callable[[int], object], value: Value) -> Lit:
        """The literal that a value passes a test."""
        if isinstance(value, Guarded) and value.known:
            return TRUE if passes(value.only) else FALSE
        if isinstance(value, CaseSplit):
            tests = [(guard, self.test(passes, leaf)) for guard, leaf in value.choices]
            if all(lit == TRUE for _, lit in tests):
                return TRUE
            return self.circuit.sum_of([self.circuit.all_of(pair) for pair in tests])
        numbers = self.cases(value).numbers()
        passing = [lit for number, lit in numbers if passes(number)]
        return TRUE if len(passing) == len(numbers) else self.circuit.sum_of(passing)

    def yes(self, value: Value) -> Lit:
        """A truth value as a literal."""
        return self.test(bool, value)

    # Linear expressions -----------------------------------------------------------------------

    def linear(self, value: Value) -> LinearExpression:
        """A number as a linear expression."""
        if isinstance(value, LinearExpression):
            return value
        numbers = self.cases(value).numbers()
        base, top = min(numbers)[0], max(numbers)[0]
        terms: dict[Lit, int] = {}
        for number, lit in numbers:
            if number != base:
                terms[lit] = terms.get(lit, 0) + number - base
        return LinearExpression.of(terms, base, base, top)

    def times(self, guard: Lit, value: Value) -> LinearExpression:
        """The number where the guard holds, else 0; that its cases sum to the guard then tightens the linear relaxation."""
        if guard == FALSE:
            return LinearExpression.of({}, 0)
        if guard == TRUE:
            return self.linear(value)
        number = self.cases(value)
        if number.known:
            return LinearExpression.of({guard: number.only}, 0)
        cases = [(factor, self.circuit.all_of((guard, lit))) for factor, lit in number.numbers()]
        self.circuit.add_linear([*((1, lit) for _, lit in cases), (-1, guard)], 0, 0)
        factors = [factor for factor, _ in cases]
        terms = {lit: factor for factor, lit in cases if factor and lit != FALSE}
        return LinearExpression.of(terms, 0, min(0, *factors), max(0, *factors))

    def add(self, parts: Iterable[tuple[int, Value]]) -> LinearExpression:
        """The sum of factor * value over the parts."""
        terms: dict[Lit, int] = {}
        total = 0
        for factor, part in parts:
            number = self.linear(part)
            total += factor * number.constant
            for lit, coefficient in number.terms.items():
                terms[lit] = terms.get(lit, 0) + factor * coefficient
        return LinearExpression.of({lit: coefficient for lit, coefficient in terms.items() if coefficient}, total)

    def at_least(self, value: LinearExpression, threshold: int) -> Lit:
        """Whether a number is at least `threshold`: a reified linear constraint, as in the order encoding."""
        if threshold <= value.low:
            return TRUE
        if threshold > value.high:
            return FALSE
        least = threshold - value.constant
        if least == 1 and all(coefficient == 1 for coefficient in value.terms.values()):
            return self.circuit.any_of(value.terms)
        lit = self.circuit.new_literal()
        terms = [(coefficient, term) for term, coefficient in value.terms.items()]
        low, high = value.low - value.constant, value.high - value.constant
        self.circuit.add_linear([*terms, (low - least, lit)], low, None)
        self.circuit.add_linear([*terms, (least - 1 - high, lit)], None, least - 1)
        return lit
