"""Resolves the forms that bind names: quantifiers, sums, extremes, filtered sets, closures.

A form with several names is nested forms with one name each.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.grammar.tree import expressions
from rulewright.rules.linking.functions.call import NUMBER, TRUTH, ArgumentResolver
from rulewright.rules.linking.symbol_table import Locals, LocalSymbol
from rulewright.rules.linking.unification import unify
from rulewright.rules.model import terms

from .sight import resolve_sight

BindingForm = (
    expressions.Quantified
    | expressions.Count
    | expressions.Sum
    | expressions.ExtremeOf
    | expressions.ExtremeBy
    | expressions.Those
    | expressions.Image
    | expressions.Closure
)


def resolve_binding(resolver: ArgumentResolver, node: BindingForm, locals: Locals) -> terms.Term:
    """Resolve a form that binds names. Reports RW146, RW211 and what its parts report."""
    span = node.span
    match node:
        case expressions.Quantified(quantifier, binder, body):
            bound, inner = resolver.bound(binder, locals)
            within = body if binder.rest is None else expressions.Quantified(quantifier, binder.rest, body, span=span)
            return terms.Quantified(quantifier, bound, resolver.term(within, inner, TRUTH), TRUTH, span=span)
        case expressions.Count(binder):
            one = expressions.NumberLiteral(1, span=span)
            return resolve_binding(resolver, expressions.Sum(one, binder, span=span), locals)
        case expressions.Sum(value, binder):
            bound, inner = resolver.bound(binder, locals)
            within = value if binder.rest is None else expressions.Sum(value, binder.rest, span=span)
            return terms.Sum(resolver.term(within, inner, NUMBER), bound, NUMBER, span=span)
        case expressions.ExtremeOf(extreme, value, binder):
            bound, inner = resolver.bound(_for_any(binder), locals)
            within = value if binder.rest is None else expressions.ExtremeOf(extreme, value, binder.rest, span=span)
            return terms.ExtremeOf(extreme, resolver.term(within, inner, NUMBER), bound, NUMBER, span=span)
        case expressions.ExtremeBy():
            return _element(resolver, node, locals)
        case expressions.Those(binder, expressions.Limit.UNTIL | expressions.Limit.WHILE as limit):
            return resolve_sight(resolver, binder, limit, locals)
        case expressions.Those(binder):
            bound, _ = resolver.bound(binder, locals)
            return terms.Those(bound, resolver.set_of(bound.type), span=span)
        case expressions.Image(value, binder):
            bound, inner = resolver.bound(binder, locals)
            image = resolver.term(value, inner)
            resolver.refuse_set(image.type, span, "a set cannot hold sets")
            return terms.Image(image, bound, resolver.set_of(image.type), span=span)
        case expressions.Closure():
            return _closure(resolver, node, locals)
        case _:
            assert_never(node)


def _for_any(binder: expressions.Binder) -> expressions.Binder:
    """For two names, restrict the first to elements for which the second has any: the least of an empty set would be 0."""
    if binder.rest is None:
        return binder
    span = binder.rest.span
    yes = expressions.TruthLiteral(True, span=span)
    is_any = expressions.Quantified(expressions.Quantifier.SOME, binder.rest, yes, span=span)
    return expressions.Binder(binder.name, binder.domain, is_any, span=binder.span)


def _element(resolver: ArgumentResolver, node: expressions.ExtremeBy, locals: Locals) -> terms.Term:
    """`least c in S by E`. Reports RW146 for a second name."""
    bound, inner = resolver.bound(node.binder, locals)
    word, rest = node.extreme.value if node.by is not None else "first", node.binder.rest
    while rest is not None:
        help = f"for the value, use `{word} E for x in S, y in T`; for the element, `{word} x in S by ({word} E for y in T)`"
        resolver.symbols.sink.error("RW146", f"`{word} … by …` can bind only one name", rest.span, help=help)
        _, inner = resolver.bound(rest, inner)
        rest = rest.rest
    by = terms.Constant(0, NUMBER, span=node.span) if node.by is None else resolver.term(node.by, inner, NUMBER)
    return terms.ExtremeBy(node.extreme, bound, by, bound.type, span=node.span)


def _closure(resolver: ArgumentResolver, node: expressions.Closure, locals: Locals) -> terms.Term:
    start = resolver.term(node.start, locals)
    outer = {**locals, node.origin: LocalSymbol(start.type)}
    bound, _ = resolver.bound(node.binder, outer)
    if not unify(start.type, bound.type):
        resolver.mismatch(node.binder.span, start.type, bound.type)
    return terms.Closure(start, node.origin, bound, resolver.set_of(bound.type), span=node.span)
