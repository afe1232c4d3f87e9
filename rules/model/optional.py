"""Domains of parameters that may be none: a set followed by none."""

from __future__ import annotations

from . import terms
from .game import Parameter
from .types import SetOf, SetOperator, Type


def or_none(domain: terms.Term, type: Type) -> terms.Term:
    """The elements of a set, followed by none of their type."""
    none = terms.SetLiteral((terms.Absent(type=type, span=domain.span),), type=SetOf(type), span=domain.span)
    return terms.SetOperation(SetOperator.EITHER, domain, none, type=SetOf(type), span=domain.span)


def without_none(domain: terms.Term) -> terms.Term:
    """The set given to `or_none`; any other set is returned unchanged."""
    match domain:
        case terms.SetOperation(SetOperator.EITHER, elements, terms.SetLiteral((terms.Absent(),))):
            return elements
        case _:
            return domain


def is_optional(parameter: Parameter) -> bool:
    """Whether a parameter may be none."""
    return without_none(parameter.domain) is not parameter.domain
