"""The nodes of single lines of statements and flow. A body that is empty stands in the block below the line."""

from __future__ import annotations

from . import statements as s
from .building import Dotted
from .classes import frozen
from .expressions import Binder, Expression, Name, Of
from .read_expressions import ExpressionBuilder
from .spans import Span


@frozen
class Text:
    """A line that is a quoted text."""

    text: str
    span: Span


@frozen
class Cite:
    """`cite bp.place.matching`"""

    clause: str
    span: Span


@frozen
class LabelHead:
    """`muster:` with its statement in the block below."""

    label: str
    span: Span


@frozen
class Otherwise:
    """`else:`; without a statement it opens a block."""

    body: tuple[s.Labelled, ...]
    span: Span


@frozen
class FlowOtherwise:
    """`else:` in the flow."""

    body: tuple[s.FlowStatement, ...]
    span: Span


class StatementBuilder(ExpressionBuilder):
    """A method for every rule of `statements.lark`."""

    def text(self, span: Span, text: str) -> Text:
        return Text(text, span)

    def cite(self, span: Span, clause: Dotted) -> Cite:
        return Cite(clause.text, span)

    def labelled(self, span: Span, label: str | None, statement: s.Statement, cite: Cite | None) -> s.Labelled:
        return s.Labelled(label or "", statement, clause_of(cite), span=span)

    def statement_line(self, span: Span, line: Text | Cite) -> Text | Cite:
        return line

    def label_head(self, span: Span, label: str) -> LabelHead:
        return LabelHead(label, span)

    def otherwise(self, span: Span, body: s.Statement | None = None) -> Otherwise:
        return Otherwise(_inline(body), span)

    def put(self, span: Span, piece: Expression, cell: Expression, source: Expression | None) -> s.Put:
        return s.Put(piece, cell, source, span=span)

    def take(self, span: Span, cell: Expression, zone: Expression) -> s.Take:
        return s.Take(cell, zone, span=span)

    def slide(self, span: Span, cell: Expression, target: Expression) -> s.Slide:
        return s.Slide(cell, target, span=span)

    def move(
        self, span: Span, everything: str | None, piece: Expression, zone: Expression, source: Expression | None
    ) -> s.Move:
        return s.Move(piece, zone, source, everything is not None, span=span)

    def deal(self, span: Span, number: Expression, source: Expression, zone: Expression) -> s.Deal:
        return s.Deal(number, source, zone, span=span)

    def shuffle(self, span: Span, zone: Expression) -> s.Shuffle:
        return s.Shuffle(zone, span=span)

    def assign(self, span: Span, target: Name | Of, sign: str, value: Expression) -> s.Assign:
        return s.Assign(target, s.Assignment(sign), value, span=span)

    def stop(self, span: Span, word: str) -> s.Stop:
        return s.Stop(span=span)

    def finish(self, span: Span) -> s.Finish:
        return s.Finish(span=span)

    def do(self, span: Span, procedure: str) -> s.Do:
        return s.Do(procedure, span=span)

    def for_each(self, span: Span, binder: Binder, body: s.Statement | None = None) -> s.ForEach:
        return s.ForEach(binder, _inline(body), span=span)

    def when(self, span: Span, condition: Expression, body: s.Statement | None = None) -> s.When:
        return s.When(condition, _inline(body), span=span)

    # Flow

    def flow_line(self, span: Span, statement: s.FlowStatement) -> s.FlowStatement:
        return statement

    def flow_otherwise(self, span: Span, *body: s.FlowStatement) -> FlowOtherwise:
        return FlowOtherwise(body, span)

    def run(self, span: Span, procedure: str) -> s.Run:
        return s.Run(procedure, span=span)

    def repeat(self, span: Span, until: Expression | None, *body: s.FlowStatement) -> s.Repeat:
        return s.Repeat(until, body, span=span)

    def each(
        self,
        span: Span,
        name: str,
        domain: Expression,
        start: Expression | None,
        where: Expression | None,
        *body: s.FlowStatement,
    ) -> s.Each:
        return s.Each(name, domain, start, body, where, span=span)

    def branch(self, span: Span, condition: Expression, *body: s.FlowStatement) -> s.Branch:
        return s.Branch(condition, body, span=span)

    def point(self, span: Span, name: str, *body: s.FlowStatement) -> s.Point:
        return s.Point(name, body, span=span)

    def choices(self, span: Span, *words: str | None) -> tuple[tuple[str, ...], bool]:
        names = tuple(word for word in words if word is not None and word != "stop")
        return names, "stop" in words

    def choose(self, span: Span, choices: tuple[tuple[str, ...], bool], by: Expression | None) -> s.Choose:
        return s.Choose(*choices, by, span=span)


def clause_of(cite: Cite | None) -> str:
    """The clause that a cite names; empty when there is none."""
    return cite.clause if cite else ""


def _inline(body: s.Statement | None) -> tuple[s.Labelled, ...]:
    return () if body is None else (s.Labelled("", body, span=body.span),)
