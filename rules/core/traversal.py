"""Traversal of the core: the parts of a node, and a node with changed parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.base.records import reader
from rulewright.base.spans import Located

from .program import Caused


def parts_of(node: Any) -> tuple[Any, ...]:
    """The fields of a term, effect or node of the flow, without what stands beside them."""
    kind: Any = type(node)
    return reader(kind, "span", "origin")(node)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node, tuple or mapping with its parts changed; anything else is returned as it is."""
    match node:
        case tuple():
            return tuple(map(change, node))
        case dict():
            return {name: change(part) for name, part in node.items()}
        case Located():
            beside = {"origin": node.origin} if isinstance(node, Caused) else {}
            return type(node)(*map(change, parts_of(node)), span=node.span, **beside)
        case _:
            return node
