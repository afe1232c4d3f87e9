"""Beam search: a good plan soon, and no proof. Of all states after so many moves, only the most promising go on."""

from __future__ import annotations

import time
from typing import Any

from ..rules.engine import Move, State
from ..rules.layout import OVER
from .problem import Problem

WIDEST = 3000

Link = tuple[Move, Any]
"""A move and the link before it: the plan backwards."""


def beam(problem: Problem, deadline: float) -> tuple[int, tuple[Move, ...]] | None:
    """The best value and plan found, each round with a beam three times as wide, until the time is up."""
    best: tuple[int, tuple[Move, ...]] | None = None
    width = 10
    while width <= WIDEST and time.monotonic() < deadline:
        found = _round(problem, width, deadline)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
        width *= 3
    return best


def _round(problem: Problem, width: int, deadline: float) -> tuple[int, tuple[Move, ...]] | None:
    engine = problem.engine
    best: tuple[int, Link] | None = None
    layer: list[tuple[State, Link | None]] = [(problem.root, None)]
    while layer and time.monotonic() < deadline:
        children: dict[Any, tuple[tuple[int, ...], State, Link]] = {}
        for state, link in layer:
            for move in engine.legal(state):
                child = engine.apply(state, move)
                if child[0] == OVER:
                    value = problem.value(child)
                    if best is None or value > best[0]:
                        best = value, (move, link)
                    continue
                promise = _promise(problem, child)
                key = problem.key(child)
                known = children.get(key)
                if known is None or promise > known[0]:
                    children[key] = promise, child, (move, link)
        kept = sorted(children.values(), key=_first, reverse=True)[:width]
        layer = [(state, link) for _, state, link in kept]
    return None if best is None else (best[0], _plan(best[1]))


def _promise(problem: Problem, state: State) -> tuple[int, ...]:
    """What may come of a state, what it has, and what it has left to spend."""
    bound = 0 if problem.bound is None else problem.bound.bound(state)
    return (bound + problem.value(state), bound, *problem.spent(state))


def _first(child: tuple[tuple[int, ...], State, Link]) -> tuple[int, ...]:
    return child[0]


def _plan(link: Link | None) -> tuple[Move, ...]:
    moves: list[Move] = []
    while link is not None:
        moves.append(link[0])
        link = link[1]
    return tuple(reversed(moves))
