"""What a node of a game is made of: for whatever looks all through a term or an effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from . import terms as t
from .game import Definition


def parts_of(node: object) -> tuple[object, ...] | list[object]:
    """The items of a tuple or list, the fields of a node but for its span and its type; nothing of anything else."""
    if isinstance(node, tuple | list):
        return node
    return tuple([getattr(node, name) for name in _fields(type(node))])  # type: ignore[arg-type]


def nodes_of(definitions: Mapping[str, Definition], *where: object) -> Iterator[object]:
    """All that some nodes are made of, and once what the definitions are that they invoke; themselves too."""
    pending: list[object] = list(where)
    seen: set[str] = set()
    while pending:
        here = pending.pop()
        yield here
        if isinstance(here, t.Invoke) and here.definition not in seen:
            seen.add(here.definition)
            definition = definitions[here.definition]
            pending += [definition.value, definition.cases]
        pending += parts_of(here)


def variables_in(definitions: Mapping[str, Definition], *where: object) -> set[str]:
    """The state variables that some nodes read, through the definitions that they invoke."""
    return {node.variable for node in nodes_of(definitions, *where) if isinstance(node, t.Read)}


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(a.name for a in getattr(kind, "__attrs_attrs__", ()) if a.name not in ("span", "type"))
