"""The nodes of single lines of statements and flow. An empty body is filled from the block below the line."""

from __future__ import annotations

from typing import ClassVar

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import statements
from rulewright.grammar.tree.expressions import Binder, Expression, Name, Subscript

from .node_builder import NodeClasses
from .read_expressions import ExpressionBuilder, given


@frozen
class TextLine(Located):
    """A line that is a quoted text."""

    text: str


@frozen
class CiteLine(Located):
    """`cite bp.place.matching`"""

    clause: str


@frozen
class LabelHead(Located):
    """`muster:` with its statement in the block below."""

    label: str


@frozen
class ElseLine(Located):
    """`else:`; without a statement it opens a block."""

    body: tuple[statements.Labelled, ...]


@frozen
class FlowElseLine(Located):
    """`else:` in the flow."""

    body: tuple[statements.FlowStatement, ...]


class StatementBuilder(ExpressionBuilder):
    """Builds the nodes of `statements.lark`."""

    NODES: ClassVar[NodeClasses] = {
        **ExpressionBuilder.NODES,
        "text": TextLine,
        "cite": CiteLine,
        "label_head": LabelHead,
        "take": statements.Take,
        "slide": statements.Slide,
        "deal": statements.Deal,
        "shuffle": statements.Shuffle,
        "draw": statements.Draw,
        "roll": statements.Roll,
        "add_element": statements.AddElement,
        "remove_element": statements.RemoveElement,
        "clear": statements.Clear,
        "local": statements.Let,
        "finish": statements.Finish,
    }

    def stop(self, span: Span, word: str) -> statements.Stop:
        return statements.Stop(span=span)

    def labelled(
        self, span: Span, label: str | None, statement: statements.Statement, cite: CiteLine | None
    ) -> statements.Labelled:
        return statements.Labelled(label or "", statement, clause_of(cite), span=span)

    def otherwise(self, span: Span, body: statements.Statement | None = None) -> ElseLine:
        return ElseLine(_inline(body), span=span)

    def move(
        self, span: Span, everything: str | None, piece: Expression, zone: Expression, source: Expression | None
    ) -> statements.Move:
        return statements.Move(piece, zone, source, everything is not None, span=span)

    def put(
        self,
        span: Span,
        piece: Expression,
        cell: Expression,
        word: str | None,
        turned: Expression | None,
        source: Expression | None,
    ) -> statements.Put:
        return statements.Put(piece, cell, source, turned, span=span)

    def assign(self, span: Span, target: Name | Subscript, sign: str, value: Expression) -> statements.Assign:
        return statements.Assign(target, statements.Assignment(sign), value, span=span)

    def do(self, span: Span, procedure: str, *arguments: Expression | None) -> statements.Do:
        return statements.Do(procedure, given(arguments), span=span)

    def for_each(self, span: Span, binder: Binder, body: statements.Statement | None = None) -> statements.ForEach:
        return statements.ForEach(binder, _inline(body), span=span)

    def when(self, span: Span, condition: Expression, body: statements.Statement | None = None) -> statements.When:
        return statements.When(condition, _inline(body), span=span)

    # Flow

    def run(self, span: Span, procedure: str, *arguments: Expression | None) -> statements.Run:
        return statements.Run(procedure, given(arguments), span=span)

    def flow_otherwise(self, span: Span, *body: statements.FlowStatement) -> FlowElseLine:
        return FlowElseLine(body, span=span)

    def repeat(self, span: Span, until: Expression | None, *body: statements.FlowStatement) -> statements.Repeat:
        return statements.Repeat(until, body, span=span)

    def each(
        self,
        span: Span,
        name: str,
        domain: Expression,
        start: Expression | None,
        where: Expression | None,
        *body: statements.FlowStatement,
    ) -> statements.Each:
        return statements.Each(name, domain, start, body, where, span=span)

    def branch(self, span: Span, condition: Expression, *body: statements.FlowStatement) -> statements.Branch:
        return statements.Branch(condition, body, span=span)

    def point(self, span: Span, name: str, *body: statements.FlowStatement) -> statements.Point:
        return statements.Point(name, body, span=span)

    def choices(self, span: Span, *words: str | None) -> tuple[tuple[str, ...], bool]:
        names = tuple(word for word in words if word is not None and word != "stop")
        return names, "stop" in words

    def choose(self, span: Span, choices: tuple[tuple[str, ...], bool], by: Expression | None) -> statements.Choose:
        return statements.Choose(*choices, by, span=span)


def clause_of(cite: CiteLine | None) -> str:
    """The clause that a cite names; empty if there is no cite."""
    return cite.clause if cite else ""


def _inline(body: statements.Statement | None) -> tuple[statements.Labelled, ...]:
    return () if body is None else (statements.Labelled("", body, span=body.span),)
