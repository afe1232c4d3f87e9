"""Iterates over the nodes of syntax trees."""

from __future__ import annotations

from typing import Any

from rulewright.base.records import reader


def nodes_in(*items: object) -> list[object]:
    """The nodes in some trees, including those in tuples, lists and mappings. Iterative, since trees may be deep."""
    pending: list[object] = list(items)
    found: list[object] = []
    while pending:
        here = pending.pop()
        kind: Any = type(here)
        if kind is tuple or kind is list:
            pending += here  # type: ignore[arg-type]
        elif hasattr(kind, "__attrs_attrs__"):
            found.append(here)
            pending += reader(kind, "span")(here)
        elif isinstance(here, dict):
            pending += here.values()
    return found
