"""The choice of engines, separate from the solver so that the command line can name them without loading it."""

from __future__ import annotations

from enum import StrEnum


class Engines(StrEnum):
    """The engines that answer: the faster of both side by side; one alone; or the search, confirmed by CP-SAT."""

    SOONEST = "soonest"
    SEARCH = "search"
    CPSAT = "cpsat"
    BOTH = "both"
