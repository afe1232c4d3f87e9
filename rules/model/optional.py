"""What a parameter ranges over that may be none: some set, and none behind it."""

from __future__ import annotations

from . import terms
from .game import Parameter
from .set_operators import SetOperator
from .types import SetOf, Type


def or_none(domain: terms.Term, type: Type) -> terms.Term:
    """The elements of a set, and none of their type behind them."""
    none = terms.SetLiteral((terms.Absent(type, span=domain.span),), SetOf(type), span=domain.span)
    return terms.SetOperation(SetOperator.EITHER, domain, none, SetOf(type), span=domain.span)


def without_none(domain: terms.Term) -> terms.Term:
    """The set that `or_none` was given; any other is itself."""
    match domain:
        case terms.SetOperation(SetOperator.EITHER, elements, terms.SetLiteral((terms.Absent(),))):
            return elements
        case _:
            return domain


def is_optional(parameter: Parameter) -> bool:
    """Whether a parameter may be none."""
    return without_none(parameter.domain) is not parameter.domain
