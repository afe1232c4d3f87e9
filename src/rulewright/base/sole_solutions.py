"""What must be unique in a puzzle."""

from __future__ import annotations

from enum import Enum


class Sole(Enum):
    """What must be unique. The key is the first action; the other actions of a unique turn or plan may change places.

    A solution is identified by its key or, where the keys may change places, by its plan.
    """

    NOTHING = "nothing"
    SOLUTION = "solution"
    KEY = "key"
    TURN = "turn"
    PLAN = "plan"
