"""What a puzzle may have only one of."""

from __future__ import annotations

from enum import Enum


class Sole(Enum):
    """What there is only one of. The key is the first action; a turn's or a plan's other actions may change places."""

    NOTHING = "nothing"
    KEY = "key"
    TURN = "turn"
    PLAN = "plan"
