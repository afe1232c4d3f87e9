"""Traversal of the core: the parts of a node, and a node with changed parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rulewright.base.records import reader
from rulewright.base.spans import Located

BESIDE = ("span", "origin", "cases")
"""Fields that stand beside a node."""


def parts_of(node: Any) -> tuple[Any, ...]:
    """The fields of a term, effect or node of the flow, without what stands beside them."""
    kind: Any = type(node)
    return _reader(kind)(node)


@cache
def _reader(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    return reader(kind, *BESIDE)


def beside(node: Located) -> dict[str, Any]:
    """The fields that stand beside a node."""
    return {name: getattr(node, name) for name in BESIDE if hasattr(node, name)}


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node, tuple or mapping with its parts changed; anything else is returned as it is."""
    match node:
        case tuple():
            return tuple(map(change, node))
        case dict():
            return {name: change(part) for name, part in node.items()}
        case Located():
            return type(node)(*map(change, parts_of(node)), **beside(node))
        case _:
            return node
