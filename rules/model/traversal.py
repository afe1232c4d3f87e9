"""Traversal: the parts of a node, all nodes below it, the variables it reads, the points of a flow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rulewright.base.records import reader

from . import terms
from .game import Branch, Definition, Each, Flow, Point, Repeat
from .types import Type


def parts_of(node: object) -> tuple[object, ...] | list[object]:
    """The items of a tuple or list, or the fields of a node without span and type; empty for anything else."""
    kind: Any = type(node)
    if kind is tuple or kind is list:
        return node  # type: ignore[return-value]
    return reader(kind, "span", "type")(node)


def operands(node: object) -> Iterator[terms.Term]:
    """The terms that a node consists of, those of its binders and places among them, in order."""
    for part in parts_of(node):
        if isinstance(part, terms.Term):
            yield part
        else:
            yield from operands(part)


def nodes_of(definitions: Mapping[str, Definition], *where: object) -> Iterator[object]:
    """The nodes, all nodes below them, and once each the bodies of the definitions that they invoke."""
    pending: list[object] = list(where)
    seen: set[str] = set()
    while pending:
        here = pending.pop()
        yield here
        if isinstance(here, terms.Invoke) and here.definition in definitions and here.definition not in seen:
            seen.add(here.definition)
            definition = definitions[here.definition]
            pending += [definition.value, definition.cases]
        pending += parts_of(here)


def variables_in(definitions: Mapping[str, Definition], *where: object) -> set[str]:
    """The state variables that nodes read, including through the definitions that they invoke."""
    return {node.variable for node in nodes_of(definitions, *where) if isinstance(node, terms.Read)}


def conjuncts(condition: terms.Term) -> tuple[terms.Term, ...]:
    """The parts of a conjunction; any other condition is its own only part."""
    return condition.parts if isinstance(condition, terms.And) else (condition,)


@lru_cache(maxsize=4096)
def locals_in(term: terms.Term) -> frozenset[str]:
    """Every bound name that occurs in a term, including those bound inside it: a superset of its free variables."""
    return frozenset(node.name for node in nodes_of({}, term) if isinstance(node, terms.Local))


def free_names(term: terms.Term) -> dict[str, Type]:
    """The free names of a term with their types, in alphabetical order."""
    bound = {node.name for node in nodes_of({}, term) if isinstance(node, terms.Binder | terms.Let)}
    bound |= {node.origin for node in nodes_of({}, term) if isinstance(node, terms.Closure)}
    found = {node.name: node.type for node in nodes_of({}, term) if isinstance(node, terms.Local)}
    return {name: type for name, type in sorted(found.items()) if name not in bound}


def points_of(flow: tuple[Flow, ...]) -> tuple[str, ...]:
    """The named points of a flow, outermost first."""
    return tuple(dict.fromkeys(node.name for node in flow_nodes(flow) if isinstance(node, Point)))


def flow_nodes(flow: tuple[Flow, ...]) -> Iterator[Flow]:
    """Every node of a flow, outermost first."""
    for node in flow:
        yield node
        if isinstance(node, Repeat | Each | Branch | Point):
            yield from flow_nodes(node.body)
        if isinstance(node, Branch):
            yield from flow_nodes(node.otherwise)
