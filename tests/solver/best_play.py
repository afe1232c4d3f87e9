"""The comparator for best play: every line of play, by nothing but `legal`, `apply`, `over` and who is to move.

It has no window, no table of bounds, no order and no abstraction, and shares nothing with the search that is held against it.
What a position is worth it computes once.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.rules.play.engine import Engine, State


def best_play_value(
    engine: Engine, state: State, player: int, value: Callable[[State], int], most: int | None = None
) -> int | None:
    """What a player gets who plays for the greatest value while all others play for the least; None beyond `most` states."""
    known: dict[State, int] = {}
    pending = [state]
    while pending:
        here = pending[-1]
        if here in known:
            pending.pop()
            continue
        moves = [] if engine.over(here) else engine.legal(here)
        if not moves:
            known[here] = value(here)
            continue
        children = [engine.apply(here, move) for move in moves]
        unknown = [child for child in children if child not in known]
        if unknown:
            assert not set(unknown) & set(pending), "play comes back to where it was"
            pending += unknown
            if most is not None and len(known) + len(pending) > most:
                return None
            continue
        best = max if engine.player(here) == player else min
        known[here] = best(known[child] for child in children)
    return known[state]
