"""What a node of a game is made of: for whatever looks all through a term or an effect."""

from __future__ import annotations

from functools import cache


def parts_of(node: object) -> tuple[object, ...] | list[object]:
    """The items of a tuple or list, the fields of a node but for its span and its type; nothing of anything else."""
    if isinstance(node, tuple | list):
        return node
    return tuple([getattr(node, name) for name in _fields(type(node))])  # type: ignore[arg-type]


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(a.name for a in getattr(kind, "__attrs_attrs__", ()) if a.name not in ("span", "type"))
