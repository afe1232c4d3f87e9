"""Builds terms for sets: intersection, union, difference, inclusion; and for set variables."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.linking.functions.call import TRUTH, ArgumentResolver
from rulewright.rules.linking.unification import PartialSet, PartialType, TypeVariable, describe_partial, prune, unify
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.types import SetOperator

ELEMENT = "an element"
"""The bound name of an element; no text can contain it."""

BRACKETS = "put the combined sets in parentheses, as in `c in (reached and dry)` or `every c in (reached or dry): …`"
JOINED = "use `A or B` for the union, `A and B` for the intersection, `A - B` for the difference"


def is_set(type: PartialType) -> bool:
    """Whether a type is known to be a set."""
    return isinstance(prune(type), PartialSet | types.SetOf)


def joined(resolver: ArgumentResolver, operator: SetOperator, parts: Sequence[terms.Term], span: Span) -> terms.Term:
    """Several sets combined by one operator, from left to right. Reports RW148 for an operand that is not a set."""
    element: PartialType = TypeVariable()
    for part in parts:
        if not is_set(part.type) and not isinstance(prune(part.type), TypeVariable):
            message = f"cannot combine {describe_partial(part.type)} with a set"
            resolver.symbols.sink.error("RW148", message, part.span, help=BRACKETS)
            return resolver.stand_in(span)
        if not unify(part.type, PartialSet(element)):
            resolver.mismatch(part.span, PartialSet(element), part.type)
    result = parts[0]
    for other in parts[1:]:
        result = terms.SetOperation(operator, result, other, resolver.set_of(element), span=span)
    return result


def compared(resolver: ArgumentResolver, operator: Comparison, left: terms.Term, right: terms.Term, span: Span) -> terms.Term:
    """A comparison of sets: `=` and `!=`, and `<=` for inclusion. Reports RW148 for an operand that is not a set."""
    element: PartialType = TypeVariable()
    for part in (left, right):
        if is_set(part.type) and not unify(part.type, PartialSet(element)):
            resolver.mismatch(part.span, PartialSet(element), part.type)
        elif not unify(part.type, PartialSet(element)):
            message = f"cannot compare {describe_partial(part.type)} with a set"
            help = (
                "use `size(…)` for the number of elements"
                if prune(part.type) == types.Number()
                else "use `… in …` to test for an element"
            )
            resolver.symbols.sink.error("RW148", message, part.span, help=help)
    within = terms.Within(left, right, TRUTH, span=span)
    around = terms.Within(right, left, TRUTH, span=span)
    match operator:
        case Comparison.AT_MOST:
            return within
        case Comparison.AT_LEAST:
            return around
        case Comparison.EQUAL:
            return terms.And((within, around), TRUTH, span=span)
        case Comparison.UNEQUAL:
            return terms.Not(terms.And((within, around), TRUTH, span=span), TRUTH, span=span)
        case Comparison.LESS:
            return terms.And((within, terms.Not(around, TRUTH, span=span)), TRUTH, span=span)
        case Comparison.GREATER:
            return terms.And((around, terms.Not(within, TRUTH, span=span)), TRUTH, span=span)


# Sets that are state --------------------------------------------------------------------------------------------------


def element_of(variable: Variable) -> types.Type:
    """The element type of a set variable."""
    assert variable.index is not None
    return variable.index.second if isinstance(variable.index, types.Pair) else variable.index


def owner_type(variable: Variable) -> types.Type | None:
    """The owner type of a set variable; None if it has no owner."""
    return variable.index.first if isinstance(variable.index, types.Pair) else None


def place_of(variable: Variable, owner: terms.Term | None, element: terms.Term, span: Span) -> terms.Term:
    """The index where a set variable stores whether it contains an element."""
    assert variable.index is not None
    return element if owner is None else terms.Paired(owner, element, variable.index, span=span)


def members(variable: Variable, owner: terms.Term | None, span: Span) -> terms.Term:
    """The value of a set variable: the elements that it contains."""
    return terms.Those(held(variable, owner, span), types.SetOf(element_of(variable)), span=span)


def held(variable: Variable, owner: terms.Term | None, span: Span) -> terms.Binder:
    """A binder over the elements that a set variable contains."""
    type = element_of(variable)
    element = terms.Local(ELEMENT, type, span=span)
    test = terms.Read(variable.name, (place_of(variable, owner, element, span),), TRUTH, span=span)
    return terms.Binder(ELEMENT, everything(type, span), test, type, span=span)


def everything(type: types.Type, span: Span) -> terms.Term:
    """All values that a set may contain."""
    match type:
        case types.Cell(space):
            return terms.AllCells(space, types.SetOf(type), span=span)
        case types.Player():
            return terms.AllMembers(types.SetOf(type), span=span)
        case _:
            return terms.AllMembers(types.SetOf(type), span=span)
