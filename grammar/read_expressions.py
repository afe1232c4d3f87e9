"""The nodes of expressions."""

from __future__ import annotations

from . import expressions as e
from .building import Builder, Dotted
from .expressions import Expression
from .spans import Span

_OPEN_FORMS = (e.Quantified, e.Counted, e.Summed, e.ExtremeOf, e.ExtremeBy, e.Those, e.Gathered, e.Closure, e.If)


class ExpressionBuilder(Builder):
    """A method for every rule of `expressions.lark`."""

    def dotted(self, span: Span, *parts: str) -> Dotted:
        return Dotted("".join(parts), span)

    def number(self, span: Span, value: int) -> e.Number:
        return e.Number(value, span=span)

    def true(self, span: Span) -> e.TruthLiteral:
        return e.TruthLiteral(True, span=span)

    def false(self, span: Span) -> e.TruthLiteral:
        return e.TruthLiteral(False, span=span)

    def name(self, span: Span, name: Dotted) -> e.Name:
        return e.Name(name.text, span=span)

    def call(self, span: Span, function: Dotted, *arguments: Expression | None) -> e.Call:
        return e.Call(function.text, _given(arguments), span=span)

    def owned(self, span: Span, name: Dotted, index: Expression) -> e.Of:
        return e.Of(name.text, index, span=span)

    def set_of(self, span: Span, *items: Expression | None) -> e.SetOf:
        return e.SetOf(_given(items), span=span)

    def negated(self, span: Span, operand: Expression) -> e.Not:
        return e.Not(operand, span=span)

    def negative(self, span: Span, operand: Expression) -> e.Negative:
        return e.Negative(operand, span=span)

    def disjunction(self, span: Span, *parts: Expression) -> e.Or:
        return e.Or(parts, span=span)

    def conjunction(self, span: Span, *parts: Expression) -> e.And:
        return e.And(parts, span=span)

    def compared(self, span: Span, left: Expression, sign: str, right: Expression) -> e.Compare:
        self.closed(span, left)
        return e.Compare(e.Comparison(sign), left, right, span=span)

    def contained(self, span: Span, item: Expression, domain: Expression) -> e.In:
        self.closed(span, item)
        return e.In(item, domain, span=span)

    def left_out(self, span: Span, item: Expression, domain: Expression) -> e.Not:
        return e.Not(self.contained(span, item, domain), span=span)

    def having(self, span: Span, piece: Expression, marker: e.Name) -> e.Has:
        self.closed(span, piece)
        return e.Has(piece, marker, span=span)

    def arithmetic(self, span: Span, first: Expression, *rest: str | Expression) -> e.Arithmetic:
        pairs = zip(rest[::2], rest[1::2], strict=True)
        return e.Arithmetic(first, tuple((e.Operator(sign), term) for sign, term in pairs), span=span)  # type: ignore[misc]

    def pointing(self, span: Span, start: Expression, end: Expression) -> e.Arrow:
        self.closed(span, start)
        return e.Arrow(start, end, span=span)

    def ranging(self, span: Span, low: Expression, high: Expression) -> e.Range:
        self.closed(span, low)
        return e.Range(low, high, span=span)

    def binder(self, span: Span, name: str, domain: Expression, where: Expression | None) -> e.Binder:
        return e.Binder(name, domain, where, span=span)

    def quantified(self, span: Span, word: str, binder: e.Binder, body: Expression) -> e.Quantified:
        return e.Quantified(e.Quantifier(word), binder, body, span=span)

    def counted(self, span: Span, binder: e.Binder) -> e.Counted:
        return e.Counted(binder, span=span)

    def summed(self, span: Span, value: Expression, binder: e.Binder) -> e.Summed:
        return e.Summed(value, binder, span=span)

    def extreme_of(self, span: Span, word: str, value: Expression, binder: e.Binder) -> e.ExtremeOf:
        return e.ExtremeOf(e.Extreme(word), value, binder, span=span)

    def extreme_by(self, span: Span, word: str, binder: e.Binder, by: Expression) -> e.ExtremeBy:
        return e.ExtremeBy(e.Extreme(word), binder, by, span=span)

    def those(self, span: Span, binder: e.Binder) -> e.Those:
        return e.Those(binder, span=span)

    def gathered(self, span: Span, value: Expression, binder: e.Binder) -> e.Gathered:
        return e.Gathered(value, binder, span=span)

    def closure(self, span: Span, start: Expression, origin: str, binder: e.Binder) -> e.Closure:
        return e.Closure(start, origin, binder, span=span)

    def if_else(self, span: Span, condition: Expression, then: Expression, otherwise: Expression) -> e.If:
        return e.If(condition, then, otherwise, span=span)

    def closed(self, whole: Span, left: Expression) -> None:
        """Refuse a form that reaches to the right as the left side: `every c in xs: a = b = c` has no meaning."""
        bare = (left.span.line, left.span.column) == (whole.line, whole.column)
        if bare and isinstance(left, _OPEN_FORMS):
            self.sink.error(
                "RW014",
                "it is not clear how far the part on the left reaches",
                left.span,
                help="put parentheses around it",
            )


def _given(items: tuple[Expression | None, ...]) -> tuple[Expression, ...]:
    return tuple(item for item in items if item is not None)
