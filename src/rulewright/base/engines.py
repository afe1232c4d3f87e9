"""Which engines answer a question: said on the command line, where no solver is loaded for it."""

from __future__ import annotations

from enum import StrEnum


class Engines(StrEnum):
    """Which engines answer: both side by side, the sooner of them; one alone; or the search, proved again by CP-SAT."""

    SOONEST = "soonest"
    SEARCH = "search"
    CPSAT = "cpsat"
    BOTH = "both"
