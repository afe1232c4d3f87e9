"""Perft of one depth, as published counts give it."""

from __future__ import annotations

from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.perft import lines_of_play


def perft(engine: Engine, state: State, depth: int) -> int:
    """The number of sequences of `depth` legal moves from a state; those that end the game earlier do not count."""
    return lines_of_play(engine, state, depth).counts[depth]
