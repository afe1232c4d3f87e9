"""Parts of a line: `those x in line(c, d) until occupied(x)`, and `while` in place of `until`."""

from __future__ import annotations

from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.linking.functions.call import TRUTH, ArgumentResolver
from rulewright.rules.linking.symbol_table import Locals, LocalSymbol
from rulewright.rules.model import terms, types


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
    if not isinstance(line, terms.Line):
        message = f"`{limit.value}` needs a line, whose cells follow one another"
        help = f"write `line(c, d)`, or `where` in place of `{limit.value}`"
        resolver.symbols.sink.error("RW217", message, binder.domain.span, help=help)
        return line
    cell = types.Cell(line.space)
    space = resolver.symbols.spaces.get(line.space)
    if space is not None and space.shape is Shape.GRAPH:
        message = f"`{line.space}` is a graph, so its directions do not continue in a straight line"
        resolver.symbols.sink.error("RW170", message, binder.domain.span, help="use the next cell, `step(c, d)`")
    # No text can contain these names, and a form inside the condition has others.
    where = f"{span.line}:{span.column}"
    here, there = (terms.Local(f"{binder.name} {which} {where}", cell, span=span) for which in ("here", "there"))

    def holds(of: terms.Local) -> terms.Term:
        return resolver.term(assumed, {**locals, binder.name: LocalSymbol(element, alias=of.name)}, TRUTH)

    inside = terms.Membership(there, terms.AllCells(line.space, types.SetOf(cell), span=span), TRUTH, span=span)
    if limit is expressions.Limit.WHILE:
        goes_on = holds(there)
    else:
        begins = terms.Compare(expressions.Comparison.EQUAL, here, line.cell, TRUTH, span=span)
        goes_on = terms.Or((begins, terms.Not(holds(here), TRUTH, span=span)), TRUTH, span=span)
    step = terms.Step(line.space, here, line.direction, cell, span=span)
    domain = terms.SetLiteral((step,), types.SetOf(cell), span=span)
    bound = terms.Binder(there.name, domain, terms.And((inside, goes_on), TRUTH, span=span), cell, span=span)
    reached = terms.Closure(line.cell, here.name, bound, line.type, span=span)
    start = terms.SetLiteral((line.cell,), line.type, span=span)
    return terms.SetOperation(types.SetOperator.WITHOUT, reached, start, line.type, span=span)
