"""The structural difference of two rulebooks, clause by clause, and rulebooks with part of the difference applied."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rulewright.base.records import frozen
from rulewright.grammar.tree import modules, statements
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.rules.merging.rulebook import ItemKind, Key, Rulebook, Trait

from .decompose import Part, Parts, book_of, parts_of


@frozen
class Order:
    """The order of the clauses that an item has in both rulebooks."""

    names: tuple[str, ...]


@frozen
class Difference:
    """A clause that differs between two rulebooks; None on the side where it is missing."""

    place: Place
    before: Part | Order | None
    after: Part | Order | None


@frozen
class Comparison:
    """The clauses of two rulebooks and their differences."""

    one: Parts
    other: Parts
    differences: tuple[Difference, ...]

    @classmethod
    def of(cls, one: Rulebook, other: Rulebook) -> Comparison:
        """The additions, changes, deletions and reorderings, in the order of the other rulebook."""
        a, b = parts_of(one), parts_of(other)
        found = [Difference(place, a.get(place), b.get(place)) for place in _spliced(a, b) if a.get(place) != b.get(place)]
        return cls(a, b, (*found, *_reordered(a, b)))

    def steps(self) -> Iterator[tuple[Place, ...]]:
        """The smallest changes that may have an effect: a clause, or an item that only one rulebook has.

        Items that nothing refers to are left out: another clause makes them matter.
        """
        added, dropped = self._lonely(self.one, self.other), self._lonely(self.other, self.one)
        for key in (*added, *dropped):
            if not key.kind.traits & (Trait.IDLE | Trait.SILENT):
                yield tuple(d.place for d in self.differences if d.place.key == key)
        common = [
            d for d in self.differences if d.place.key not in (*added, *dropped) and Trait.SILENT not in d.place.key.kind.traits
        ]
        for alike in together(common):
            yield tuple(difference.place for difference in alike)

    @staticmethod
    def _lonely(without: Parts, parts: Parts) -> list[Key]:
        """The items of `parts` that `without` lacks."""
        known = {place.key for place in without}
        return list(dict.fromkeys(place.key for place in parts if place.key not in known))

    def between(self, chosen: Collection[Place]) -> Rulebook:
        """The first rulebook with the chosen clauses taken from the other, and with the idle items of both."""
        wanted = set(chosen)
        for key in self._lonely(self.one, self.other):
            if Trait.IDLE in key.kind.traits:
                wanted |= {place for place in self.other if place.key == key}
        kept = {key for key in self._lonely(self.other, self.one) if Trait.IDLE in key.kind.traits}
        parts: dict[Place, Part] = {}
        for place in self._order(wanted):
            source = self.other if place in wanted and place.key not in kept else self.one
            if place in source:
                parts[place] = source[place]
        return book_of(parts)

    def _order(self, wanted: Collection[Place]) -> list[Place]:
        """The places of both: within each item in the first one's order, unless the other one's is chosen."""
        chosen = {place.key for place in wanted if place.path == ORDER}
        first, other = _spliced(self.other, self.one), _spliced(self.one, self.other)
        keys = dict.fromkeys(place.key for place in first)
        return [place for key in keys for place in (other if key in chosen else first) if place.key == key]


def together(differences: Iterable[Difference]) -> Iterator[tuple[Difference, ...]]:
    """The differences, grouped where they are one: a clause changed in an action and in all actions like it."""
    found: dict[object, list[Difference]] = {}
    for difference in differences:
        place = difference.place
        what = (place.path, difference.before, difference.after) if place.key.kind is ItemKind.ACTION and place.path else place
        found.setdefault(what, []).append(difference)
    yield from (tuple(alike) for alike in found.values())


ORDER = (" order",)


def _reordered(one: Parts, other: Parts) -> Iterator[Difference]:
    """Parameters, effects and statements in a different order."""
    for key in dict.fromkeys(place.key for place in one):
        a, b = ([p.path[0] for p, part in parts.items() if p.key == key and _is_ordered(part)] for parts in (one, other))
        before, after = (tuple(name for name in names if name in a and name in b) for names in (a, b))
        if before != after:
            yield Difference(Place(key, ORDER), Order(before), Order(after))


def _is_ordered(part: Part) -> bool:
    return isinstance(part, modules.Parameter | modules.Effect | statements.Labelled)


def _spliced(one: Iterable[Place], other: Iterable[Place]) -> list[Place]:
    """The places of both, merged into one order that keeps the order of `other`."""
    found = list(other)
    positions = {place: at for at, place in enumerate(found)}
    behind: dict[int, list[Place]] = {}
    at = -1
    for place in one:
        if place in positions:
            at = positions[place]
        else:
            behind.setdefault(at, []).append(place)
    return [*behind.get(-1, []), *(p for at, place in enumerate(found) for p in (place, *behind.get(at, [])))]
