"""Resolves the operators common to single values and sets: `and`, `or`, `-`, comparisons, `if`."""

from __future__ import annotations

from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.linking.functions.call import NUMBER, TRUTH, ArgumentResolver
from rulewright.rules.linking.symbol_table import Locals
from rulewright.rules.linking.unification import PartialType, TypeVariable, as_type, prune, unify
from rulewright.rules.model import terms
from rulewright.rules.model.types import SetOperator, Type

from .sets import JOINED, compared, is_set, joined


def resolve_junction(
    resolver: ArgumentResolver, node: expressions.And | expressions.Or, locals: Locals, hint: PartialType | None
) -> terms.Term:
    """A conjunction or disjunction of truth values, or an intersection or union of sets. Reports RW148 and RW200."""
    parts = tuple(_operand(resolver, part, locals, hint) for part in node.parts)
    both = isinstance(node, expressions.And)
    if _of_sets(parts, hint):
        return joined(resolver, SetOperator.BOTH if both else SetOperator.EITHER, parts, node.span)
    type = _type_of_all(resolver, parts, TRUTH, hint)
    return terms.And(parts, type, span=node.span) if both else terms.Or(parts, type, span=node.span)


def resolve_arithmetic(
    resolver: ArgumentResolver, node: expressions.Arithmetic, locals: Locals, hint: PartialType | None
) -> terms.Term:
    """Arithmetic on numbers, or a difference of sets. Reports RW148 and RW200."""
    signs = [sign for sign, _ in node.rest]
    parts = tuple(_operand(resolver, part, locals, hint) for part in (node.first, *(part for _, part in node.rest)))
    if _of_sets(parts, hint):
        if any(sign is not Operator.MINUS for sign in signs):
            resolver.symbols.sink.error("RW148", "sets cannot be added or multiplied", node.span, help=JOINED)
        return joined(resolver, SetOperator.WITHOUT, parts, node.span)
    open_hint = hint if all(sign is Operator.MINUS for sign in signs) else NUMBER
    type = _type_of_all(resolver, parts, NUMBER, open_hint)
    return terms.Arithmetic(parts[0], tuple(zip(signs, parts[1:], strict=True)), type, span=node.span)


def _operand(resolver: ArgumentResolver, node: expressions.Expression, locals: Locals, hint: PartialType | None) -> terms.Term:
    """An operand; if the whole should be a set, so should the operand."""
    return resolver.hinted(node, locals, hint if hint is not None and is_set(hint) else None)


def _type_of_all(resolver: ArgumentResolver, parts: tuple[terms.Term, ...], single: Type, hint: PartialType | None) -> Type:
    """The type of operands that are not known to be sets: `single`, or a type still to be inferred, which they share."""
    known = [part.type for part in parts] + ([] if hint is None else [hint])
    if not (resolver.inferring and all(isinstance(prune(type), TypeVariable) for type in known)):
        for part in parts:
            _require(resolver, part, single)
        return single
    shared = parts[0].type
    for part in parts[1:]:
        unify(part.type, shared)
    resolver.unify_by_default(shared, single)
    return as_type(shared)


def _of_sets(parts: tuple[terms.Term, ...], hint: PartialType | None) -> bool:
    """Whether the operands are sets; if no operand is known to be one, the expected type decides."""
    if any(is_set(part.type) for part in parts):
        return True
    return hint is not None and is_set(hint) and all(isinstance(prune(part.type), TypeVariable) for part in parts)


def resolve_comparison(resolver: ArgumentResolver, node: expressions.Compare, locals: Locals) -> terms.Term:
    """A comparison. An ambiguous side is resolved last, with the type of the other side."""
    first, second = node.left, node.right
    swapped = isinstance(first, expressions.Name) and len(resolver.symbols.constants.get(first.text, ())) > 1
    if swapped:
        first, second = second, first
    ordered = node.operator not in (Comparison.EQUAL, Comparison.UNEQUAL)
    one = resolver.hinted(first, locals)
    if not ordered and resolver.inferring and isinstance(second, expressions.NumberLiteral):
        resolver.unify_by_default(one.type, NUMBER)  # by default, since players have numbers too
        return terms.Compare(node.operator, one, one, TRUTH, span=node.span)
    other = resolver.hinted(second, locals, one.type) if is_set(one.type) else _second(resolver, second, locals, one, ordered)
    left, right = (other, one) if swapped else (one, other)
    if is_set(left.type) or is_set(right.type):
        return compared(resolver, node.operator, left, right, node.span)
    if ordered:
        _require(resolver, one, NUMBER)
    return terms.Compare(node.operator, left, right, TRUTH, span=node.span)


def _second(
    resolver: ArgumentResolver, node: expressions.Expression, locals: Locals, one: terms.Term, ordered: bool
) -> terms.Term:
    """The other side of a comparison with a single value; the caller handles a set."""
    wanted: PartialType = NUMBER if ordered else one.type
    if isinstance(node, expressions.NumberLiteral):
        return resolver.term(node, locals, wanted)
    found = resolver.hinted(node, locals, wanted)
    if not is_set(found.type) and not unify(found.type, wanted):
        resolver.mismatch(node.span, wanted, found.type)
    return found


def resolve_choice(
    resolver: ArgumentResolver, node: expressions.If, locals: Locals, expected: PartialType | None
) -> terms.Term:
    """One of two values, or of two sets, by a condition."""
    test = resolver.term(node.condition, locals, TRUTH)
    one = resolver.term(node.then, locals, expected)
    other = resolver.term(node.otherwise, locals, one.type)
    return terms.If(test, one, other, one.type, span=node.span)


def _require(resolver: ArgumentResolver, part: terms.Term, type: PartialType) -> None:
    """Report RW200 for a part of another type."""
    if not unify(part.type, type):
        resolver.mismatch(part.span, type, part.type)
