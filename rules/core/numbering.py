"""Locals numbered by those around them, so that equal terms are alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import evolve

from .program import Action, Definition, For, Name, Parameter
from .terms import Binding, Local
from .traversal import rebuilt

Numbers = Mapping[int, int]
Part = TypeVar("Part")


def numbered(part: Part, given: int = 0) -> Part:
    """A part of a core whose locals are bound once, the first ones around it; each gets the number of locals around it."""
    return _numbered(part, {at: at for at in range(given)}, given)  # type: ignore[no-any-return]


def _numbered(node: Any, numbers: Numbers, depth: int) -> Any:
    match node:
        case Local(number):
            return evolve(node, number=numbers[number])
        case Binding(local, domain, body):
            inside = _numbered(body, {**numbers, local: depth}, depth + 1)
            return evolve(node, local=depth, domain=_numbered(domain, numbers, depth), body=inside)
        case For(local, domain, body):
            inside = _numbered(body, {**numbers, local: depth}, depth + 1)
            return evolve(node, local=depth, domain=_numbered(domain, numbers, depth), body=inside)
        case Definition(number, body, parts):
            return evolve(node, body=numbered(body, number), parts=numbered(parts, number))
        case Parameter(_, domain, where):
            return evolve(
                node, domain=_numbered(domain, numbers, depth), where=_numbered(where, {**numbers, depth: depth}, depth + 1)
            )
        case Action(parameters=parameters):
            given = {at: at for at in range(len(parameters))}
            return evolve(
                node,
                parameters=tuple(_numbered(part, given, at) for at, part in enumerate(parameters)),
                requirements=_numbered(node.requirements, given, len(given)),
                effects=_numbered(node.effects, given, len(given)),
                afterwards=_numbered(node.afterwards, given, len(given)),
            )
        case tuple():
            items = []
            for part in node:
                found = _numbered(part, numbers, depth)
                if isinstance(part, Name):
                    found = evolve(found, local=depth)
                    numbers, depth = {**numbers, part.local: depth}, depth + 1
                items.append(found)
            return tuple(items)
        case _:
            return rebuilt(node, lambda part: _numbered(part, numbers, depth))
