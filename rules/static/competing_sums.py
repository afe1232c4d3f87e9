"""Bounds a total of sums for which the same elements compete: a piece has one owner, so it counts for one of them.

Sums compete if they run over the same elements, and their conditions compare the same term of an element with different
numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model import terms, types
from rulewright.rules.model.traversal import conjuncts, locals_in
from rulewright.rules.semantics.algebra import Env

from .abstract_values import AbstractValue, exactly
from .sums_by_kind import EvaluatorByKind

Addend = tuple[terms.Term, Env]
"""A term with the values of its free names."""

CompetingSum = tuple[terms.Sum, Env]

Elements = tuple[str, terms.Term, terms.Term]
"""What sums compete for: the name of an element, the domain, and the term of an element that is compared."""


def total_of(evaluator: EvaluatorByKind, values: Iterable[terms.Term]) -> tuple[int, int]:
    """The minimum and maximum of the total of terms without free names."""
    low = high = 0
    rivals: dict[Elements, dict[int, list[CompetingSum]]] = defaultdict(lambda: defaultdict(list))
    for term, env in (addend for value in values for addend in _addends(evaluator, value, {})):
        side = _side(evaluator, term, env) if isinstance(term, terms.Sum) else None
        if side is None or not isinstance(term, terms.Sum):
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
        case terms.Sum(value, terms.Binder(name, terms.AllMembers(), None, types.Player())):
            for player in range(1, evaluator.instance.players + 1):
                yield from _addends(evaluator, value, {**env, name: exactly(player)})
        case _:
            yield term, env


def _side(evaluator: EvaluatorByKind, term: terms.Sum, env: Env) -> tuple[Elements, int] | None:
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
            case _:
                pass
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
