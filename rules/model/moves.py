"""Moves, and the horizon of play."""

from __future__ import annotations

from rulewright.base.records import frozen

Move = tuple[int, ...]
"""The number of an action, then its arguments; `STOP` is the choice to stop."""

STOP: Move = (-1,)


FOREVER = 10**9
"""More turns than any game has, for a horizon that only counts them."""


@frozen
class Horizon:
    """Play ends when the flow's point `point` has been left `times` times."""

    point: str
    times: int
