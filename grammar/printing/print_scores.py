"""Prints the criteria by which players are compared."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.grammar.tree import expressions, modules

from .print_expressions import print_expression


def print_criteria(criteria: Sequence[modules.Criterion]) -> str:
    """`most savings, then least debts of player`"""
    words = {expressions.Extreme.GREATEST: "most", expressions.Extreme.LEAST: "least"}
    return ", then ".join(f"{words[criterion.extreme]} {print_expression(criterion.value)}" for criterion in criteria)
