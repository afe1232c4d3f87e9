"""Comparisons and arithmetic of known numbers."""

from __future__ import annotations

from rulewright.grammar.tree.expressions import Comparison, Operator


def compare(operator: Comparison, left: int, right: int) -> int:
    """0 or 1."""
    match operator:
        case Comparison.EQUAL:
            return int(left == right)
        case Comparison.UNEQUAL:
            return int(left != right)
        case Comparison.LESS:
            return int(left < right)
        case Comparison.AT_MOST:
            return int(left <= right)
        case Comparison.GREATER:
            return int(left > right)
        case Comparison.AT_LEAST:
            return int(left >= right)


def arithmetic(operator: Operator, left: int, right: int) -> int:
    """Integer arithmetic; `div` and `mod` round down, and give 0 for a divisor of 0."""
    match operator:
        case Operator.PLUS:
            return left + right
        case Operator.MINUS:
            return left - right
        case Operator.TIMES:
            return left * right
        case Operator.DIV:
            return left // right if right else 0
        case Operator.MOD:
            return left % right if right else 0
