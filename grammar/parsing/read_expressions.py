"""The nodes of expressions."""

from __future__ import annotations

from typing import ClassVar

from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.expressions import Expression

from .node_builder import NodeBuilder, NodeClasses


class ExpressionBuilder(NodeBuilder):
    """Builds the nodes of `expressions.lark`."""

    NODES: ClassVar[NodeClasses] = {
        "number": expressions.NumberLiteral,
        "name": expressions.Name,
        "owned": expressions.Subscript,
        "negated": expressions.Not,
        "negative": expressions.Negation,
        "binder": expressions.Binder,
        "counted": expressions.Count,
        "summed": expressions.Sum,
        "those": expressions.Those,
        "gathered": expressions.Image,
        "closure": expressions.Closure,
        "if_else": expressions.If,
        "let": expressions.Let,
    }

    def dotted(self, span: Span, *parts: str) -> str:
        return "".join(parts)

    def true(self, span: Span) -> expressions.TruthLiteral:
        return expressions.TruthLiteral(True, span=span)

    def false(self, span: Span) -> expressions.TruthLiteral:
        return expressions.TruthLiteral(False, span=span)

    def paired(self, span: Span, first: Expression, second: Expression) -> expressions.Subscript | expressions.Paired:
        if isinstance(first, expressions.Name):
            return expressions.Subscript(first.text, second, span=span)
        return expressions.Paired(first, second, span=span)

    def call(self, span: Span, function: str, *arguments: Expression | None) -> expressions.Call:
        return expressions.Call(function, given(arguments), span=span)

    def cell_literal(self, span: Span, *coordinate: Expression) -> expressions.CellLiteral:
        return expressions.CellLiteral(coordinate, span=span)

    def set_of(self, span: Span, *items: Expression | None) -> expressions.SetLiteral:
        return expressions.SetLiteral(given(items), span=span)

    def disjunction(self, span: Span, *parts: Expression) -> expressions.Or:
        return expressions.Or(parts, span=span)

    def conjunction(self, span: Span, *parts: Expression) -> expressions.And:
        return expressions.And(parts, span=span)

    def compared(self, span: Span, left: Expression, sign: str, right: Expression) -> expressions.Compare:
        self.closed(span, left)
        return expressions.Compare(expressions.Comparison(sign), left, right, span=span)

    def contained(self, span: Span, item: Expression, domain: Expression) -> expressions.Membership:
        self.closed(span, item)
        return expressions.Membership(item, domain, span=span)

    def left_out(self, span: Span, item: Expression, domain: Expression) -> expressions.Not:
        return expressions.Not(self.contained(span, item, domain), span=span)

    def having(self, span: Span, piece: Expression, marker: expressions.Name) -> expressions.Has:
        self.closed(span, piece)
        return expressions.Has(piece, marker, span=span)

    def absent(self, span: Span, operand: Expression) -> expressions.IsNone:
        self.closed(span, operand)
        return expressions.IsNone(operand, span=span)

    def present(self, span: Span, operand: Expression) -> expressions.Not:
        return expressions.Not(self.absent(span, operand), span=span)

    def arithmetic(self, span: Span, first: Expression, *rest: str | Expression) -> expressions.Arithmetic:
        pairs = zip(rest[::2], rest[1::2], strict=True)
        return expressions.Arithmetic(first, tuple((expressions.Operator(sign), term) for sign, term in pairs), span=span)  # type: ignore[misc]

    def pointing(self, span: Span, start: Expression, end: Expression) -> expressions.Arrow:
        self.closed(span, start)
        return expressions.Arrow(start, end, span=span)

    def ranging(self, span: Span, low: Expression, high: Expression) -> expressions.Interval:
        self.closed(span, low)
        return expressions.Interval(low, high, span=span)

    def several(self, span: Span, name: str, domain: Expression, rest: expressions.Binder) -> expressions.Binder:
        return expressions.Binder(name, domain, None, rest, span=span)

    def quantified(self, span: Span, word: str, binder: expressions.Binder, body: Expression) -> expressions.Quantified:
        return expressions.Quantified(expressions.Quantifier(word), binder, body, span=span)

    def extreme_of(self, span: Span, word: str, value: Expression, binder: expressions.Binder) -> expressions.ExtremeOf:
        return expressions.ExtremeOf(expressions.Extreme(word), value, binder, span=span)

    def extreme_by(self, span: Span, word: str, binder: expressions.Binder, by: Expression) -> expressions.ExtremeBy:
        return expressions.ExtremeBy(expressions.Extreme(word), binder, by, span=span)

    def first(self, span: Span, binder: expressions.Binder) -> expressions.ExtremeBy:
        return expressions.ExtremeBy(expressions.Extreme.LEAST, binder, None, span=span)

    def those_until(self, span: Span, name: str, domain: Expression, where: Expression) -> expressions.Those:
        return expressions.Those(expressions.Binder(name, domain, where, span=span), expressions.Limit.UNTIL, span=span)

    def those_while(self, span: Span, name: str, domain: Expression, where: Expression) -> expressions.Those:
        return expressions.Those(expressions.Binder(name, domain, where, span=span), expressions.Limit.WHILE, span=span)

    def closed(self, whole: Span, left: Expression) -> None:
        """Refuse an open form as the left operand: `every c in xs: a = b = c` has no meaning."""
        bare = (left.span.line, left.span.column) == (whole.line, whole.column)
        if bare and isinstance(left, expressions.OpenForm):
            self.sink.error(
                "RW014",
                "it is ambiguous where the left operand ends",
                left.span,
                help="put it in parentheses",
            )


def given(items: tuple[Expression | None, ...]) -> tuple[Expression, ...]:
    """The expressions that are not None."""
    return tuple(item for item in items if item is not None)
