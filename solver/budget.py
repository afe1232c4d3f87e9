"""The limits of a search: time, processors and memory."""

from __future__ import annotations

import sys

from rulewright.base.engines import Engines
from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.base.records import frozen

OTHERWISE_MIB = 288
"""Memory of the process outside the tables of the search: interpreter, rules, compiler."""

LEAST_CO_SOLVER_MIB = 512
"""CP-SAT needs at least this much address space to start."""


SOON = 0.5
"""Seconds of search before anything is compiled with optimisation: about half of what compilation takes."""

COMPILING = 3.0
"""Nothing is compiled with fewer seconds left."""

LISTENING = 256
"""States that a search in plain Python expands between looks at the clock, and whether the question is settled elsewhere."""

STATE_BYTES = 1200
"""Approximate memory of a state in a search in plain Python."""


def bytes_of(state: tuple[object, ...]) -> int:
    """Approximate memory of a state, or of a part of one, in bytes."""
    return 300 + sys.getsizeof(state) + sum(map(sys.getsizeof, state))


@frozen
class Limits:
    """Wall-clock seconds, and the processors and memory that the search and CP-SAT share. A given `hash_key` makes searches the
    same to the last state.

    With engines `BOTH`, CP-SAT is to confirm what the search has proved, if time allows.
    """

    seconds: float = 60.0
    workers: int = 1
    memory_mib: int = 2048
    engines: Engines = Engines.SOONEST
    hash_key: HashKey = PROCESS_KEY

    @property
    def second(self) -> bool:
        """Whether the user asks for a second proof."""
        return self.engines is Engines.BOTH

    @property
    def co_solver_mib(self) -> int:
        """Memory for CP-SAT beside the search, in MiB; 0 if it does not run."""
        half = self.memory_mib // 2
        is_wanted = self.workers > 1 and self.engines is not Engines.SEARCH
        return half if is_wanted and half >= LEAST_CO_SOLVER_MIB else 0

    @property
    def room(self) -> int:
        """Bytes for the tables of the search."""
        return max(0, self.memory_mib - self.co_solver_mib - OTHERWISE_MIB) << 20

    @property
    def second_mib(self) -> int:
        """Memory for CP-SAT with no search beside it, in MiB."""
        return self.memory_mib - OTHERWISE_MIB

    def states_of(self, size: int = STATE_BYTES) -> int:
        """How many states of `size` bytes the tables may hold."""
        return self.room // size
