"""The answer of the solver, and the limits within which it is sought: time, processors and memory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from fractions import Fraction

from rulewright.base.choices import Engines
from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.base.host import HAS_THREADS, resident_mib
from rulewright.base.records import evolve, frozen
from rulewright.rules.model.state import Move, State

OTHERWISE_MIB, GROWTH_MIB = 288, 24
"""Memory of the process outside the tables of the search, before it is measured, and what it grows by once it is (measured:
1 to 16 MiB in searches of each kind). CP-SAT and compilers are processes of their own."""

IN_PAGE_MIB = 768
"""Most memory of a search in a page, whose browser gives 4 GiB to all workers of it together."""

LEAST_CO_SOLVER_MIB = 512
"""Least memory, as address space, with which CP-SAT starts."""


SOON = 0.5
"""Seconds of search before anything is compiled with optimisation: about half of what compilation takes. Measured on 28
puzzles: a fifth and four times as long make no difference beyond noise."""

COMPILING = 3.0
"""Nothing is compiled with fewer seconds left."""

LISTENING = 256
"""States that a search in plain Python expands between looks at the clock, and whether the question is settled elsewhere."""

STATE_BYTES = 1200
"""Bytes of a state in a search in plain Python. Measured with tracemalloc, on four games of 900 to 9,000 states: 366 to 592;
the rest is for larger games, and for what is kept of the rules."""


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
    memory_mib: int = 2048 if HAS_THREADS else IN_PAGE_MIB
    engines: Engines = Engines.SOONEST
    otherwise_mib: int = OTHERWISE_MIB
    hash_key: HashKey = PROCESS_KEY

    @property
    def is_repeatable(self) -> bool:
        """Whether searches are to be the same to the last state."""
        return self.hash_key is not PROCESS_KEY

    def measured(self) -> Limits:
        """The same, with what the process holds outside the tables just before they are made, if the system tells that; unless
        searches are to be repeatable."""
        held = None if self.is_repeatable else resident_mib()
        return self if held is None else evolve(self, otherwise_mib=min(OTHERWISE_MIB, held + GROWTH_MIB))

    @property
    def second(self) -> bool:
        """Whether the user asks for a second proof."""
        return self.engines is Engines.BOTH

    @property
    def co_solver_mib(self) -> int:
        """Memory for CP-SAT beside the search, in MiB; 0 if it does not run."""
        half = self.memory_mib // 2
        is_wanted = HAS_THREADS and self.workers > 1 and self.engines is not Engines.SEARCH
        return half if is_wanted and half >= LEAST_CO_SOLVER_MIB else 0

    @property
    def room(self) -> int:
        """Bytes for the tables of the search."""
        return max(0, self.memory_mib - self.co_solver_mib - self.otherwise_mib) << 20

    @property
    def most_room(self) -> int:
        """Bytes for the tables of the search when no CP-SAT runs beside it."""
        return max(0, self.second_mib) << 20

    @property
    def second_mib(self) -> int:
        """Memory for CP-SAT with no search beside it, in MiB."""
        return self.memory_mib - self.otherwise_mib

    def states_of(self, size: int = STATE_BYTES) -> int:
        """How many states of `size` bytes the tables may hold."""
        return self.room // size


NO_COMPILER = "llvmlite is not installed, so the search runs in plain Python, many times slower than machine code"
"""A remark of a result."""

NO_ROOM = "memory limit reached: raise it with `--memory`"
"""A remark: a search in order of cost cannot go on."""


NO_MORE_STATES = "memory limit reached: the search went on without storing states; `--memory` gives it more"
"""A remark: a search in order of cost goes on, more slowly."""


class Status(Enum):
    """`OPTIMAL` and `IMPOSSIBLE` are proved; `FEASIBLE` has a plan and a bound; `UNKNOWN` has neither."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@frozen
class CountedPlans:
    """How many sets of actions are best plans, and some of them, each in one order; `is_forced`: there is no other order."""

    number: int
    plans: tuple[tuple[Move, ...], ...]
    is_forced: bool = False


@frozen
class Expectation:
    """The expected value of best play, and that of each first move, best first."""

    value: Fraction
    first: tuple[tuple[Move, Fraction], ...]


@frozen
class MixedChoice:
    """What an optimal mixed strategy does at a choice; `state` is one of the positions that its player holds possible there."""

    player: int
    state: State
    moves: tuple[tuple[Move, Fraction], ...]


@frozen
class Result:
    """`score` is the score of `plan`; no plan does better than `bound` (None: no bound is known). Times are in seconds.

    `proof` names the basis of a proof: `search` (exhausted), `cpsat`, `states` (all were listed), `search+cpsat` or
    `search+states` (both give the same), or `cpsat+refuted` (two CP-SAT runs: the second refutes anything better, with other
    parameters). `remarks` say what an engine could not do. `automorphisms` counts the symmetries of the spaces by which states
    were identified. `comparisons` is how often secret hashes of 64 bits were compared in place of states; `is_about`: the
    number of states differs from run to run.
    `is_endless`: the plan comes to a position for the second time, and best play goes on so for ever.
    The optimal plans are `counted` where CP-SAT did so with its answer. In expectation, `plan` ends where chance first decides
    something, and there is no `score`.
    """

    status: Status
    score: int | None
    bound: int | None
    plan: tuple[Move, ...]
    states: int
    seconds: float
    proof: str = ""
    remarks: tuple[str, ...] = ()
    expectation: Expectation | None = None
    choices: tuple[MixedChoice, ...] = ()
    automorphisms: int = 0
    counted: CountedPlans | None = None
    comparisons: int = 0
    is_about: bool = False
    is_endless: bool = False

    @property
    def proved_up_to(self) -> float | None:
        """An upper bound on the probability, over the keys of the hashes, that the proof takes two states for one: 0 if it
        compares whole states, or if CP-SAT proves the same. None without a proof."""
        if not self.proof:
            return None
        return self.comparisons / 2**64 if self.proof == "search" else 0.0

    @property
    def value(self) -> int | Fraction | None:
        """The number that answers the question: the score of the plan, or the expected value."""
        if self.expectation is None:
            return self.score
        value = self.expectation.value
        return value if value.denominator > 1 else value.numerator


# What a search tells on its way, and hears ------------------------------------------------------------------------------


Progress = Callable[[int | None, int | None, int], None]
"""Called with the best value, the bound (both as the question counts) and the number of states."""

SoFar = Callable[[], Result]
"""What a search answers when it is stopped."""

IsSettled = Callable[[int | None], bool]
"""Given the best value so far (more is better): whether the question is settled elsewhere."""


@frozen
class Incumbent:
    """The best plan so far and its value (more is better); None if there is no plan."""

    value: int | None = None
    plan: tuple[Move, ...] = ()

    def better(self, other: Incumbent) -> Incumbent:
        """The better of two; this one in a tie."""
        return other if other.value is not None and (self.value is None or other.value > self.value) else self


@frozen
class Listener:
    """Receives progress during a search, may end it, and knows of bytes that nothing beside it needs any more (`spare`).

    `Stopped` ends a search at any point, so each search says beforehand how to answer then (`on_stop`).
    """

    progress: Progress = lambda best, bound, states: None
    is_settled: IsSettled = lambda best: False
    spare: Callable[[], int] = lambda: 0
    on_stop: Callable[[SoFar], None] = lambda so_far: None

    def finishing(self, finish: Callable[[Result], Result]) -> Listener:
        """A listener for a part of the work: what the part answers when it is stopped is finished by `finish`."""
        return evolve(self, on_stop=lambda so_far: self.on_stop(lambda: finish(so_far())))
