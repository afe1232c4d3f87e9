"""What a search may spend."""

from __future__ import annotations

import sys

from rulewright.base.records import frozen

OTHERWISE_MIB = 288
"""What the process of the search needs beside what it remembers: interpreter, rules, compiler."""

LEAST_COMPANY_MIB = 512
"""CP-SAT does not start with less address space."""


def bytes_of(state: tuple[object, ...]) -> int:
    """About what it takes to remember a state, or a part of one."""
    return 300 + sys.getsizeof(state) + sum(map(sys.getsizeof, state))


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
    def company_mib(self) -> int:
        """What CP-SAT may take while it works beside the search; 0: it does not."""
        half = self.memory_mib // 2
        return half if self.workers > 1 and half >= LEAST_COMPANY_MIB else 0

    @property
    def room(self) -> int:
        """How many bytes the search may take for what it remembers."""
        return max(0, self.memory_mib - self.company_mib - OTHERWISE_MIB) << 20

    @property
    def second_mib(self) -> int:
        """What CP-SAT may take once the search has ended."""
        return self.memory_mib - OTHERWISE_MIB

    def states_of(self, size: int) -> int:
        """How many states of so many bytes may be remembered."""
        return self.room // size
