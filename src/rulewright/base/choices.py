"""The choices of options, apart from what they choose, so that the command line names them without loading it."""

from __future__ import annotations

from enum import Enum, StrEnum


class Engines(StrEnum):
    """The engines that answer: the faster of both side by side; one alone; or the search, confirmed by CP-SAT."""

    SOONEST = "soonest"
    SEARCH = "search"
    CPSAT = "cpsat"
    BOTH = "both"


class Sole(Enum):
    """What must be unique. The key is the first action; the other actions of a unique turn or plan may change places.

    A solution is identified by its key or, where the keys may change places, by its plan.
    """

    NOTHING = "nothing"
    SOLUTION = "solution"
    KEY = "key"
    TURN = "turn"
    PLAN = "plan"
