"""Prints statements and flow as rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulewright.base.records import evolve
from rulewright.grammar.tree import statements
from rulewright.grammar.tree.expressions import Expression

from .print_expressions import print_binder, print_expression, print_list, print_range
from .rows import INDENT, PrintedRow

FITS = 100  # in characters: a loop or branch with one statement at most this long is printed on one line


def print_statement(statement: statements.Statement) -> str:
    """The statement on one line, or the opening line of a loop or branch with a block."""
    return _inline(statement) or _opening(statement)


def labelled_rows(labelled: statements.Labelled, indent: int, head: str, blanks: int = 1) -> Iterator[PrintedRow]:
    """A statement after its `head` (`effect lay:`, `mix:`, or nothing), with its block and its cite."""
    statement, span = labelled.statement, labelled.span
    cite = f"cite {labelled.cite}" if labelled.cite else ""
    prefix = head + " " * blanks if head else ""
    inline = _inline(statement)
    if inline is not None and not (cite and isinstance(statement, statements.ForEach | statements.When) and not head):
        yield PrintedRow(indent, prefix + inline, span, tail=cite)
        return
    if isinstance(statement, statements.Block):
        yield PrintedRow(indent, head, span)
        if cite:
            yield PrintedRow(indent + INDENT, cite, span, vague=True)
        yield from statement_rows(statement.body, indent + INDENT)
        return
    if head and isinstance(statement, statements.When) and statement.otherwise:
        yield PrintedRow(indent, head, span)
        indent, prefix = indent + INDENT, ""
        if cite:
            yield PrintedRow(indent, cite, span, vague=True)
            cite = ""
        span = statement.span
    yield PrintedRow(indent, prefix + _opening(statement), span)
    if cite:
        yield PrintedRow(indent + INDENT, cite, span, vague=True)
    if isinstance(statement, statements.ForEach | statements.When):
        yield from statement_rows(statement.body, indent + INDENT)
    if isinstance(statement, statements.When) and statement.otherwise:
        yield PrintedRow(indent, "else:", span, vague=True)
        yield from statement_rows(statement.otherwise, indent + INDENT)


def statement_rows(body: tuple[statements.Labelled, ...], indent: int) -> Iterator[PrintedRow]:
    """The statements of a block, aligned in one column after their labels."""
    width = max((len(labelled.label) for labelled in body if labelled.label), default=0)
    for labelled in body:
        head = f"{labelled.label}:" if labelled.label else ""
        yield from labelled_rows(labelled, indent, head, width - len(labelled.label) + 1)


def print_effect(statement: statements.Put | statements.Move) -> str:
    """An effect on one line."""
    return _inline(statement) or ""


def _inline(statement: statements.Statement) -> str | None:  # noqa: PLR0912
    """The statement if it fits on one line; else None."""
    match statement:
        case statements.Put(piece, cell, source, turned):
            turns = "" if turned is None else f" turned {print_expression(turned)}"
            return f"put {print_expression(piece)} at {print_expression(cell)}{turns}{_from(source)}"
        case statements.Take(cell, zone):
            return f"take {print_expression(cell)} to {print_expression(zone)}"
        case statements.Slide(cell, target):
            return f"slide {print_expression(cell)} to {print_expression(target)}"
        case statements.Move(piece, zone, source, everything):
            every = "all " if everything else ""
            return f"move {every}{print_expression(piece)} to {print_expression(zone)}{_from(source)}"
        case statements.Deal(number, source, zone):
            return f"deal {print_expression(number)}{_from(source)} to {print_expression(zone)}"
        case statements.Shuffle(zone):
            return f"shuffle {print_expression(zone)}"
        case statements.Draw(target, source):
            return f"draw {print_expression(target)} from {print_expression(source)}"
        case statements.Roll(target):
            return f"roll {print_expression(target)}"
        case statements.Assign(target, assignment, value):
            return f"{print_expression(target)} {assignment.value} {print_expression(value)}"
        case statements.AddElement(element, target):
            return f"add {print_expression(element)} to {print_expression(target)}"
        case statements.RemoveElement(element, target):
            return f"remove {print_expression(element)} from {print_expression(target)}"
        case statements.Clear(target):
            return f"clear {print_expression(target)}"
        case statements.Let(name, value):
            return f"let {name} = {print_expression(value)}"
        case statements.Stop():
            return "stop"
        case statements.Finish():
            return "end game"
        case statements.Do(procedure, arguments):
            return f"do {procedure}{_given(arguments)}"
        case statements.ForEach() | statements.When():
            return _inline_block(statement)
        case statements.Block():
            return None
        case _:
            assert_never(statement)


def _inline_block(statement: statements.ForEach | statements.When) -> str | None:
    if len(statement.body) != 1 or (isinstance(statement, statements.When) and statement.otherwise):
        return None
    only = statement.body[0]
    inner = None if only.label or only.cite else _inline(only.statement)
    text = f"{_opening(statement)} {inner}"
    return text if inner and len(text) <= FITS else None


def _opening(statement: statements.Statement) -> str:
    match statement:
        case statements.ForEach(binder):
            return f"for {print_binder(binder)}:"
        case statements.When(condition):
            return f"if {print_expression(condition)}:"
        case _:
            return _inline(statement) or ""


def _from(source: Expression | None) -> str:
    return f" from {print_expression(source)}" if source is not None else ""


def _given(arguments: tuple[Expression, ...]) -> str:
    return f"({print_list(arguments)})" if arguments else ""


# Flow


def flow_rows(body: tuple[statements.FlowStatement, ...], indent: int) -> Iterator[PrintedRow]:
    """The flow statements of a block."""
    for statement in body:
        yield from _flow_rows(statement, indent)


def _flow_rows(statement: statements.FlowStatement, indent: int) -> Iterator[PrintedRow]:
    inline = _flow_inline(statement)
    if inline is not None:
        yield PrintedRow(indent, inline, statement.span)
        return
    if isinstance(statement, statements.Run | statements.Choose):
        return
    yield PrintedRow(indent, _flow_opening(statement), statement.span)
    yield from flow_rows(statement.body, indent + INDENT)
    if isinstance(statement, statements.Branch) and statement.otherwise:
        yield PrintedRow(indent, "else:", statement.span, vague=True)
        yield from flow_rows(statement.otherwise, indent + INDENT)


def _flow_inline(statement: statements.FlowStatement) -> str | None:
    match statement:
        case statements.Run(procedure, arguments):
            return procedure + _given(arguments)
        case statements.Choose(actions, stop, by):
            return f"choose {_choices(actions, stop)}{f' by {print_expression(by)}' if by is not None else ''}"
        case (
            statements.Repeat(body=(statements.Choose() | statements.Run() as only,))
            | statements.Branch(body=(statements.Choose() | statements.Run() as only,), otherwise=())
        ):
            text = f"{_flow_opening(statement)} {_flow_inline(only)}"
            return text if len(text) <= FITS else None
        case statements.Repeat() | statements.Branch() | statements.Each() | statements.Point():
            return None
        case _:
            assert_never(statement)


def _choices(actions: tuple[str, ...], stop: bool) -> str:
    names = ", ".join(actions)
    if not stop:
        return names
    return f"{names}{',' if len(actions) > 1 else ''} or stop" if actions else "stop"


def _flow_opening(statement: statements.Repeat | statements.Each | statements.Branch | statements.Point) -> str:
    match statement:
        case statements.Repeat(until):
            return f"repeat until {print_expression(until)}:" if until is not None else "repeat:"
        case statements.Each(name, domain, start, where=where):
            first = f" from {print_range(start)}" if start is not None else ""
            condition = f" where {print_expression(where)}" if where is not None else ""
            return f"for {name} in {print_range(domain)}{first}{condition}:"
        case statements.Branch(condition):
            return f"if {print_expression(condition)}:"
        case statements.Point(name):
            return f"{name}:"
        case _:
            assert_never(statement)


def behind(rows: Iterator[PrintedRow], gap: bool) -> Iterator[PrintedRow]:
    """The rows; with `gap`, the first asks for a blank line above it."""
    for number, row in enumerate(rows):
        yield evolve(row, gap=gap) if number == 0 else row
