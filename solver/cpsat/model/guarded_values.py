"""A value as what it may be: each possible value with the literal under which it holds, and exactly one of them holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from attrs import field

from rulewright.base.records import define, frozen

from .circuit import FALSE, TRUE, Circuit, Linear, Lit

WIDEST = 600
"""More values than this one guarded value cannot have."""


class TooWide(Exception):
    """A value that may be too many things."""


@frozen(cache_hash=True)
class Guarded:
    """`cases` are values (numbers, or tuples of tiles for a pile) with their literals; none is impossible."""

    cases: tuple[tuple[Hashable, Lit], ...]

    @property
    def known(self) -> bool:
        return len(self.cases) == 1

    @property
    def only(self) -> int:
        """The value of one that is known."""
        value = self.cases[0][0]
        assert isinstance(value, int)
        return value

    def numbers(self) -> list[tuple[int, Lit]]:
        return [(value, lit) for value, lit in self.cases if isinstance(value, int)]


@frozen(cache_hash=True)
class Chosen:
    """One of several values, by guards of which exactly one holds: put off until it is known what is asked of it."""

    choices: tuple[tuple[Lit, Guarded], ...]


Value = Guarded | Chosen | Linear


def exactly(value: Hashable) -> Guarded:
    return Guarded(((value, TRUE),))


def truth(lit: Lit) -> Guarded:
    """0 or 1."""
    if abs(lit) == TRUE:
        return exactly(int(lit == TRUE))
    return Guarded(((0, -lit), (1, lit)))


@define
class Guards:
    """What can be done with guarded values; new literals come from `circuit`.

    `assumed` are the alternatives left of groups of which something is known; what is computed holds under that alone.
    """

    circuit: Circuit
    assumed: dict[int, frozenset[int]] = field(factory=dict)

    def assuming(self, lits: Iterable[Lit]) -> Guards:
        """The same where these hold for certain: what they rule out is left out of values that are read."""
        assumed = dict(self.assumed)
        for lit in lits:
            part = self.circuit.part(lit)
            if part is not None:
                assumed[part.group] = assumed.get(part.group, part.places) & part.places
        return Guards(self.circuit, assumed)

    def narrowed(self, value: Guarded) -> Guarded:
        """A value without what is ruled out."""
        if value.known or not self.assumed:
            return value
        left = tuple((v, lit) for v, lit in value.cases if not self._excluded(lit))
        if len(left) == 1:
            return exactly(left[0][0])
        return value if len(left) == len(value.cases) or not left else Guarded(left)

    def _excluded(self, lit: Lit) -> bool:
        part = self.circuit.part(lit)
        return part is not None and part.group in self.assumed and not part.places & self.assumed[part.group]

    def gather(self, cases: Iterable[tuple[Hashable, Lit]]) -> Guarded:
        """A value from cases that exclude each other, of which one holds; equal values are put together."""
        found: dict[Hashable, list[Lit]] = {}
        for value, lit in cases:
            if lit == TRUE:
                return exactly(value)
            if lit != FALSE:
                found.setdefault(value, []).append(lit)
        if len(found) == 1:
            return exactly(next(iter(found)))
        if len(found) > WIDEST:
            raise TooWide(f"a value that may be {len(found)} things")
        return Guarded(tuple((value, self.circuit.one_of(lits)) for value, lits in found.items()))

    def free(self, values: Sequence[Hashable]) -> Guarded:
        """One of these, nothing known of which."""
        if len(values) == 1:
            return exactly(values[0])
        lits = [self.circuit.new() for _ in values]
        self.circuit.group(lits)
        return Guarded(tuple(zip(values, lits, strict=True)))

    def map(self, function: Callable[[int], Hashable], value: Value) -> Guarded:
        """A function of a value."""
        if isinstance(value, Chosen):
            return self._gathered((guard, self.map(function, v)) for guard, v in value.choices)
        return self.gather((function(v), lit) for v, lit in self.narrow(value).numbers())

    def mapped(self, function: Callable[[int], int], value: Value) -> Value:
        """The same, put off where the value is."""
        if isinstance(value, Chosen):
            return self.select([(guard, self.map(function, v)) for guard, v in value.choices])
        return self.map(function, value)

    def _gathered(self, choices: Iterable[tuple[Lit, Guarded]]) -> Guarded:
        both = self.circuit.all_of
        return self.gather((v, both((guard, lit))) for guard, value in choices for v, lit in value.cases)

    def map2(self, function: Callable[[int, int], Hashable], one: Value, other: Value) -> Guarded:
        a, b = self.narrow(one), self.narrow(other)
        if a.known:
            return self.map(lambda v: function(a.only, v), b)
        if b.known:
            return self.map(lambda v: function(v, b.only), a)
        both = self.circuit.all_of
        return self.gather((function(v, w), both((x, y))) for v, x in a.numbers() for w, y in b.numbers())

    def test(self, holds: Callable[[int], object], value: Value) -> Lit:
        """Whether a value passes."""
        if isinstance(value, Chosen):
            tests = [(guard, self.test(holds, v)) for guard, v in value.choices]
            if all(lit == TRUE for _, lit in tests):
                return TRUE
            return self.circuit.one_of([self.circuit.all_of(pair) for pair in tests])
        numbers = self.narrow(value).numbers()
        passing = [lit for v, lit in numbers if holds(v)]
        return TRUE if len(passing) == len(numbers) else self.circuit.one_of(passing)

    def yes(self, value: Value) -> Lit:
        """A truth value as a literal."""
        return self.test(bool, value)

    def select(self, choices: Sequence[tuple[Lit, Value]]) -> Value:
        """The value whose guard holds; exactly one does."""
        left = [(guard, value) for guard, value in choices if guard != FALSE]
        if len(left) == 1:
            return left[0][1]
        if any(isinstance(value, Linear) for _, value in left):
            return self._select_linear(left)
        flat: list[tuple[Lit, Guarded]] = []
        for guard, value in left:
            inner = value.choices if isinstance(value, Chosen) else ((TRUE, self.narrow(value)),)
            flat += [(self.circuit.all_of((guard, lit)), v) for lit, v in inner]
        flat = [(guard, value) for guard, value in flat if guard != FALSE]
        if any(len(value.cases) > 2 for _, value in flat):
            return Chosen(tuple(flat))
        return self._gathered(flat)

    def _select_linear(self, choices: Sequence[tuple[Lit, Value]]) -> Value:
        """A number of its own, equal to each of those where its guard holds."""
        numbers = [(guard, self.linear(value)) for guard, value in choices]
        low, high = min(n.low for _, n in numbers), max(n.high for _, n in numbers)
        found = self.free(range(low, high + 1))
        own = self.linear(found)
        for guard, number in numbers:
            slack = high - low
            terms = [(c, lit) for lit, c in own.terms.items()] + [(-c, lit) for lit, c in number.terms.items()]
            gap = number.constant - own.constant
            self.circuit.row([*terms, (slack, guard)], None, gap + slack)
            self.circuit.row([*terms, (-slack, guard)], gap - slack, None)
        return found

    def times(self, guard: Lit, value: Value) -> Linear:
        """The number where the guard holds, else 0. What a guard covers adds up to the guard: a row that bounds by itself."""
        circuit = self.circuit
        if guard == FALSE:
            return Linear.of({}, 0)
        if guard == TRUE:
            return self.linear(value)
        number = self.narrow(value)
        if number.known:
            return Linear.of({guard: number.only}, 0)
        cases = [(v, circuit.all_of((guard, lit))) for v, lit in number.numbers()]
        circuit.row([*((1, lit) for _, lit in cases), (-1, guard)], 0, 0)
        values = [v for v, _ in cases]
        return Linear.of({lit: v for v, lit in cases if v and lit != FALSE}, 0, min(0, *values), max(0, *values))

    def linear(self, value: Value) -> Linear:
        """A number as a sum."""
        if isinstance(value, Linear):
            return value
        numbers = self.narrow(value).numbers()
        base = min(v for v, _ in numbers)
        top = max(v for v, _ in numbers)
        terms: dict[Lit, int] = {}
        constant = base
        for v, lit in numbers:
            if v != base and lit == TRUE:
                constant += v - base
            elif v != base:
                terms[lit] = terms.get(lit, 0) + v - base
        return Linear.of(terms, constant, base, top)

    def add(self, parts: Iterable[tuple[int, Value]], low: int | None = None, high: int | None = None) -> Linear:
        """The sum of so many times each."""
        terms: dict[Lit, int] = {}
        constant = 0
        for factor, part in parts:
            number = self.linear(part)
            constant += factor * number.constant
            for lit, c in number.terms.items():
                terms[lit] = terms.get(lit, 0) + factor * c
        return Linear.of({lit: c for lit, c in terms.items() if c}, constant, low, high)

    def narrow(self, value: Value) -> Guarded:
        """A sum as a guarded value. Raises `TooWide`."""
        if isinstance(value, Guarded):
            return value
        if isinstance(value, Chosen):
            return self._gathered(value.choices)
        if not value.terms:
            return exactly(value.constant)
        if len(value.terms) == 1:
            ((lit, c),) = value.terms.items()
            return self.gather([(value.constant, -lit), (value.constant + c, lit)])
        if value.high - value.low >= WIDEST:
            raise TooWide(f"a number in {value.low}..{value.high}")
        found = self.free(range(value.low, value.high + 1))
        sides = [(v, lit) for v, lit in found.numbers() if v] + [(-c, lit) for lit, c in value.terms.items()]
        self.circuit.row(sides, value.constant, value.constant)
        return found

    def at_least(self, value: Linear, threshold: int) -> Lit:
        """Whether a sum is at least so much, both ways."""
        if threshold <= value.low:
            return TRUE
        if threshold > value.high:
            return FALSE
        if all(c == 1 for c in value.terms.values()) and threshold == value.constant + 1:
            return self.circuit.any_of(value.terms)
        lit = self.circuit.new()
        terms = [(c, x) for x, c in value.terms.items()]
        low, high = value.low - value.constant, value.high - value.constant
        least = threshold - value.constant
        self.circuit.row([*terms, (low - least, lit)], low, None)
        self.circuit.row([*terms, (least - 1 - high, lit)], None, least - 1)
        return lit
