"""Perft (performance test): the number of lines of play of a given length, a check of move generation."""

from __future__ import annotations

from rulewright.rules.model.state import State

from .engine import Engine


def perft(engine: Engine, state: State, depth: int) -> int:
    """The number of sequences of `depth` legal moves from a state; those that end the game earlier do not count."""
    if depth == 0:
        return 1
    moves = engine.legal(state)
    if depth == 1:
        return len(moves)
    return sum(perft(engine, engine.apply(state, move), depth - 1) for move in moves)
