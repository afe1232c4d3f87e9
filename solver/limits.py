"""What a search may spend."""

from __future__ import annotations

from attrs import frozen


@frozen
class Limits:
    """Wall-clock seconds, processors, and memory of all that works on a question together.

    `second`: what the search has proved is proved by CP-SAT too, as far as the time allows.
    """

    seconds: float = 60.0
    workers: int = 1
    memory_mib: int = 2048
    second: bool = False

    @property
    def share_mib(self) -> int:
        """What the search may take, and what CP-SAT may where it works beside it."""
        return self.memory_mib // 2 if self.workers > 1 else self.memory_mib

    def states_of(self, size: int) -> int:
        """How many states of so many bytes may be remembered."""
        return (self.share_mib << 20) // size
