"""What a puzzle may have only one of."""

from __future__ import annotations

from enum import Enum


class Sole(Enum):
    """What there is only one of. The key is the first action; a turn's or a plan's other actions may change places.

    A solution is one by its key, or, where the keys may change places, by its plan.
    """

    NOTHING = "nothing"
    SOLUTION = "solution"
    KEY = "key"
    TURN = "turn"
    PLAN = "plan"
