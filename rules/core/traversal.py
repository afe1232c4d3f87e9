"""Traversal of the core: a node with changed parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.base.spans import Located
from rulewright.rules.model.traversal import parts_of


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node, tuple or mapping with its parts changed; anything else is returned as it is."""
    match node:
        case tuple():
            return tuple(map(change, node))
        case dict():
            return {name: change(part) for name, part in node.items()}
        case Located():
            return type(node)(*map(change, parts_of(node)), span=node.span)
        case _:
            return node
