"""Prints expressions with the fewest parentheses, by precedence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import assert_never

from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.expressions import Expression


class Precedence(IntEnum):
    """How tightly a form binds: a form looser than its context needs parentheses."""

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


_binds = re.compile(r"[A-Za-z_][A-Za-z0-9_]* +in\b").match

_SUMS = (expressions.Operator.PLUS, expressions.Operator.MINUS)


def print_expression(expression: Expression) -> str:
    """The expression on one line."""
    return _at(expression, Precedence.DISJUNCTION)


def print_list(items: Sequence[Expression]) -> str:
    """Expressions separated by commas. A form before `x in …` is parenthesised, lest it bind `x`."""
    texts: list[str] = []
    for item in reversed(items):
        texts.append(_at(item, Precedence.DISJUNCTION, last=not texts or _binds(texts[-1]) is None))
    return ", ".join(reversed(texts))


def _coordinate(numbers: Sequence[Expression]) -> str:
    """A coordinate; without blanks if it has plain numbers, as in puzzles."""
    plain = all(isinstance(number, expressions.NumberLiteral) for number in numbers)
    return ",".join(map(print_expression, numbers)) if plain else print_list(numbers)


def print_closed(expression: Expression) -> str:
    """The expression before text that an open form would absorb."""
    return _at(expression, Precedence.DISJUNCTION, last=False)


def print_range(expression: Expression) -> str:
    """The expression in the place of a domain: anything looser than `..` is parenthesised."""
    return _at(expression, Precedence.RANGE, last=False)


def print_binder(binder: expressions.Binder, limit: expressions.Limit = expressions.Limit.WHERE) -> str:
    """`n in around(c) where occupied(n)`"""
    if binder.rest is not None:
        return f"{binder.name} in {print_range(binder.domain)}, {print_binder(binder.rest)}"
    where = f" {limit.value} {print_expression(binder.where)}" if binder.where is not None else ""
    return f"{binder.name} in {print_range(binder.domain)}{where}"


def _at(node: Expression, level: Precedence, last: bool = True) -> str:
    """The text of a node in a context of this precedence; `last` if nothing follows that an open form would absorb."""
    own, text = _print(node, last)
    return f"({text})" if own < level else text


def _print(node: Expression, last: bool) -> tuple[Precedence, str]:  # noqa: PLR0912
    match node:
        case expressions.NumberLiteral(value):
            return Precedence.ATOM, str(value)
        case expressions.TruthLiteral(value):
            return Precedence.ATOM, "yes" if value else "no"
        case expressions.Name(text):
            return Precedence.ATOM, text
        case expressions.Call(function, arguments):
            return Precedence.ATOM, f"{function}({print_list(arguments)})"
        case expressions.CellLiteral(coordinate):
            return Precedence.ATOM, f"({_coordinate(coordinate)})"
        case expressions.SetLiteral(items):
            return Precedence.ATOM, f"{{{print_list(items)}}}"
        case expressions.Subscript(name, index):
            return Precedence.OWNED, f"{name} of {_at(index, Precedence.OWNED, last=False)}"
        case expressions.Paired(first, second):
            return Precedence.OWNED, f"{_at(first, Precedence.ATOM, last=False)} of {_at(second, Precedence.OWNED, last=False)}"
        case expressions.Not(expressions.Membership(item, domain)):
            return _binary(Precedence.COMPARISON, item, "not in", domain, last)
        case expressions.Not(expressions.IsNone(operand)):
            return Precedence.COMPARISON, f"{_at(operand, Precedence.RANGE, last=False)} is not none"
        case expressions.Not(operand):
            return Precedence.NEGATION, f"not {_at(operand, Precedence.NEGATION, last)}"
        case expressions.Negation(operand):
            return Precedence.UNARY, f"-{_at(operand, Precedence.UNARY, last=False)}"
        case expressions.And(parts):
            return Precedence.CONJUNCTION, " and ".join(_operands(parts, Precedence.NEGATION, last))
        case expressions.Or(parts):
            return Precedence.DISJUNCTION, " or ".join(_operands(parts, Precedence.CONJUNCTION, last))
        case expressions.Compare(operator, left, right):
            return _binary(Precedence.COMPARISON, left, operator.value, right, last)
        case expressions.Membership(item, domain):
            return _binary(Precedence.COMPARISON, item, "in", domain, last)
        case expressions.Has(piece, marker):
            return Precedence.COMPARISON, f"{_at(piece, Precedence.RANGE, last=False)} has {marker.text}"
        case expressions.IsNone(operand):
            return Precedence.COMPARISON, f"{_at(operand, Precedence.RANGE, last=False)} is none"
        case expressions.Arithmetic():
            return _arithmetic(node, last)
        case expressions.Arrow(start, end):
            return Precedence.ARROW, f"{_at(start, Precedence.OWNED, last=False)} -> {_at(end, Precedence.OWNED, last=False)}"
        case expressions.Interval(low, high):
            return Precedence.RANGE, f"{_at(low, Precedence.SUM, last=False)}..{_at(high, Precedence.SUM, last=False)}"
        case _:
            text = _open_form(node)
            return Precedence.ATOM, text if last else f"({text})"


def _open_form(node: expressions.OpenForm) -> str:
    """A form that extends as far right as possible."""
    match node:
        case expressions.Quantified(quantifier, binder, body):
            return f"{quantifier.value} {print_binder(binder)}: {print_expression(body)}"
        case expressions.Count(binder):
            return f"count {print_binder(binder)}"
        case expressions.Sum(value, binder):
            return f"sum {print_expression(value)} for {print_binder(binder)}"
        case expressions.ExtremeOf(extreme, value, binder):
            return f"{extreme.value} {_at(value, Precedence.SUM)} for {print_binder(binder)}"
        case expressions.ExtremeBy(extreme, binder, by):
            word, last = (extreme.value, f" by {print_expression(by)}") if by is not None else ("first", "")
            return f"{word} {print_binder(binder)}{last}"
        case expressions.Those(binder, limit):
            return f"those {print_binder(binder, limit)}"
        case expressions.Image(value, binder):
            return f"those {_at(value, Precedence.SUM)} for {print_binder(binder)}"
        case expressions.Closure(start, origin, binder):
            return f"closure of {print_expression(start)} under {origin} to {print_binder(binder)}"
        case expressions.If(condition, then, otherwise):
            first, second = print_expression(condition), print_expression(then)
            return f"if {first} then {second} else {print_expression(otherwise)}"
        case expressions.Let(name, value, body):
            return f"let {name} = {print_expression(value)}: {print_expression(body)}"
        case _:
            assert_never(node)


def _operands(parts: tuple[Expression, ...], level: Precedence, last: bool) -> list[str]:
    return [_at(part, level, last=False) for part in parts[:-1]] + [_at(parts[-1], level, last)]


def _binary(level: Precedence, left: Expression, sign: str, right: Expression, last: bool) -> tuple[Precedence, str]:
    return level, f"{_at(left, Precedence.RANGE, last=False)} {sign} {_at(right, Precedence.RANGE, last)}"


def _arithmetic(node: expressions.Arithmetic, last: bool) -> tuple[Precedence, str]:
    own, inner = (Precedence.SUM, Precedence.PRODUCT) if node.rest[0][0] in _SUMS else (Precedence.PRODUCT, Precedence.UNARY)
    terms = _operands((node.first, *(term for _, term in node.rest)), inner, last)
    signs = [operator.value for operator, _ in node.rest]
    return own, terms[0] + "".join(f" {sign} {term}" for sign, term in zip(signs, terms[1:], strict=True))
