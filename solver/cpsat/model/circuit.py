"""Literals, gates over them and linear rows: a model as data, before any solver has seen it.

A gate is made once for each set of inputs, and what is known folds away. Of values that exclude each other (a *group*),
sets are remembered, so that two conditions on one value meet in a set and not in a gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import field

from rulewright.base.records import define, frozen

Lit = int
"""A variable's number, negative for its negation. Variable 1 is true."""

TRUE: Lit = 1
FALSE: Lit = -1


class ModelTooLarge(Exception):
    """More variables than the limit allows; raised while they are counted."""


@frozen
class Row:
    """low <= sum of coefficient * variable <= high; None is no limit."""

    terms: tuple[tuple[int, int], ...]
    low: int | None
    high: int | None


@frozen
class Part:
    """A set of the values of a group."""

    group: int
    places: frozenset[int]


@define
class Circuit:
    """What a model says so far."""

    most_variables: int = 500_000
    size: int = 1
    clauses: list[tuple[Lit, ...]] = field(factory=list)
    rows: list[Row] = field(factory=list)
    _gates: dict[tuple[Lit, ...], Lit] = field(factory=dict)
    _groups: list[tuple[Lit, ...]] = field(factory=list)
    _parts: dict[Lit, Part] = field(factory=dict)
    _unions: dict[tuple[int, frozenset[int]], Lit] = field(factory=dict)

    def new(self) -> Lit:
        """A literal that nothing is known of. Raises `ModelTooLarge`."""
        self.size += 1
        if self.size > self.most_variables:
            raise ModelTooLarge(f"more than {self.most_variables:,} variables")
        return self.size

    def require(self, *lits: Lit) -> None:
        """One of these holds."""
        if TRUE in lits:
            return
        left = tuple(dict.fromkeys(lit for lit in lits if lit != FALSE))
        if not any(-lit in left for lit in left):
            self.clauses.append(left)

    def row(self, terms: Iterable[tuple[int, Lit]], low: int | None = None, high: int | None = None) -> None:
        """low <= sum of coefficient * literal <= high."""
        sums: dict[int, int] = {}
        constant = 0
        for coefficient, lit in terms:
            if abs(lit) == TRUE:
                constant += coefficient if lit > 0 else 0
            elif lit > 0:
                sums[lit] = sums.get(lit, 0) + coefficient
            else:
                constant += coefficient
                sums[-lit] = sums.get(-lit, 0) - coefficient
        kept = tuple((c, v) for v, c in sums.items() if c)
        low, high = (None if x is None else x - constant for x in (low, high))
        least, most = sum(min(c, 0) for c, _ in kept), sum(max(c, 0) for c, _ in kept)
        if (low is None or low <= least) and (high is None or high >= most):
            return
        self.rows.append(Row(kept, low, high))

    def group(self, lits: Sequence[Lit]) -> None:
        """Exactly one of these holds; they are alternatives of one value."""
        self.row([(1, lit) for lit in lits], 1, 1)
        self.note_group(lits)

    def note_group(self, lits: Sequence[Lit]) -> None:
        """The same, where other rows say already that exactly one holds."""
        self._groups.append(tuple(lits))
        for place, lit in enumerate(lits):
            if abs(lit) != TRUE and lit not in self._parts and -lit not in self._parts:
                self._parts[lit] = Part(len(self._groups) - 1, frozenset((place,)))

    def part(self, lit: Lit) -> Part | None:
        """The alternatives of one value that a literal stands for, if it does."""
        part = self._parts.get(lit)
        if part is None and -lit in self._parts:
            other = self._parts[-lit]
            return Part(other.group, frozenset(range(len(self._groups[other.group]))) - other.places)
        return part

    def _among(self, group: int, places: frozenset[int]) -> Lit:
        """The value of a group is one of those."""
        members = self._groups[group]
        if not places:
            return FALSE
        if len(places) == len(members):
            return TRUE
        if len(places) == 1:
            return members[min(places)]
        found = self._unions.get((group, places))
        if found is None:
            others = frozenset(range(len(members))) - places
            if (len(others), 0 in places) < (len(places), 0 in others):
                found = -self._among(group, others)
            else:
                found = self.new()
                self.row([(-1, found), *((1, members[place]) for place in sorted(places))], 0, 0)
                self._parts[found] = Part(group, places)
            self._unions[group, places] = found
        return found

    def all_of(self, lits: Iterable[Lit]) -> Lit:
        """A literal that holds where all of these do."""
        kept: dict[Lit, None] = {}
        places: dict[int, frozenset[int]] = {}
        for lit in lits:
            if lit == FALSE or -lit in kept:
                return FALSE
            if lit == TRUE:
                continue
            part = self.part(lit)
            if part is None:
                kept[lit] = None
            else:
                places[part.group] = places[part.group] & part.places if part.group in places else part.places
        for group, where in places.items():
            lit = self._among(group, where)
            if lit == FALSE:
                return FALSE
            if lit != TRUE:
                kept[lit] = None
        if not kept:
            return TRUE
        if len(kept) == 1:
            return next(iter(kept))
        key = tuple(sorted(kept))
        found = self._gates.get(key)
        if found is None:
            found = self._gates[key] = self.new()
            self.clauses += [(-found, lit) for lit in key]
            self.clauses.append((found, *(-lit for lit in key)))
        return found

    def any_of(self, lits: Iterable[Lit]) -> Lit:
        """A literal that holds where one of these does."""
        return -self.all_of([-lit for lit in lits])

    def one_of(self, lits: Sequence[Lit]) -> Lit:
        """The same for literals of which at most one holds: their sum."""
        left = [lit for lit in dict.fromkeys(lits) if lit != FALSE]
        if TRUE in left:
            return TRUE
        if len(left) < 2:
            return left[0] if left else FALSE
        parts = [self.part(lit) for lit in left]
        if all(part is not None and part.group == parts[0].group for part in parts if parts[0] is not None) and parts[0]:
            return self._among(parts[0].group, frozenset().union(*(part.places for part in parts if part)))
        key = (0, *sorted(left))
        found = self._gates.get(key)
        if found is None:
            found = self._gates[key] = self.new()
            self.row([(-1, found), *((1, lit) for lit in left)], 0, 0)
        return found

    def value_of(self, lit: Lit, solution: Sequence[int]) -> bool:
        """Whether a literal holds in a solution, which gives 0 or 1 for each variable (0: none, 1: true)."""
        return bool(solution[abs(lit)]) == (lit > 0)


@frozen
class Linear:
    """A constant and so much for each literal that holds; its value lies in `low..high`."""

    terms: Mapping[Lit, int]
    constant: int
    low: int
    high: int

    @classmethod
    def of(cls, terms: Mapping[Lit, int], constant: int, low: int | None = None, high: int | None = None) -> Linear:
        """With the limits that the coefficients give, or tighter ones."""
        least = constant + sum(min(c, 0) for c in terms.values())
        most = constant + sum(max(c, 0) for c in terms.values())
        return cls(terms, constant, least if low is None else max(least, low), most if high is None else min(most, high))
