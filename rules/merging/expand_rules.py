"""Expands rules: each becomes a definition that is true if all its requirements hold."""

from __future__ import annotations

from rulewright.grammar.tree import expressions, modules

from .rulebook import Rulebook


def write_out_rules(book: Rulebook) -> None:
    """Give every rule a definition of its name."""
    for name, rule in book.rules.items():
        conditions = tuple(requirement.condition for requirement in rule.requirements)
        whole: expressions.Expression = expressions.TruthLiteral(True, span=rule.span)
        if conditions:
            whole = expressions.And(conditions, span=rule.span)
        book.defines[name] = modules.Define(
            name, rule.parameters, whole, text=rule.text, cite=rule.cite, requirements=rule.requirements, span=rule.span
        )
