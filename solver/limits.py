"""What a search may spend."""

from __future__ import annotations

from attrs import frozen


@frozen
class Limits:
    """Wall-clock seconds, processes, memory of all of them together, and states that are remembered as seen.

    `second`: what the search has proved is proved by CP-SAT too, as far as the time allows.
    """

    seconds: float = 60.0
    workers: int = 1
    memory_mib: int = 3072
    states: int = 8_000_000
    second: bool = False
