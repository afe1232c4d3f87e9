"""The passes of lowering, in order. Each maps a core to an equal one, closer to its canonical form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from .program import Action, Core, Definition, For, Name, Parameter
from .terms import Binding, Local
from .traversal import rebuilt

Numbers = Mapping[int, int]


def number_locals(core: Core) -> Core:
    """Needs locals that are bound once in each part; leaves each with the number of locals around it, so that equal terms are
    alike."""
    return _changed(core, lambda part: _numbered(part, {}, 0))


PASSES: tuple[Callable[[Core], Core], ...] = (number_locals,)


def _changed(core: Core, change: Callable[[Any], Any]) -> Core:
    """The core with its definitions, actions, flow, scores and further terms changed."""
    parts = {name: rebuilt(getattr(core, name), change) for name in ("definitions", "actions", "flow", "scores", "terms")}
    return evolve(core, **parts)


def _numbered(node: Any, numbers: Numbers, depth: int) -> Any:
    match node:
        case Local(number):
            return Local(numbers[number], span=node.span)
        case Binding(local, domain, body):
            inside = _numbered(body, {**numbers, local: depth}, depth + 1)
            return evolve(node, local=depth, domain=_numbered(domain, numbers, depth), body=inside)
        case For(local, domain, body):
            inside = _numbered(body, {**numbers, local: depth}, depth + 1)
            return evolve(node, local=depth, domain=_numbered(domain, numbers, depth), body=inside)
        case Definition(parameters=number):
            return rebuilt(node, lambda part: _numbered(part, {at: at for at in range(number)}, number))
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
            parts = []
            for part in node:
                numbered = _numbered(part, numbers, depth)
                if isinstance(part, Name):
                    numbered = evolve(numbered, local=depth)
                    numbers, depth = {**numbers, part.local: depth}, depth + 1
                parts.append(numbered)
            return tuple(parts)
        case _:
            return rebuilt(node, lambda part: _numbered(part, numbers, depth))
