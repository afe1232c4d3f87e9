"""A Boolean circuit with linear constraints, as data independent of any solver.

Gates are encoded as clauses (Tseitin 1968) and shared: one for each set of inputs, with constants folded. The literals of a
one-hot encoded variable form a *domain*. A Boolean combination of literals of one domain is a set of its values, so two
conditions on one variable combine to a set and need no gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import NO_SPAN, Span

Lit = int
"""A literal: the number of a variable, negative for its negation. Variable 1 is true."""

TRUE: Lit = 1
FALSE: Lit = -1
"""Codes of the literals that always hold and never hold."""

MOST_VARIABLES = 500_000
"""The default limit on the variables of a model."""


@frozen
class Refusal:
    """What a constraint model does not cover: the construct, its place, and the name of the rule that has it."""

    what: str
    span: Span = NO_SPAN
    name: str = ""

    def __str__(self) -> str:
        name, span = self.name, self.span
        within = f", in `{name}`" if name else ""
        place = f", {'' if name else 'in '}line {span.line} of {PurePath(span.source).name}"
        return self.what + within + ("" if span == NO_SPAN else place)


class Refused(Exception):
    """A refusal that comes to light while a model is built."""

    def __init__(self, what: str, span: Span = NO_SPAN, name: str = "") -> None:
        self.refusal = Refusal(what, span, name)
        super().__init__(str(self.refusal))


class ModelTooLarge(Refused):
    """A model with more variables than the limit allows; raised as they are created."""


class GivenUp(Exception):
    """No plan was found for a solution within the work allowed."""


@contextmanager
def refusing_at(span: Span, name: str = "") -> Iterator[None]:
    """Add a place and name to a refusal raised inside that lacks its own."""
    try:
        yield
    except Refused as error:
        known = error.refusal
        if (known.span != NO_SPAN or span == NO_SPAN) and (known.name or not name):
            raise
        raise type(error)(known.what, span if known.span == NO_SPAN else known.span, known.name or name) from error


@frozen
class LinearConstraint:
    """low <= sum of coefficient * variable <= high, over the pairs in `terms`; None is no limit."""

    terms: tuple[tuple[int, int], ...]
    low: int | None
    high: int | None


@frozen
class ValueSet:
    """A set of values of a domain, by their places in it."""

    domain: int
    places: frozenset[int]


@define
class Circuit:
    """The clauses and linear constraints posted so far, over the variables 1 to `size`."""

    most_variables: int = MOST_VARIABLES
    size: int = 1
    clauses: list[tuple[Lit, ...]] = field(factory=list)
    constraints: list[LinearConstraint] = field(factory=list)
    _gates: dict[tuple[Lit, ...], Lit] = field(factory=dict)
    _inputs: dict[Lit, tuple[Lit, ...]] = field(factory=dict)
    _domains: list[tuple[Lit, ...]] = field(factory=list)
    _value_sets: dict[Lit, ValueSet] = field(factory=dict)
    _complements: dict[Lit, ValueSet] = field(factory=dict)
    _unions: dict[tuple[int, frozenset[int]], Lit] = field(factory=dict)

    def new_literal(self) -> Lit:
        """An unconstrained literal of a new variable. Raises `ModelTooLarge`."""
        self.size += 1
        if self.size > self.most_variables:
            raise ModelTooLarge(f"more than {self.most_variables:,} variables")
        return self.size

    def add_clause(self, *lits: Lit) -> None:
        """Post that at least one of the literals holds."""
        if TRUE in lits:
            return
        clause = tuple(dict.fromkeys(lit for lit in lits if lit != FALSE))
        if not any(-lit in clause for lit in clause):
            self.clauses.append(clause)

    def add_linear(self, terms: Iterable[tuple[int, Lit]], low: int | None = None, high: int | None = None) -> None:
        """Post low <= sum of coefficient * literal <= high, unless it always holds."""
        coefficients: dict[int, int] = {}
        constant = 0
        for coefficient, lit in terms:
            if abs(lit) == TRUE:
                constant += coefficient if lit > 0 else 0
            elif lit > 0:
                coefficients[lit] = coefficients.get(lit, 0) + coefficient
            else:
                constant += coefficient
                coefficients[-lit] = coefficients.get(-lit, 0) - coefficient
        kept = tuple((coefficient, variable) for variable, coefficient in coefficients.items() if coefficient)
        low, high = (None if limit is None else limit - constant for limit in (low, high))
        least, most = extent(coefficient for coefficient, _ in kept)
        if (low is not None and low > least) or (high is not None and high < most):
            self.constraints.append(LinearConstraint(kept, low, high))

    def add_sum(self, total: Lit, parts: Iterable[Lit]) -> None:
        """Post that `total`, as a number, is the sum of the parts: at most one part holds, and `total` if one does."""
        self.add_linear([(-1, total), *((1, part) for part in parts)], 0, 0)

    def add_domain(self, lits: Sequence[Lit]) -> None:
        """Post that exactly one of the literals holds: the one-hot encoding of a variable."""
        self.add_linear([(1, lit) for lit in lits], 1, 1)
        self.declare_domain(lits)

    def declare_domain(self, lits: Sequence[Lit]) -> None:
        """Declare a domain for which other constraints already imply that exactly one literal holds."""
        self._domains.append(tuple(lits))
        for place, lit in enumerate(lits):
            if abs(lit) != TRUE and lit not in self._value_sets and -lit not in self._value_sets:
                self._value_sets[lit] = ValueSet(len(self._domains) - 1, frozenset((place,)))

    def value_set(self, lit: Lit) -> ValueSet | None:
        """The values of one domain for which a literal holds; None if the literal is not such a condition."""
        if -lit not in self._value_sets:
            return self._value_sets.get(lit)
        found = self._complements.get(lit)
        if found is None:
            complement = self._value_sets[-lit]
            every = frozenset(range(len(self._domains[complement.domain])))
            found = self._complements[lit] = ValueSet(complement.domain, every - complement.places)
        return found

    def _membership(self, domain: int, places: frozenset[int]) -> Lit:
        """A literal that holds if the variable has one of the values; over the smaller of the set and its complement."""
        values = self._domains[domain]
        if not places:
            return FALSE
        if len(places) == len(values):
            return TRUE
        if len(places) == 1:
            return values[min(places)]
        found = self._unions.get((domain, places))
        if found is None:
            others = frozenset(range(len(values))) - places
            if (len(others), 0 in places) < (len(places), 0 in others):
                found = -self._membership(domain, others)
            else:
                found = self.new_literal()
                self.add_sum(found, [values[place] for place in sorted(places)])
                self._value_sets[found] = ValueSet(domain, places)
            self._unions[domain, places] = found
        return found

    def all_of(self, lits: Iterable[Lit]) -> Lit:
        """The conjunction of literals."""
        inputs: dict[Lit, None] = {}
        common: dict[int, frozenset[int]] = {}
        for lit in lits:
            if lit == FALSE or -lit in inputs:
                return FALSE
            if lit == TRUE:
                continue
            values = self.value_set(lit)
            if values is None:
                inputs[lit] = None
            else:
                common[values.domain] = common.get(values.domain, values.places) & values.places
        for domain, places in common.items():
            lit = self._membership(domain, places)
            if lit == FALSE:
                return FALSE
            if lit != TRUE:
                inputs[lit] = None
        if len(inputs) < 2:
            return next(iter(inputs), TRUE)
        key = tuple(sorted(inputs))
        found = self._gates.get(key)
        if found is None:
            found = self._gates[key] = self.new_literal()
            self._inputs[found] = key
            self.clauses += [(-found, lit) for lit in key]
            self.clauses.append((found, *(-lit for lit in key)))
        return found

    def conjuncts(self, lit: Lit) -> tuple[Lit, ...] | None:
        """The literals whose conjunction a literal is; None if it is no conjunction."""
        return self._inputs.get(lit)

    def any_of(self, lits: Iterable[Lit]) -> Lit:
        """The disjunction of literals."""
        return -self.all_of([-lit for lit in lits])

    def sum_of(self, lits: Iterable[Lit]) -> Lit:
        """The disjunction of mutually exclusive literals, encoded as their sum: tight in the linear relaxation."""
        inputs = [lit for lit in dict.fromkeys(lits) if lit != FALSE]
        if TRUE in inputs:
            return TRUE
        if len(inputs) < 2:
            return inputs[0] if inputs else FALSE
        values = [found for lit in inputs if (found := self.value_set(lit)) is not None]
        if len(values) == len(inputs) and len({found.domain for found in values}) == 1:
            return self._membership(values[0].domain, frozenset().union(*(found.places for found in values)))
        key = (0, *sorted(inputs))
        total = self._gates.get(key)
        if total is None:
            total = self._gates[key] = self.new_literal()
            self.add_sum(total, inputs)
        return total


def holds(lit: Lit, solution: Sequence[int]) -> bool:
    """Whether a literal holds in a solution, which gives 0 or 1 for each variable (place 0 is unused, variable 1 is true)."""
    return bool(solution[abs(lit)]) == (lit > 0)


def extent(coefficients: Iterable[int]) -> tuple[int, int]:
    """The least and the greatest sum of a subset of the coefficients."""
    all_of_them = list(coefficients)
    return sum(min(one, 0) for one in all_of_them), sum(max(one, 0) for one in all_of_them)


@frozen
class LinearExpression:
    """A constant plus coefficient * literal for each term; its value lies in `low..high`."""

    terms: Mapping[Lit, int]
    constant: int
    low: int
    high: int

    @classmethod
    def of(cls, terms: Mapping[Lit, int], constant: int, low: int | None = None, high: int | None = None) -> LinearExpression:
        """An expression with the limits that its coefficients imply, or tighter ones."""
        least, most = (constant + limit for limit in extent(terms.values()))
        return cls(terms, constant, least if low is None else max(least, low), most if high is None else min(most, high))

    def value(self, solution: Sequence[int]) -> int:
        """The value in a solution."""
        return self.constant + sum(coefficient for lit, coefficient in self.terms.items() if holds(lit, solution))
