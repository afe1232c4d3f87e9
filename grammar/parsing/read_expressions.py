"""The nodes of expressions."""

from __future__ import annotations

from typing import Any, ClassVar

from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.expressions import Expression, Extreme, Limit

from .node_builder import NodeBuilder, NodeClasses, inside, made


class ExpressionBuilder(NodeBuilder):
    """Builds the nodes of `expressions.lark`."""

    NODES: ClassVar[NodeClasses] = {
        "number": expressions.NumberLiteral,
        "true": made(expressions.TruthLiteral, "", value=True),
        "false": made(expressions.TruthLiteral, "", value=False),
        "name": expressions.Name,
        "call": made(expressions.Call, "function *arguments"),
        "owned": expressions.Subscript,
        "cell_literal": made(expressions.CellLiteral, "*coordinate"),
        "set_of": made(expressions.SetLiteral, "*items"),
        "negated": expressions.Not,
        "negative": expressions.Negation,
        "disjunction": made(expressions.Or, "*parts"),
        "conjunction": made(expressions.And, "*parts"),
        "compared": made(expressions.Compare, "left operator right", operator=expressions.Comparison),
        "contained": expressions.Membership,
        "left_out": inside(expressions.Not, expressions.Membership),
        "having": expressions.Has,
        "absent": expressions.IsNone,
        "present": inside(expressions.Not, expressions.IsNone),
        "pointing": expressions.Arrow,
        "ranging": expressions.Interval,
        "binder": expressions.Binder,
        "several": made(expressions.Binder, "name domain rest"),
        "quantified": made(expressions.Quantified, "quantifier binder body", quantifier=expressions.Quantifier),
        "counted": expressions.Count,
        "summed": expressions.Sum,
        "extreme_of": made(expressions.ExtremeOf, "extreme value binder", extreme=Extreme),
        "extreme_by": made(expressions.ExtremeBy, "extreme binder by", extreme=Extreme),
        "first": made(expressions.ExtremeBy, "binder", extreme=Extreme.LEAST, by=None),
        "those": expressions.Those,
        "those_until": inside(made(expressions.Those, "binder", limit=Limit.UNTIL), expressions.Binder),
        "those_while": inside(made(expressions.Those, "binder", limit=Limit.WHILE), expressions.Binder),
        "gathered": expressions.Image,
        "closure": expressions.Closure,
        "if_else": expressions.If,
        "let": expressions.Let,
    }
    CLOSED: ClassVar[frozenset[str]] = frozenset(
        ("compared", "contained", "left_out", "having", "absent", "present", "pointing", "ranging")
    )

    def dotted(self, span: Span, *parts: str) -> str:
        return "".join(parts)

    def paired(self, span: Span, first: Expression, second: Expression) -> expressions.Subscript | expressions.Paired:
        if isinstance(first, expressions.Name):
            return expressions.Subscript(first.text, second, span=span)
        return expressions.Paired(first, second, span=span)

    def arithmetic(self, span: Span, first: Expression, *rest: str | Expression) -> expressions.Arithmetic:
        pairs = zip(rest[::2], rest[1::2], strict=True)
        return expressions.Arithmetic(first, tuple((expressions.Operator(sign), term) for sign, term in pairs), span=span)  # type: ignore[misc]

    def refuse_open(self, whole: Span, first: Any) -> None:
        """Refuse an open form as the left operand: `every c in xs: a = b = c` has no meaning."""
        bare = (first.span.line, first.span.column) == (whole.line, whole.column)
        if bare and isinstance(first, expressions.OpenForm):
            self.sink.error(
                "RW014",
                "it is ambiguous where the left operand ends",
                first.span,
                help="put it in parentheses",
            )
