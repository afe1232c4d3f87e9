"""Positions of shipped games after random moves, with a question for the fewest moves."""

from __future__ import annotations

import random

from rulewright.base.records import evolve
from rulewright.puzzles.position import Position
from tests.rules.playing import shipped
from tests.solver.shortest.questions import asked

WALKED = {
    "classics.missionaries": ("saved = 3", 12),
    "classics.triangle_solitaire": ("men_left <= 5", 8),
    "classics.noughts_and_crosses": ("decided", 4),
    "classics.knights_tour": ("score >= 9", 6),
    "classics.queens": ("score >= 3", 1),
    "classics.bishops": ("score >= 5", 1),
}
"""Shipped games: what is asked for, and after how many random moves at most."""


def walked(name: str, rng: random.Random) -> Position:
    """A shipped game after some random moves."""
    until, most = WALKED[name]
    position = asked(shipped(name), f"fewest moves until {until}")
    state = position.state
    for _ in range(rng.randint(0, most)):
        after = position.asked.apply(state, rng.choice(position.asked.legal(state)))
        if position.asked.over(after):
            break
        state = after
    return evolve(position, state=state)
