"""Blocks of lines put together: what is common to modules and puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from lark import UnexpectedInput

from . import statements as s
from .classes import define
from .diagnostics import Sink
from .layout import Line, Source
from .limits import Limits
from .read_modules import ModuleBuilder
from .read_statements import Cite, FlowOtherwise, LabelHead, Otherwise, Text
from .spans import Span
from .syntax import Kind, parse

# Items that mean something without a block.
_MAY_BE_EMPTY = ("module ", "action ")


@define
class Assembler:
    """Reads the lines of one text. A line that cannot be read is reported and left out."""

    source: Source
    sink: Sink
    limits: Limits
    builder: ModuleBuilder

    def read(self, line: Line, kind: Kind, whole: bool = False) -> Any:
        """The node of a line, or with `whole` of the line and its block taken as one line; None when it was refused."""
        start, end = line.start, line.last if whole else line.end
        if line.opens and not line.block and not self.source.code.startswith(_MAY_BE_EMPTY, start):
            self.sink.error(
                "RW005",
                "the line ends in a colon, but nothing stands below it",
                self.source.span(end - 1, end),
                help="indent the lines that belong to it by four columns, or delete the colon",
            )
            return None
        try:
            tree = parse(self.source.code[start:end], kind)
        except UnexpectedInput as error:
            from .complaints import complain

            complain(error, kind, self.source, (start, end), self.sink)
            return None
        return self.builder.build(tree, start)

    def read_all(self, lines: list[Line], kind: Kind) -> Iterator[tuple[Line, Any]]:
        """The nodes of the lines that can be read."""
        for line in lines:
            node = self.read(line, kind)
            if node is not None:
                yield line, node

    def span(self, line: Line) -> Span:
        """The stretch of a line and its block."""
        return self.source.span(line.start, line.last)

    def once(self, said: Any, line: Line, what: str) -> None:
        """Report a line that says again what an earlier line of its block said."""
        if said:
            self.sink.error("RW016", f"{what} is given twice", self.source.span(line.start, line.end), help="delete one")

    # Statements

    def statements(self, lines: list[Line]) -> tuple[tuple[s.Labelled, ...], str, str]:
        """The statements of a block, its text and its cite."""
        body: list[s.Labelled] = []
        text = cite = ""
        for line, node in self.read_all(lines, Kind.STATEMENT):
            match node:
                case Text(said):
                    self.once(text, line, "the text")
                    text = said
                case Cite(clause):
                    self.once(cite, line, "the cite")
                    cite = clause
                case Otherwise():
                    self._attach_else(body, line, node)
                case LabelHead() | s.Labelled():
                    body.extend(self.labelled(line, node))
        return tuple(body), text, cite

    def labelled(self, line: Line, node: LabelHead | s.Labelled) -> Iterator[s.Labelled]:
        """A statement with its block."""
        span = self.span(line)
        body, cite = self._body(line)
        if isinstance(node, LabelHead):
            if statement := self.only(body, line):
                yield s.Labelled(node.label, statement.statement, cite or statement.cite, span=span)
        elif line.opens:
            yield attrs.evolve(node, statement=_filled(node.statement, body, span), cite=cite, span=span)
        else:
            yield node

    def _body(self, line: Line) -> tuple[tuple[s.Labelled, ...], str]:
        body, text, cite = self.statements(line.block)
        if text:
            message = "a text describes a whole item, not a part of it"
            self.sink.error("RW010", message, self.span(line), help="write a comment, `# …`")
        return body, cite

    def only(self, body: tuple[s.Labelled, ...], line: Line) -> s.Labelled | None:
        """The one statement of a labelled block."""
        if len(body) > 1:
            more = body[1].span
            self.sink.error("RW017", "a label names one statement", more, help="give each statement a label of its own")
        return body[0] if body else None

    def _attach_else(self, body: list[s.Labelled], line: Line, node: Otherwise) -> None:
        last = body[-1] if body else None
        if last is None or not isinstance(last.statement, s.When) or last.statement.otherwise:
            self.stray_else(node.span)
            return
        otherwise = self._body(line)[0] if line.opens else node.body
        span = last.span.to(self.span(line))
        when = attrs.evolve(last.statement, otherwise=otherwise, span=last.statement.span.to(span))
        body[-1] = attrs.evolve(last, statement=when, span=span)

    def stray_else(self, span: Span) -> None:
        self.sink.error(
            "RW018", "there is no `if` for this `else`", span, help="put it right below an `if` line, as deep as that"
        )

    # Flow

    def flow(self, lines: list[Line]) -> tuple[s.FlowStatement, ...]:
        """The flow statements of a block."""
        body: list[s.FlowStatement] = []
        for line, node in self.read_all(lines, Kind.FLOW):
            match node:
                case FlowOtherwise():
                    self._attach_flow_else(body, line, node)
                case _:
                    body.append(_filled_flow(node, self.flow(line.block), self.span(line)) if line.opens else node)
        return tuple(body)

    def _attach_flow_else(self, body: list[s.FlowStatement], line: Line, node: FlowOtherwise) -> None:
        last = body[-1] if body else None
        if not isinstance(last, s.Branch) or last.otherwise:
            self.stray_else(node.span)
            return
        otherwise = self.flow(line.block) if line.opens else node.body
        body[-1] = attrs.evolve(last, otherwise=otherwise, span=last.span.to(self.span(line)))


def _filled(statement: s.Statement, body: tuple[s.Labelled, ...], span: Span) -> s.Statement:
    """The statement of an opening line with the block below as the body of its innermost loop or branch."""
    if not isinstance(statement, s.ForEach | s.When):
        return statement
    span = statement.span.to(span)
    if statement.body:
        inner = statement.body[0]
        body = (attrs.evolve(inner, statement=_filled(inner.statement, body, span), span=inner.span.to(span)),)
    return attrs.evolve(statement, body=body, span=span)


def _filled_flow(statement: s.FlowStatement, body: tuple[s.FlowStatement, ...], span: Span) -> s.FlowStatement:
    if isinstance(statement, s.Run | s.Choose):
        return statement
    span = statement.span.to(span)
    if statement.body:
        body = (_filled_flow(statement.body[0], body, span),)
    return attrs.evolve(statement, body=body, span=span)
