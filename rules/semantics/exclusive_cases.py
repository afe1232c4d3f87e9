"""Exceptions that exclude each other by the form of their conditions: these require different values of the same term."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms
from rulewright.rules.model.game import Case
from rulewright.rules.model.traversal import conjuncts


def may_clash(case: Case, others: tuple[Case, ...]) -> tuple[Case, ...]:
    """The other cases that may apply together with `case`."""
    asked = asked_values(case.when)
    return tuple(other for other in others if not _differ(asked, asked_values(other.when)))


@lru_cache(maxsize=4096)
def asked_values(condition: terms.Term) -> dict[terms.Term, int]:
    """The values that a condition requires of terms."""
    return dict(_asked(condition))


def _asked(condition: terms.Term) -> Iterator[tuple[terms.Term, int]]:
    for part in conjuncts(condition):
        match part:
            case terms.Compare(Comparison.EQUAL, terms.Constant(value), term) | terms.Compare(
                Comparison.EQUAL, term, terms.Constant(value)
            ):
                yield term, value


def _differ(one: dict[terms.Term, int], other: dict[terms.Term, int]) -> bool:
    return any(term in other and other[term] != value for term, value in one.items())
