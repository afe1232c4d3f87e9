"""Builds terms for sets: intersection, union, difference, inclusion; and for set variables."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.diagnostics import Label, suggest
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, statements
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.linking.functions.call import TRUTH, ArgumentResolver
from rulewright.rules.linking.symbol_table import Locals
from rulewright.rules.linking.unification import PartialSet, PartialType, TypeVariable, describe_partial, prune, unify
from rulewright.rules.model import effects, terms, types
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
        result = terms.SetOperation(operator, result, other, type=resolver.set_of(element), span=span)
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
    within = terms.Within(left, right, span=span)
    around = terms.Within(right, left, span=span)
    match operator:
        case Comparison.AT_MOST:
            return within
        case Comparison.AT_LEAST:
            return around
        case Comparison.EQUAL:
            return terms.And((within, around), span=span)
        case Comparison.UNEQUAL:
            return terms.Not(terms.And((within, around), span=span), span=span)
        case Comparison.LESS:
            return terms.And((within, terms.Not(around, span=span)), span=span)
        case Comparison.GREATER:
            return terms.And((around, terms.Not(within, span=span)), span=span)


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
    return element if owner is None else terms.Paired(owner, element, type=variable.index, span=span)


def members(variable: Variable, owner: terms.Term | None, span: Span) -> terms.Term:
    """The value of a set variable: the elements that it contains."""
    return terms.Those(held(variable, owner, span), type=types.SetOf(element_of(variable)), span=span)


def held(variable: Variable, owner: terms.Term | None, span: Span) -> terms.Binder:
    """A binder over the elements that a set variable contains."""
    type = element_of(variable)
    element = terms.Local(ELEMENT, type, span=span)
    test = terms.Read(variable.name, (place_of(variable, owner, element, span),), type=TRUTH, span=span)
    return terms.Binder(ELEMENT, everything(type, span), test, type, span=span)


def everything(type: types.Type, span: Span) -> terms.Term:
    """All values that a set may contain."""
    match type:
        case types.Cell(space):
            return terms.AllCells(space, type=types.SetOf(type), span=span)
        case _:
            return terms.AllMembers(type=types.SetOf(type), span=span)


def only(name: str, value: terms.Term, span: Span) -> terms.Binder:
    """A loop over one value binds it to a name."""
    alone = terms.SetLiteral((value,), type=types.SetOf(value.type), span=value.span)
    return terms.Binder(name, alone, None, value.type, span=span)


# Resolves the statements that change a set variable -------------------------------------------------------------------
# `add c to explored`, `remove c from …`, `clear explored`, `explored :=
# S`.


SetStatement = statements.AddElement | statements.RemoveElement | statements.Clear | statements.Assign

OWNER = "its owner"
"""The bound name of the owner of a set; no text can contain it."""

NEW = "its elements"
"""The name of a set's new value; no text can contain it."""


def resolve_set_effect(resolver: ArgumentResolver, node: SetStatement, name: str, locals: Locals) -> effects.Effect | None:
    """Add or remove an element, clear a set, or assign another set. Reports RW203 and RW208."""
    variable = _set_named(resolver, node.target)
    if variable is None:
        return None
    owner = _owner(resolver, variable, node.target, locals)
    if owner is None or isinstance(owner, terms.Local | terms.Constant) or (isinstance(owner, terms.Read) and not owner.index):
        return _changed(resolver, node, variable, owner, name, locals)
    # The owner may be computed from the sets: it must stay the same while the elements change.
    bound = terms.Local(OWNER, owner.type, span=owner.span)
    clause = _clause(resolver, node, name, _changed(resolver, node, variable, bound, name, locals))
    return effects.ForEach(only(OWNER, owner, owner.span), (clause,), span=node.span)


def _changed(
    resolver: ArgumentResolver, node: SetStatement, variable: Variable, owner: terms.Term | None, name: str, locals: Locals
) -> effects.Effect:
    match node:
        case statements.AddElement(element) | statements.RemoveElement(element):
            which = resolver.term(element, locals, element_of(variable))
            inside = terms.Constant(int(isinstance(node, statements.AddElement)), type=TRUTH, span=node.span)
            return _said(node, variable, owner, which, inside)
        case statements.Clear():
            binder = held(variable, owner, node.span)
            each = terms.Local(ELEMENT, binder.type, span=node.span)
            out = _said(node, variable, owner, each, terms.Constant(0, type=TRUTH, span=node.span))
            return effects.ForEach(binder, (_clause(resolver, node, name, out),), span=node.span)
        case statements.Assign(_, _, value):
            return _assigned(resolver, node, variable, owner, name, resolver.term(value, locals, _type_of(variable)))


def _assigned(
    resolver: ArgumentResolver,
    node: statements.Assign,
    variable: Variable,
    owner: terms.Term | None,
    name: str,
    new: terms.Term,
) -> effects.Effect:
    """`explored := S`: each element is in the set from now on if it is in the present value of the other set."""
    span, whole = node.span, _type_of(variable)
    each, kept = terms.Local(ELEMENT, whole.element, span=span), terms.Local(NEW, whole, span=span)
    inside = terms.Membership(each, kept, span=span)
    said = _clause(resolver, node, name, _said(node, variable, owner, each, inside))
    loop = effects.ForEach(
        terms.Binder(ELEMENT, everything(whole.element, span), None, whole.element, span=span), (said,), span=span
    )
    return effects.Keep(NEW, new, (_clause(resolver, node, name, loop),), span=span)


def _type_of(variable: Variable) -> types.SetOf:
    return types.SetOf(element_of(variable))


def _clause(resolver: ArgumentResolver, node: SetStatement, name: str, effect: effects.Effect) -> effects.EffectClause:
    return effects.EffectClause(name, effect, **resolver.symbols.source(node.span))


def is_set_named(resolver: ArgumentResolver, target: expressions.Name | expressions.Subscript) -> bool:
    """Whether a target is a set variable."""
    variable = resolver.symbols.variables.get(target.text if isinstance(target, expressions.Name) else target.name)
    return variable is not None and variable.is_set


def _said(
    node: SetStatement, variable: Variable, owner: terms.Term | None, element: terms.Term, inside: terms.Term
) -> effects.Assign:
    """An assignment of whether a set contains an element."""
    place = effects.Location(variable.name, (place_of(variable, owner, element, node.target.span),), span=node.target.span)
    return effects.Assign(place, statements.Assignment.SET, inside, span=node.span)


def _set_named(resolver: ArgumentResolver, target: expressions.Name | expressions.Subscript) -> Variable | None:
    """The set variable to change. Reports RW208 for anything else."""
    symbols, name = resolver.symbols, target.text if isinstance(target, expressions.Name) else target.name
    variable = symbols.variables.get(name)
    if variable is None:
        known = [other.name for other in symbols.variables.values() if other.is_set]
        help = suggest(name, known, f"declare it: `{name}: set of cells of …`")
        symbols.sink.error("RW208", f"there is no state variable `{name}`", target.span, help=help)
        return None
    if not variable.is_set:
        is_zone = variable.is_zone
        help = "use `move`, `put`, `take` or `deal`" if is_zone else f"write `{name} := …`, or declare it as a `set of …`"
        label = Label(variable.span, "declared here")
        symbols.sink.error("RW208", f"`{name}` is not a set of elements", target.span, label, help=help)
        return None
    return variable


def _owner(
    resolver: ArgumentResolver, variable: Variable, target: expressions.Name | expressions.Subscript, locals: Locals
) -> terms.Term | None:
    """The owner of the set; None if it has none. Reports RW203."""
    wanted = owner_type(variable)
    if wanted is None:
        if isinstance(target, expressions.Subscript):
            help = f"write `{variable.name}`"
            resolver.symbols.sink.error("RW203", f"`{variable.name}` is a single set and has no index", target.span, help=help)
        return None
    if isinstance(target, expressions.Subscript):
        return resolver.term(target.index, locals, wanted)
    help = f"write `{variable.name} of …`"
    resolver.symbols.sink.error("RW203", f"`{variable.name}` needs an index", target.span, help=help)
    return resolver.stand_in(target.span)
