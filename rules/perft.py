"""Perft: how many lines of play there are of each length, a fingerprint of all rules at once."""

from __future__ import annotations

from .engine import Engine
from .layout import State


def lines_of_play(engine: Engine, state: State, depth: int) -> int:
    """The number of sequences of `depth` legal moves from a state; those that end the game earlier do not count."""
    if depth == 0:
        return 1
    moves = engine.legal(state)
    if depth == 1:
        return len(moves)
    return sum(lines_of_play(engine, engine.apply(state, move), depth - 1) for move in moves)
