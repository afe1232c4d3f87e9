"""Mutation operators on rules (DeMillo, Lipton and Sayward 1978): drop a clause, negate a condition, change a number by one.

They map trees to trees. Linking finds out whether a mutant is valid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, modules, statements
from rulewright.rules.merging.rulebook import ItemKind

LOOSENED = {
    expressions.Comparison.LESS: expressions.Comparison.AT_MOST,
    expressions.Comparison.GREATER: expressions.Comparison.AT_LEAST,
    expressions.Comparison.AT_MOST: expressions.Comparison.LESS,
    expressions.Comparison.AT_LEAST: expressions.Comparison.GREATER,
    expressions.Comparison.EQUAL: expressions.Comparison.UNEQUAL,
    expressions.Comparison.UNEQUAL: expressions.Comparison.EQUAL,
}
"""The comparison that a mutation puts in place of each."""

CONDITIONS = {"condition", "when", "where", "until"}
"""Attributes that hold a truth value, which can be negated."""

DROPPED = {
    "items",
    "edits",
    "requirements",
    "effects",
    "cases",
    "exceptions",
    "body",
    "otherwise",
    "lines",
    "actions",
    "criteria",
}
"""Attributes from which a part may be dropped, syntactically."""

UNTOUCHED = {"span", "text", "cite", "message", "header", "notation", "plans"}
"""Attributes for human readers, or without rules."""

ITEMS = {kind.node: kind for kind in ItemKind}
"""The kind of item of each class."""

Variant = tuple[str, str, Span, Any]
"""The name of the mutated clause, the mutation, its span, and the mutated tree."""


@frozen
class Mutant:
    """A module with one fault."""

    clause: str
    change: str
    span: Span
    module: modules.Module

    @property
    def name(self) -> str:
        """Such as `sail.pay: 1 -> 2`."""
        return f"{self.clause}: {self.change}"


def mutants(module: modules.Module) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of the text; equal names are numbered."""
    seen: Counter[str] = Counter()
    for clause, change, span, new in _variants(module, "", module.span):
        seen[f"{clause}: {change}"] += 1
        number = seen[f"{clause}: {change}"]
        yield Mutant(clause, change if number == 1 else f"{change} ({number})", span, new)


def _variants(node: Any, name: str, span: Span) -> Iterator[Variant]:
    """Every variant of a node with one mutation in it or below."""
    name, span = _name(node, name), getattr(node, "span", span)
    if isinstance(node, expressions.Compare):
        operator = LOOSENED[node.operator]
        change = f"`{node.operator.value}` -> `{operator.value}`"
        yield name, change, span, evolve(node, operator=operator)
    if isinstance(node, modules.Criterion):
        other = expressions.Extreme.LEAST if node.extreme is expressions.Extreme.GREATEST else expressions.Extreme.GREATEST
        yield name, "`most` and `least` exchanged", span, evolve(node, extreme=other)
    for attribute in attrs.fields(type(node)):
        if attribute.name in UNTOUCHED or (attribute.name == "per_side" and not getattr(node, "base", "")):
            continue  # only a graph of ports has a number of ports
        value = getattr(node, attribute.name)
        for clause, change, where, new in _of_value(value, attribute.name, name, span):
            yield clause, change, where, evolve(node, **{attribute.name: new})


def _of_value(value: Any, attribute: str, name: str, span: Span) -> Iterator[Variant]:
    """Every variant of an attribute with one mutation."""
    match value:
        case bool():
            if attribute in ("value", "stop"):
                yield name, f"{_yes(value)} -> {_yes(not value)}", span, not value
            elif attribute == "optional" and value:
                yield name, "`or none` dropped", span, False
        case str() if attribute == "scope" and value:
            yield name, f"`for this {value}` dropped", span, ""
        case int():
            for other in (value + 1, value - 1):
                yield name, f"{value} -> {other}", span, other
        case tuple():
            for at, part in enumerate(value):
                if isinstance(part, modules.Need | modules.Expected | modules.Look | modules.Restyle | modules.Format):
                    continue  # needs are met by the game in any case; expectations and looks are not rules
                before, after = value[:at], value[at + 1 :]
                for clause, change, where, new in _of_value(part, "", name, span):
                    yield clause, change, where, (*before, new, *after)
                if attribute in DROPPED:
                    clause = name if isinstance(part, str) else _name(part, name)
                    what = f"`{part}` dropped" if isinstance(part, str) else f"{_kind(part)} dropped"
                    yield clause, what, getattr(part, "span", span), (*before, *after)
        case _ if attrs.has(type(value)):
            if attribute in CONDITIONS:
                yield name, f"`{attribute}` negated", value.span, expressions.Not(value, span=value.span)
            yield from _variants(value, name, span)


def _name(node: object, before: str) -> str:
    """The name of the clause that a node begins, else `before`, that of the enclosing clause."""
    match node:
        case modules.Change(name):
            return name
        case modules.Vocabulary(kind):
            return kind
        case modules.DropItem(kind, name):
            return f"drop {kind} {name}".strip()
        case _ if type(node) in ITEMS:
            return getattr(node, "name", "") or f"{ITEMS[type(node)].value} {getattr(node, 'label', '')}".strip()
        case modules.Requirement(last) | modules.Case(last) | modules.Replace(last) | modules.Drop(last):
            pass
        case modules.Effect(statements.Labelled(last)) | statements.Labelled(last) | statements.Point(last):
            pass
        case modules.PieceLine(last) | modules.TileLine(last) | modules.RankLine(last) | modules.Parameter(last):
            pass
        case statements.Run(last):
            pass
        case modules.SetCell(column, key):
            last = f"{column}[{key}]"
        case modules.TableRow(key):
            last = f"[{key}]"
        case modules.AddChoice(action, point) | modules.DropChoice(action, point):
            last = f"{point}.{action}"
        case _:
            return before
    return f"{before}.{last}" if last and not before.endswith(f".{last}") else before


def _kind(node: object) -> str:
    """`requirement`, `drop token`"""
    match node:
        case modules.Drop(label):
            return f"`drop {label}`"
        case _:
            return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).lower()


def _yes(value: bool) -> str:
    return "yes" if value else "no"
