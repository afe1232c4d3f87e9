"""Symbolic integers and arrays, which build expressions: the views of records.py work on them during lowering."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from rulewright.base.records import define, frozen

Emit = Callable[[ast.stmt], None]


@frozen(eq=False)
class Word:
    """An integer, as the expression that computes it. Sums and products of constants are folded."""

    node: ast.expr

    def __add__(self, other: Word | int) -> Word:
        return Word(_sum(self.node, node_of(other)))

    def __radd__(self, other: int) -> Word:
        return Word(_sum(node_of(other), self.node))

    def __mul__(self, other: Word | int) -> Word:
        return Word(_product(self.node, node_of(other)))


@define(eq=False)
class Symbol:
    """An array, by its name in the lowered function; `emit` receives statements that write an element."""

    name: str
    kind: type[Any]
    emit: Emit

    def __getitem__(self, at: Word | int) -> Word:
        return Word(ast.Subscript(name_of(self.name), node_of(at), ast.Load()))

    def __setitem__(self, at: Word | int, value: Word) -> None:
        place = ast.Subscript(name_of(self.name), node_of(at), ast.Store())
        self.emit(ast.Assign([place], value.node))


def name_of(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def node_of(value: Word | int) -> ast.expr:
    return value.node if isinstance(value, Word) else ast.Constant(int(value))


def _sum(left: ast.expr, right: ast.expr) -> ast.expr:
    match left, right:
        case (ast.Constant(value=0), other) | (other, ast.Constant(value=0)):
            return other
        case ast.Constant(value=int() as one), ast.Constant(value=int() as other_one):
            return ast.Constant(one + other_one)
        case ast.BinOp(left=rest, op=ast.Add(), right=ast.Constant() as one), ast.Constant():
            return _sum(rest, _sum(one, right))
    return ast.BinOp(left, ast.Add(), right)


def _product(left: ast.expr, right: ast.expr) -> ast.expr:
    match left, right:
        case (ast.Constant(value=1), other) | (other, ast.Constant(value=1)):
            return other
        case ast.Constant(value=int() as one), ast.Constant(value=int() as other_one):
            return ast.Constant(one * other_one)
    return ast.BinOp(left, ast.Mult(), right)
