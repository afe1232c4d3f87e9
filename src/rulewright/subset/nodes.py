"""Nodes of lowered functions, with the place of what they come from; sums and products of constants are folded."""

from __future__ import annotations

import ast
from typing import Any


def placed(node: Any, at: ast.AST) -> Any:
    node.lineno, node.col_offset = at.lineno, at.col_offset  # type: ignore[attr-defined]
    return node


def name_node(name: str, at: ast.AST) -> ast.Name:
    found: ast.Name = placed(ast.Name(name, ast.Load()), at)
    return found


def number_node(value: int, at: ast.AST) -> ast.expr:
    found: ast.expr = placed(ast.Constant(value), at)
    return found


def word_node(array: str, place: ast.expr, at: ast.AST) -> ast.Subscript:
    found: ast.Subscript = placed(ast.Subscript(name_node(array, at), place, ast.Load()), at)
    return found


def sum_node(left: ast.expr, right: ast.expr | int, at: ast.AST) -> ast.expr:
    if isinstance(right, int):
        right = number_node(right, at)
    match left, right:
        case _, ast.Constant(value=0):
            return left
        case ast.Constant(value=0), _:
            return right
        case ast.Constant(value=int() as one), ast.Constant(value=int() as other):
            return number_node(one + other, at)
        case ast.BinOp(op=ast.Add(), left=rest, right=ast.Constant(value=int() as one)), ast.Constant(value=int() as other):
            return sum_node(rest, one + other, at)
    found: ast.expr = placed(ast.BinOp(left, ast.Add(), right), at)
    return found


def product_node(left: ast.expr, right: ast.expr | int, at: ast.AST) -> ast.expr:
    if isinstance(right, int):
        right = number_node(right, at)
    match left, right:
        case _, ast.Constant(value=1):
            return left
        case ast.Constant(value=int() as one), ast.Constant(value=int() as other):
            return number_node(one * other, at)
    found: ast.expr = placed(ast.BinOp(right, ast.Mult(), left), at)
    return found
