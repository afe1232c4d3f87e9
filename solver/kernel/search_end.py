"""Why a kernel returns."""

from __future__ import annotations

from enum import IntEnum


class SearchEnd(IntEnum):
    """At its limit; done; out of room; to have its mail delivered; at an error of the rules; on a line of play that is too
    long, or that repeats a state."""

    PAUSED = 0
    DONE = 1
    FULL = 2
    MAILED = 3
    FAULTED = 4
    TOO_DEEP = 5
    REPEATED = 6
