"""The limits of a search: time, processors and memory."""

from __future__ import annotations

import sys

from rulewright.base.engines import Engines
from rulewright.base.records import frozen

OTHERWISE_MIB = 288
"""The memory of the process beside the tables of the search: interpreter, rules, compiler."""

LEAST_CO_SOLVER_MIB = 512
"""CP-SAT does not start with less address space."""


def bytes_of(state: tuple[object, ...]) -> int:
    """The memory of a state or a part of one, about."""
    return 300 + sys.getsizeof(state) + sum(map(sys.getsizeof, state))


@frozen
class Limits:
    """Wall-clock seconds, and processors and memory of search and CP-SAT together.

    With `BOTH` engines CP-SAT is to prove again what the search has proved, as far as the time allows.
    """

    seconds: float = 60.0
    workers: int = 1
    memory_mib: int = 2048
    engines: Engines = Engines.SOONEST

    @property
    def second(self) -> bool:
        """Whether a second proof is asked for."""
        return self.engines is Engines.BOTH

    @property
    def co_solver_mib(self) -> int:
        """What CP-SAT may take while it works beside the search; 0: it does not."""
        half = self.memory_mib // 2
        is_wanted = self.workers > 1 and self.engines is not Engines.SEARCH
        return half if is_wanted and half >= LEAST_CO_SOLVER_MIB else 0

    @property
    def room(self) -> int:
        """The bytes for the tables of the search."""
        return max(0, self.memory_mib - self.co_solver_mib - OTHERWISE_MIB) << 20

    @property
    def second_mib(self) -> int:
        """What CP-SAT may take where no search works beside it."""
        return self.memory_mib - OTHERWISE_MIB

    def states_of(self, size: int) -> int:
        """How many states of so many bytes the tables may hold."""
        return self.room // size
