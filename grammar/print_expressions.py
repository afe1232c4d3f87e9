"""Expressions as text, with the parentheses they need and no others."""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from . import expressions as e
from .expressions import Expression


class Level(IntEnum):
    """How tightly a form binds: what is looser than its place wants parentheses."""

    DISJUNCTION = 0
    CONJUNCTION = 1
    NEGATION = 2
    COMPARISON = 3
    RANGE = 4
    SUM = 5
    PRODUCT = 6
    UNARY = 7
    ARROW = 8
    OWNED = 9
    ATOM = 10


_SUMS = (e.Operator.PLUS, e.Operator.MINUS)


def print_expression(expression: Expression) -> str:
    """The expression on one line."""
    return _at(expression, Level.DISJUNCTION)


def print_at(expression: Expression, level: Level) -> str:
    """The expression as the left side of something."""
    return _at(expression, level, last=False)


def print_range(expression: Expression) -> str:
    """The expression where a domain stands: nothing looser than `..` without parentheses."""
    return _at(expression, Level.RANGE, last=False)


def print_binder(binder: e.Binder) -> str:
    """`n in around(c) where occupied(n)`"""
    where = f" where {print_expression(binder.where)}" if binder.where is not None else ""
    return f"{binder.name} in {print_range(binder.domain)}{where}"


def _at(node: Expression, level: Level, last: bool = True) -> str:
    """The text of a node where `level` is wanted; `last` when nothing follows that an open form could swallow."""
    own, text = _print(node, last)
    return f"({text})" if own < level else text


def _print(node: Expression, last: bool) -> tuple[Level, str]:
    match node:
        case e.Number(value):
            return Level.ATOM, str(value)
        case e.TruthLiteral(value):
            return Level.ATOM, "yes" if value else "no"
        case e.Name(text):
            return Level.ATOM, text
        case e.Call(function, arguments):
            return Level.ATOM, f"{function}({', '.join(map(print_expression, arguments))})"
        case e.SetOf(items):
            return Level.ATOM, f"{{{', '.join(map(print_expression, items))}}}"
        case e.Of(name, index):
            return Level.OWNED, f"{name} of {_at(index, Level.OWNED, last=False)}"
        case e.Not(e.In(item, domain)):
            return _binary(Level.COMPARISON, item, "not in", domain, last)
        case e.Not(operand):
            return Level.NEGATION, f"not {_at(operand, Level.NEGATION, last)}"
        case e.Negative(operand):
            return Level.UNARY, f"-{_at(operand, Level.UNARY, last=False)}"
        case e.And(parts):
            return Level.CONJUNCTION, " and ".join(_operands(parts, Level.NEGATION, last))
        case e.Or(parts):
            return Level.DISJUNCTION, " or ".join(_operands(parts, Level.CONJUNCTION, last))
        case e.Compare(operator, left, right):
            return _binary(Level.COMPARISON, left, operator.value, right, last)
        case e.In(item, domain):
            return _binary(Level.COMPARISON, item, "in", domain, last)
        case e.Has(piece, marker):
            return Level.COMPARISON, f"{_at(piece, Level.RANGE, last=False)} has {marker.text}"
        case e.Arithmetic():
            return _arithmetic(node, last)
        case e.Arrow(start, end):
            return Level.ARROW, f"{_at(start, Level.OWNED, last=False)} -> {_at(end, Level.OWNED, last=False)}"
        case e.Range(low, high):
            return Level.RANGE, f"{_at(low, Level.SUM, last=False)}..{_at(high, Level.SUM, last=False)}"
        case (
            e.Quantified() | e.Counted() | e.Summed() | e.ExtremeOf() | e.ExtremeBy()
            | e.Those() | e.Gathered() | e.Closure() | e.If()
        ):  # fmt: skip
            text = _open_form(node)
            return Level.ATOM, text if last else f"({text})"
        case _:
            assert_never(node)


OpenForm = e.Quantified | e.Counted | e.Summed | e.ExtremeOf | e.ExtremeBy | e.Those | e.Gathered | e.Closure | e.If


def _open_form(node: OpenForm) -> str:
    """A form that reaches as far right as it can."""
    match node:
        case e.Quantified(quantifier, binder, body):
            return f"{quantifier.value} {print_binder(binder)}: {print_expression(body)}"
        case e.Counted(binder):
            return f"count {print_binder(binder)}"
        case e.Summed(value, binder):
            return f"sum {print_expression(value)} for {print_binder(binder)}"
        case e.ExtremeOf(extreme, value, binder):
            return f"{extreme.value} {_at(value, Level.SUM)} for {print_binder(binder)}"
        case e.ExtremeBy(extreme, binder, by):
            return f"{extreme.value} {print_binder(binder)} by {print_expression(by)}"
        case e.Those(binder):
            return f"those {print_binder(binder)}"
        case e.Gathered(value, binder):
            return f"those {_at(value, Level.SUM)} for {print_binder(binder)}"
        case e.Closure(start, origin, binder):
            return f"closure of {print_expression(start)} under {origin} to {print_binder(binder)}"
        case e.If(condition, then, otherwise):
            first, second = print_expression(condition), print_expression(then)
            return f"if {first} then {second} else {print_expression(otherwise)}"
        case _:
            assert_never(node)


def _operands(parts: tuple[Expression, ...], level: Level, last: bool) -> list[str]:
    return [_at(part, level, last=False) for part in parts[:-1]] + [_at(parts[-1], level, last)]


def _binary(level: Level, left: Expression, sign: str, right: Expression, last: bool) -> tuple[Level, str]:
    return level, f"{_at(left, Level.RANGE, last=False)} {sign} {_at(right, Level.RANGE, last)}"


def _arithmetic(node: e.Arithmetic, last: bool) -> tuple[Level, str]:
    own, inner = (Level.SUM, Level.PRODUCT) if node.rest[0][0] in _SUMS else (Level.PRODUCT, Level.UNARY)
    terms = _operands((node.first, *(term for _, term in node.rest)), inner, last)
    signs = [operator.value for operator, _ in node.rest]
    return own, terms[0] + "".join(f" {sign} {term}" for sign, term in zip(signs, terms[1:], strict=True))
