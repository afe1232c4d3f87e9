"""Bounds sums over the cells of a board, laid pieces, or the tiles of a zone by kind: no kind occurs more often than it has
tiles.

The worth of a tile in place is evaluated once for each kind, on a cell of which nothing else is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import KIND, layer_name, lies_of
from rulewright.rules.model.traversal import conjuncts, locals_in
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_values import NO, AbstractSet, AbstractValue, exactly


@frozen(eq=False)
class _Standing:
    """A cell of a board, or a piece of a set, of which only the kind of tile is known; 0 for none."""

    name: str
    where: AbstractValue
    kind: int


@define
class EvaluatorByKind(Evaluator[AbstractValue, AbstractSet]):
    """Abstract values of terms; `most` gives the most tiles of each kind by board or set of pieces, `most_in` by
    zone, and `room_in` the most tiles of all kinds in a zone that has a limit."""

    most: Mapping[str, Sequence[int]] = field(factory=dict, kw_only=True)
    most_in: Mapping[str, Sequence[int]] = field(factory=dict, kw_only=True)
    room_in: Mapping[str, int] = field(factory=dict, kw_only=True)
    _standing: list[_Standing] = field(factory=list, init=False)

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The value of a term; for a sum over cells, the intersection of both bounds."""
        match term:
            case terms.Fold(terms.Kind.SUM, binder) if (kinds := self.kinds_of(binder)) is not None:
                return _within(Evaluator.value(self, term, env), self._by_kind(term, kinds, env))
            case terms.Fold(terms.Kind.SUM, terms.Binder(_, terms.Read(zone)) as binder, worth) if zone in self.most_in:
                return _within(Evaluator.value(self, term, env), self._in_zone(worth, binder, zone, env))
            case terms.Size(terms.Read(zone)) if zone in self.most_in:
                coming = sum(self.most_in[zone])
                return _within(Evaluator.value(self, term, env), (0, min(coming, self.room_in.get(zone, coming))))
            case terms.Lookup(terms.Column(table, column), key) if self._standing and column == KIND:
                kind = self._kind_at(self.value(key, env), lambda name: table == lies_of(name))
                return Evaluator.value(self, term, env) if kind is None else exactly(kind)
            case _:
                return Evaluator.value(self, term, env)

    def _summed(self, binder: terms.Binder) -> str | None:
        """The board over whose cells, or the set over whose laid pieces, a sum runs; else None."""
        match binder.type, binder.domain:
            case types.Cell(name), _ if name in self.most:
                return name
            case types.Place(name), terms.Image(terms.Read(layer)) if name in self.most and layer == layer_name(name):
                return name
            case _:
                return None

    def kinds_of(self, binder: terms.Binder) -> Iterator[tuple[int, AbstractValue]] | None:
        """For each kind of tile, the most that a sum may run over, and any element of that kind; None if kinds tell nothing.

        While an element is asked for, its kind is known.
        """
        name = self._summed(binder)
        return None if name is None else self._kinds(name, binder.type)

    def _kinds(self, name: str, element: types.Type) -> Iterator[tuple[int, AbstractValue]]:
        size = len(self.instance.domain(element))
        for kind, number in enumerate(self.most[name]):
            count = size if kind == 0 and isinstance(element, types.Cell) else min(number, size)
            if count:
                with self._standing_in(name, size, kind) as where:
                    yield count, where

    def worth(self, term: terms.Fold, env: Env, element: AbstractValue) -> AbstractValue:
        """What an element adds to a sum if it is counted; 0 if it never is."""
        named = {**env, term.binder.name: element}
        counts = term.binder.where is None or not self.value(term.binder.where, named).never
        return self.value(term.body, named) if counts else NO

    def _by_kind(self, term: terms.Fold, kinds: Iterator[tuple[int, AbstractValue]], env: Env) -> tuple[int, int]:
        """The minimum and maximum of a sum: each tile at its least and at its greatest worth."""
        low = high = 0
        for count, element in kinds:
            worth = self.worth(term, env, element)
            low, high = low + count * min(0, worth.low), high + count * max(0, worth.high)
        return low, high

    def _in_zone(self, worth: terms.Term, binder: terms.Binder, zone: str, env: Env) -> tuple[int, int]:
        """The minimum and maximum of a sum over the tiles in a zone, as many as it has room for."""
        losses, gains = [], []
        for kind, number in enumerate(self.most_in[zone]):
            named = {**env, binder.name: exactly(kind)}
            if number and (binder.where is None or not self.value(binder.where, named).never):
                each = self.value(worth, named)
                losses.append((-each.low, number))
                gains.append((each.high, number))
        room = self.room_in.get(zone, sum(self.most_in[zone]))
        return -_greatest(losses, room), _greatest(gains, room)

    @contextmanager
    def _standing_in(self, name: str, size: int, kind: int) -> Iterator[AbstractValue]:
        """Any cell or place with a tile of a kind. Its object identity marks it."""
        where = AbstractValue(0, max(size - 1, 0))
        self._standing.append(_Standing(name, where, kind))
        yield where
        self._standing.pop()

    def _kind_at(self, where: AbstractValue | None, is_asked: Callable[[str], bool]) -> int | None:
        """The kind assumed at a cell or place; None if none is."""
        return next((known.kind for known in self._standing if known.where is where and is_asked(known.name)), None)

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        """The value of a variable; for a board, the kind assumed on a cell."""
        kind = self._kind_at(index, lambda name: name == variable)
        return Evaluator.read(self, variable, index) if kind is None else exactly(kind)


def _within(found: AbstractValue, limits: tuple[int, int]) -> AbstractValue:
    """The intersection of an abstract value with limits."""
    low, high = limits
    return AbstractValue(max(found.low, low), min(found.high, high), needs=found.needs)


def _greatest(worths: Iterable[tuple[int, int]], room: int) -> int:
    """The greatest sum of at most `room` worths, each of which there is a number of times."""
    total = 0
    for worth, number in sorted(worths, reverse=True):
        taken = min(number, room)
        total, room = total + taken * max(0, worth), room - taken
    return total


# Bounds a total of sums for which the same elements compete -----------------------------------------------------------
# A piece has one owner, so it counts for one of them.
#
# Sums compete if they run over the same elements, and their conditions compare the same term of an element with different
# numbers.


Addend = tuple[terms.Term, Env]
"""A term with the values of its free names."""

CompetingSum = tuple[terms.Fold, Env]

Elements = tuple[str, terms.Term, terms.Term]
"""What sums compete for: the name of an element, the domain, and the term of an element that is compared."""


def total_of(evaluator: EvaluatorByKind, values: Iterable[terms.Term]) -> tuple[int, int]:
    """The minimum and maximum of the total of terms without free names."""
    low = high = 0
    rivals: dict[Elements, dict[int, list[CompetingSum]]] = defaultdict(lambda: defaultdict(list))
    for term, env in (addend for value in values for addend in _addends(evaluator, value, {})):
        side = _side(evaluator, term, env) if isinstance(term, terms.Fold) else None
        if side is None or not isinstance(term, terms.Fold):
            found = evaluator.value(term, env)
            low, high = low + found.low, high + found.high
        else:
            elements, number = side
            rivals[elements][number].append((term, env))
    for by_number in rivals.values():
        least, most = _together(evaluator, list(by_number.values()))
        low, high = low + least, high + most
    return low, high


def _addends(evaluator: EvaluatorByKind, term: terms.Term, env: Env) -> Iterator[Addend]:
    """The terms that add up to a term."""
    match term:
        case terms.Arithmetic(first, rest) if all(operator is Operator.PLUS for operator, _ in rest):
            for part in (first, *(part for _, part in rest)):
                yield from _addends(evaluator, part, env)
        case terms.Invoke(name, arguments) if not (definition := evaluator.instance.game.definitions[name]).cases:
            given = (evaluator.any(argument, env) for argument in arguments)
            names = (parameter for parameter, _ in definition.parameters)
            yield from _addends(evaluator, definition.value, dict(zip(names, given, strict=True)))
        case terms.Fold(terms.Kind.SUM, terms.Binder(name, terms.AllMembers(), None, types.Player()), value):
            for player in range(1, evaluator.instance.players + 1):
                yield from _addends(evaluator, value, {**env, name: exactly(player)})
        case _:
            yield term, env


def _side(evaluator: EvaluatorByKind, term: terms.Fold, env: Env) -> tuple[Elements, int] | None:
    """What a sum competes for, and the number that an element must have to count; None if nothing tells."""
    binder = term.binder
    for condition in () if binder.where is None else conjuncts(binder.where):
        match condition:
            case terms.Compare(Comparison.EQUAL, one, other):
                for compared, wanted in ((one, other), (other, one)):
                    is_told = locals_in(binder.domain) | locals_in(compared)
                    if binder.name in locals_in(compared) and is_told.isdisjoint(env) and binder.name not in locals_in(wanted):
                        number = evaluator.value(wanted, env)
                        if number.low == number.high:
                            return (binder.name, binder.domain, compared), number.low
    return None


def _together(evaluator: EvaluatorByKind, sides: Sequence[Sequence[CompetingSum]]) -> tuple[int, int]:
    """The minimum and maximum of the total of sums; an element counts for one side only."""
    alone = [evaluator.value(term, env) for sums in sides for term, env in sums]
    low, high = sum(value.low for value in alone), sum(value.high for value in alone)
    if len(sides) == 1:
        return low, high
    (first, env), *_ = sides[0]
    domain = evaluator.set(first.binder.domain, env)
    items = [(domain.most, domain.element)] if domain.items is None else [(1, item) for item, _ in domain.items]
    for elements in (items, evaluator.kinds_of(first.binder)):
        if elements is not None:
            least, most = _counted(evaluator, sides, elements)
            low, high = max(low, least), min(high, most)
    return low, high


def _counted(
    evaluator: EvaluatorByKind, sides: Sequence[Sequence[CompetingSum]], elements: Iterable[tuple[int, AbstractValue]]
) -> tuple[int, int]:
    """The minimum and maximum over elements, of each of which there are at most so many."""
    low = high = 0
    for count, element in elements:
        worths = [[evaluator.worth(term, env, element) for term, env in sums] for sums in sides]
        low += count * min(sum(min(0, worth.low) for worth in side) for side in worths)
        high += count * max(sum(max(0, worth.high) for worth in side) for side in worths)
    return low, high
