"""Resolves the forms of values: operators, what follows `of`, and the forms that bind names."""

from __future__ import annotations

from typing import assert_never

from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.expressions import Comparison, Expression, Name, Operator, Paired, Subscript
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.linking.functions.call import NUMBER, TRUTH, ArgumentResolver
from rulewright.rules.linking.pieces.functions import first_cell
from rulewright.rules.linking.symbol_table import Locals, LocalSymbol
from rulewright.rules.linking.unification import PartialType, TypeVariable, as_type, prune, unify
from rulewright.rules.merging.expand import score_definition
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.types import SetOperator, Type
from rulewright.rules.spaces.window import Function

from .sets import JOINED, compared, is_set, joined

# Resolves the operators common to single values and sets --------------------------------------------------------------
# `and`, `or`, `-`, comparisons, `if`.


def resolve_junction(
    resolver: ArgumentResolver, node: expressions.And | expressions.Or, locals: Locals, hint: PartialType | None
) -> terms.Term:
    """A conjunction or disjunction of truth values, or an intersection or union of sets. Reports RW148 and RW200."""
    parts = tuple(_operand(resolver, part, locals, hint) for part in node.parts)
    both = isinstance(node, expressions.And)
    if _of_sets(parts, hint):
        return joined(resolver, SetOperator.BOTH if both else SetOperator.EITHER, parts, node.span)
    type = _type_of_all(resolver, parts, TRUTH, hint)
    return terms.And(parts, type=type, span=node.span) if both else terms.Or(parts, type=type, span=node.span)


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
    return terms.Arithmetic(parts[0], tuple(zip(signs, parts[1:], strict=True)), type=type, span=node.span)


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
        return terms.Compare(node.operator, one, one, span=node.span)
    other = resolver.hinted(second, locals, one.type) if is_set(one.type) else _second(resolver, second, locals, one, ordered)
    left, right = (other, one) if swapped else (one, other)
    if is_set(left.type) or is_set(right.type):
        return compared(resolver, node.operator, left, right, node.span)
    if ordered:
        _require(resolver, one, NUMBER)
    return terms.Compare(node.operator, left, right, span=node.span)


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
    return terms.If(test, one, other, type=one.type, span=node.span)


def _require(resolver: ArgumentResolver, part: terms.Term, type: PartialType) -> None:
    """Report RW200 for a part of another type."""
    if not unify(part.type, type):
        resolver.mismatch(part.span, type, part.type)


# What follows `of` ----------------------------------------------------------------------------------------------------
# Resolves what follows `of`: the index of a state variable, or its two indices.
#
# `stock of herald of p of red` needs no brackets: the declaration of a name tells how many parts it takes.


NONE = "none"
"""Before `of` and a set: the value for none of its elements."""


def resolve_index(resolver: ArgumentResolver, variable: Variable, node: Expression, locals: Locals) -> terms.Term:
    """The index of an indexed variable. Reports RW203 and what its parts report."""
    first, second = _taken(resolver, node, locals)
    if not isinstance(variable.index, types.Pair):
        if second is not None:
            message = f"`{variable.name}` has only one index, but two are given"
            resolver.symbols.sink.error("RW203", message, node.span, help="put the part that has its own index in parentheses")
        if variable.pieces and isinstance(variable.index, types.Cell):
            piece = resolver.term(first, locals, types.Place(variable.pieces))
            return first_cell(resolver.symbols, variable.pieces, piece, first.span)
        return resolver.term(first, locals, variable.index)
    if second is None:
        help = f"write `{variable.name} of … of …`"
        resolver.symbols.sink.error("RW203", f"`{variable.name}` needs two indices", node.span, help=help)
        second = first
    one = resolver.term(first, locals, variable.index.first)
    other = resolver.term(second, locals, variable.index.second)
    return terms.Paired(one, other, type=variable.index, span=node.span)


def _taken(resolver: ArgumentResolver, node: Expression, locals: Locals) -> tuple[Expression, Expression | None]:
    """The first element of a chain of `of`, and the rest of the chain."""
    match node:
        case Paired(first, second):
            return first, second
        case Subscript(name, index):
            rest: Expression | None = index
            taken: list[Expression] = []
            for _ in range(_arity(resolver, name, locals)):
                if rest is not None:
                    one, rest = _taken(resolver, rest, locals)
                    taken.append(one)
            return _joined([Name(name, span=node.span), *taken]), rest
        case _:
            return node, None


def _joined(parts: list[Expression]) -> Expression:
    """Join parts into a chain; the inverse of `_taken`."""
    *others, chain = parts
    for part in reversed(others):
        if isinstance(part, Name):
            chain = Subscript(part.text, chain, span=part.span.to(chain.span))
        else:
            chain = Paired(part, chain, span=part.span.to(chain.span))
    return chain


def _arity(resolver: ArgumentResolver, name: str, locals: Locals) -> int:
    """How many parts a name takes after `of`."""
    symbols = resolver.symbols
    if name in locals:
        return 0
    variable = symbols.variables.get(name)
    if variable is not None and variable.index is not None and not variable.is_board:
        return 1 + isinstance(variable.index, types.Pair) - variable.is_set
    return int(name in ("origin", NONE) or name in symbols.player_scores or score_definition(name) in symbols.signatures)


# Sight ----------------------------------------------------------------------------------------------------------------
# Parts of a line: `those x in line(c, d) until occupied(x)`, and `while` in place of `until`.


def resolve_sight(
    resolver: ArgumentResolver, binder: expressions.Binder, limit: expressions.Limit, locals: Locals
) -> terms.Term:
    """The cells of a line up to the first that meets a condition, or before the first that does not.

    They are those that steps reach from its start: a closure, which every engine follows no further than it must. Reports RW170
    for a graph and RW217 for what is no line.
    """
    line, element = resolver.set(binder.domain, locals)
    span, assumed = binder.span, binder.where
    assert assumed is not None
    if not isinstance(line, terms.Apply) or line.function is not Function.LINE:
        message = f"`{limit.value}` needs a line, whose cells follow one another"
        help = f"write `line(c, d)`, or `where` in place of `{limit.value}`"
        resolver.symbols.sink.error("RW217", message, binder.domain.span, help=help)
        return line
    (start, direction), cell = line.arguments, types.Cell(line.space)
    space = resolver.symbols.spaces.get(line.space)
    if space is not None and space.shape is Shape.GRAPH:
        message = f"`{line.space}` is a graph, so its directions do not continue in a straight line"
        resolver.symbols.sink.error("RW170", message, binder.domain.span, help="use the next cell, `step(c, d)`")
    # No text can contain these names, and a form inside the condition has others.
    where = f"{span.line}:{span.column}"
    here, there = (terms.Local(f"{binder.name} {which} {where}", cell, span=span) for which in ("here", "there"))

    def holds(of: terms.Local) -> terms.Term:
        return resolver.term(assumed, {**locals, binder.name: LocalSymbol(element, alias=of.name)}, TRUTH)

    inside = terms.Membership(there, terms.AllCells(line.space, type=types.SetOf(cell), span=span), span=span)
    if limit is expressions.Limit.WHILE:
        goes_on = holds(there)
    else:
        begins = terms.Compare(expressions.Comparison.EQUAL, here, start, span=span)
        goes_on = terms.Or((begins, terms.Not(holds(here), span=span)), span=span)
    step = terms.Lookup(terms.Step(line.space), here, direction, type=cell, span=span)
    domain = terms.SetLiteral((step,), type=types.SetOf(cell), span=span)
    bound = terms.Binder(there.name, domain, terms.And((inside, goes_on), span=span), cell, span=span)
    reached = terms.Closure(start, here.name, bound, type=line.type, span=span)
    first = terms.SetLiteral((start,), type=line.type, span=span)
    return terms.SetOperation(types.SetOperator.WITHOUT, reached, first, type=line.type, span=span)


# Forms that bind names ------------------------------------------------------------------------------------------------
# Quantifiers, sums, extremes, filtered sets, closures.
#
# A form with several names is nested forms with one name each.


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
            return terms.Fold(terms.Kind(quantifier.value), bound, resolver.term(within, inner, TRUTH), type=TRUTH, span=span)
        case expressions.Count(binder):
            one = expressions.NumberLiteral(1, span=span)
            return resolve_binding(resolver, expressions.Sum(one, binder, span=span), locals)
        case expressions.Sum(value, binder):
            bound, inner = resolver.bound(binder, locals)
            within = value if binder.rest is None else expressions.Sum(value, binder.rest, span=span)
            return terms.Fold(terms.Kind.SUM, bound, resolver.term(within, inner, NUMBER), type=NUMBER, span=span)
        case expressions.ExtremeOf(extreme, value, binder):
            bound, inner = resolver.bound(_for_any(binder), locals)
            within = value if binder.rest is None else expressions.ExtremeOf(extreme, value, binder.rest, span=span)
            return terms.Fold(terms.Kind(extreme.value), bound, resolver.term(within, inner, NUMBER), type=NUMBER, span=span)
        case expressions.ExtremeBy():
            return _element(resolver, node, locals)
        case expressions.Those(binder, expressions.Limit.UNTIL | expressions.Limit.WHILE as limit):
            return resolve_sight(resolver, binder, limit, locals)
        case expressions.Those(binder):
            bound, _ = resolver.bound(binder, locals)
            return terms.Those(bound, type=resolver.set_of(bound.type), span=span)
        case expressions.Image(value, binder):
            bound, inner = resolver.bound(binder, locals)
            image = resolver.term(value, inner)
            resolver.refuse_set(image.type, span, "a set cannot hold sets")
            return terms.Image(image, bound, type=resolver.set_of(image.type), span=span)
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
    by = terms.Constant(0, type=NUMBER, span=node.span) if node.by is None else resolver.term(node.by, inner, NUMBER)
    return terms.Fold(terms.Kind(f"first {node.extreme.value}"), bound, by, type=bound.type, span=node.span)


def _closure(resolver: ArgumentResolver, node: expressions.Closure, locals: Locals) -> terms.Term:
    start = resolver.term(node.start, locals)
    outer = {**locals, node.origin: LocalSymbol(start.type)}
    bound, _ = resolver.bound(node.binder, outer)
    if not unify(start.type, bound.type):
        resolver.mismatch(node.binder.span, start.type, bound.type)
    return terms.Closure(start, node.origin, bound, type=resolver.set_of(bound.type), span=node.span)
