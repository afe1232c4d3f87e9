"""Assembles nodes from lines and their blocks: the base of the assemblers of modules and puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lark import Token, Tree, UnexpectedInput, UnexpectedToken

from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import statements as st

from .lalr import parse
from .line_kinds import LineKind
from .lines import LogicalLine, TextReader
from .node_builder import Property
from .read_modules import ModuleBuilder
from .read_statements import ElseLine, FlowElseLine, LabelHead

# Items that may lack a block.
_MAY_BE_EMPTY = ("module ", "action ", "base action ")


LineParser = Callable[[str, LineKind], "Tree[Token]"]
"""Returns the parse tree of one logical line. Raises `lark.UnexpectedInput`."""


def _breaks_an_expression(error: UnexpectedInput) -> bool:
    """Whether a line that opens a block ends in the colon of an expression, as `every c in field:` does."""
    return isinstance(error, UnexpectedToken) and error.token.type == "_OPENS" and "COLON" in error.expected


@frozen
class ReadLine:
    """A logical line with the kind it was read as, and its parse tree; None if it was refused."""

    line: LogicalLine
    kind: LineKind
    tree: Tree[Token] | None


@define
class Assembler(TextReader):
    """Reads the lines of one text. A line that cannot be read is reported and left out.

    `read_lines` are the lines examined, by offset.
    """

    builder: ModuleBuilder
    parse_line: LineParser = field(default=parse, kw_only=True)
    read_lines: dict[int, ReadLine] = field(factory=dict, init=False)

    def read(self, line: LogicalLine, kind: LineKind, whole: bool = False) -> Any:
        """The node of a line, or with `whole` of the line and its block taken as one line; None if it was refused."""
        start, end = line.start, line.last if whole else line.end
        self.read_lines[start] = ReadLine(line, kind, None)
        if line.opens and not line.block and not self.source.code.startswith(_MAY_BE_EMPTY, start):
            self.sink.error(
                "RW005",
                "the block after this colon is empty",
                self.source.span(end - 1, end),
                help="indent its lines by four columns, or delete the colon",
            )
            return None
        try:
            tree = self.parse_line(self.source.code[start:end], kind)
        except UnexpectedInput as error:
            if not whole and line.block and _breaks_an_expression(error):
                line.take_in_block()
                return self.read(line, kind)
            from .syntax_errors import report_syntax_error

            report_syntax_error(error, kind, self.source, (start, end), self.sink)
            return None
        self.read_lines[start] = ReadLine(line, kind, tree)
        return self.builder.build(tree, start)

    def read_all(self, lines: list[LogicalLine], kind: LineKind) -> Iterator[tuple[LogicalLine, Any]]:
        """The nodes of the lines that can be read."""
        for line in lines:
            node = self.read(line, kind)
            if node is not None:
                yield line, node

    def span(self, line: LogicalLine) -> Span:
        """The span of a line and its block."""
        return self.source.span(line.start, line.last)

    def keep(self, said: dict[str, Any], what: str, value: object, line: LogicalLine) -> None:
        """Keep an entry that a block may have once. Reports RW016 if an earlier line of the block has it."""
        if what in said:
            span = self.source.span(line.start, line.end)
            self.sink.error("RW016", f"the {what} is given twice", span, help="delete one of the two")
        said[what] = value

    def without_notes(
        self, nodes: Iterable[tuple[LogicalLine, Any]], said: dict[str, Any]
    ) -> Iterator[tuple[LogicalLine, Any]]:
        """The nodes of a block except its text and its cite, which are kept in `said`."""
        for line, node in nodes:
            if isinstance(node, Property):
                self.keep(said, node.field, node.value, line)
            else:
                yield line, node

    # Statements

    def statements(self, lines: list[LogicalLine], said: dict[str, Any]) -> tuple[st.Labelled, ...]:
        """The statements of a block; its text and cite are kept in `said`."""
        body: list[st.Labelled] = []
        for line, node in self.without_notes(self.read_all(lines, LineKind.STATEMENT), said):
            if isinstance(node, ElseLine):
                self._attach_else(body, line, node)
            else:
                body.extend(self.labelled(line, node))
        return tuple(body)

    def labelled(self, line: LogicalLine, node: LabelHead | st.Labelled) -> Iterator[st.Labelled]:
        """A statement with its block."""
        span = self.span(line)
        body, cite = self._body(line)
        if isinstance(node, LabelHead):
            if len(body) > 1:
                yield st.Labelled(node.label, st.Block(body, span=body[0].span.to(body[-1].span)), cite, span=span)
            elif body:
                yield st.Labelled(node.label, body[0].statement, cite or body[0].cite, span=span)
        elif line.opens:
            yield evolve(node, statement=_filled(node.statement, body, span), cite=cite, span=span)
        else:
            yield node

    def _body(self, line: LogicalLine) -> tuple[tuple[st.Labelled, ...], str]:
        said: dict[str, Any] = {}
        body = self.statements(line.block, said)
        if "text" in said:
            message = "a description is not allowed here: it describes a whole item"
            self.sink.error("RW010", message, self.span(line), help="write a comment instead: `# …`")
        return body, said.get("cite", "")

    def _attach_else(self, body: list[st.Labelled], line: LogicalLine, node: ElseLine) -> None:
        last = body[-1] if body else None
        if last is None or not isinstance(last.statement, st.When) or last.statement.otherwise:
            self.stray_else(node.span)
            return
        otherwise = self._body(line)[0] if line.opens else node.body
        span = last.span.to(self.span(line))
        when = evolve(last.statement, otherwise=otherwise, span=last.statement.span.to(span))
        body[-1] = evolve(last, statement=when, span=span)

    def stray_else(self, span: Span) -> None:
        self.sink.error(
            "RW018",
            "this `else` has no matching `if`",
            span,
            help="put it directly below the block of an `if`, at the same indentation",
        )

    # Flow

    def flow(self, lines: list[LogicalLine], said: dict[str, Any] | None = None) -> tuple[st.FlowStatement, ...]:
        """The flow statements of a block; its text and cite are kept in `said`. Reports RW010 if it may not have one."""
        body: list[st.FlowStatement] = []
        for line, node in self.read_all(lines, LineKind.FLOW):
            match node:
                case FlowElseLine():
                    self._attach_flow_else(body, line, node)
                case Property(what, value) if said is not None:
                    self.keep(said, what, value, line)
                case Property(what):
                    self.sink.error(
                        "RW010", f"a {what} is not allowed here in the flow", node.span, help="write a comment instead: `# …`"
                    )
                case _:
                    body.append(_filled_flow(node, self.flow(line.block), self.span(line)) if line.opens else node)
        return tuple(body)

    def _attach_flow_else(self, body: list[st.FlowStatement], line: LogicalLine, node: FlowElseLine) -> None:
        last = body[-1] if body else None
        if not isinstance(last, st.Branch) or last.otherwise:
            self.stray_else(node.span)
            return
        otherwise = self.flow(line.block) if line.opens else node.body
        body[-1] = evolve(last, otherwise=otherwise, span=last.span.to(self.span(line)))


def _filled(statement: st.Statement, body: tuple[st.Labelled, ...], span: Span) -> st.Statement:
    """The statement of an opening line with the block below as the body of its innermost loop or branch."""
    if not isinstance(statement, st.ForEach | st.When):
        return statement
    span = statement.span.to(span)
    if statement.body:
        inner = statement.body[0]
        body = (evolve(inner, statement=_filled(inner.statement, body, span), span=inner.span.to(span)),)
    return evolve(statement, body=body, span=span)


def _filled_flow(statement: st.FlowStatement, body: tuple[st.FlowStatement, ...], span: Span) -> st.FlowStatement:
    if isinstance(statement, st.Run | st.Choose):
        return statement
    span = statement.span.to(span)
    if statement.body:
        body = (_filled_flow(statement.body[0], body, span),)
    return evolve(statement, body=body, span=span)
