"""Perft (performance test): the number of lines of play of each length, a check of move generation."""

from __future__ import annotations

import math
import time

from rulewright.base.records import frozen
from rulewright.rules.model.state import COUNTED, SEED, State

from .engine import Engine


class TooManyStates(Exception):
    """More states were met than allowed."""


@frozen
class Lines:
    """How many lines of play have 0, 1, 2, … moves or turns, and the states met; `has_drawn`: chance was drawn on the way."""

    counts: tuple[int, ...]
    states: int = 0
    has_drawn: bool = False


def lines_of_play(
    engine: Engine, state: State, length: int, in_turns: bool = False, most: float = math.inf, until: float = math.inf
) -> Lines:
    """The lines of play from a state of up to `length` moves; or turns, the points that the engine's horizon counts.

    Raises `TooManyStates` after `most` states, and once the process has used `until` seconds of processor time.
    """
    counts, first, met, has_drawn = [1] + [0] * length, state[COUNTED], 0, False
    pending = [(state, 0)] if length else []
    while pending:
        here, played = pending.pop()
        met += 1
        if met > most or time.process_time() >= until:
            raise TooManyStates
        moves = engine.legal(here)
        if not in_turns:
            counts[played + 1] += len(moves)
            if played + 1 == length:
                continue
        for move in moves:
            after = engine.apply(here, move)
            has_drawn |= after[SEED] != here[SEED]
            if in_turns:
                for turn in range(here[COUNTED], after[COUNTED]):
                    counts[turn + 1 - first] += 1
            pending.append((after, played + 1))
    return Lines(tuple(counts), met, has_drawn)
