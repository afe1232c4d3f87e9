"""Shortest plans by the kernel of best-first search: in code compiled in haste at first, optimised when that does not do.

At first states are expanded by their cost alone. Where that does not answer soon, distances are read off the rules and the
search goes on as A*; where that does not either, pattern databases are filled, and used if a probe shows that they say more.
What the cache has of both is used from the beginning. A search that still lasts goes on with a worker on each processor.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cached_property

from attrs import evolve, field

from rulewright.base.records import define
from rulewright.solver.budget import Limits
from rulewright.solver.heuristics.distance_tables import DistanceTable, OutOfTime
from rulewright.solver.native.estimates.distance_words import words_of
from rulewright.solver.native.estimates.kept_distances import KeptDistances
from rulewright.solver.native.estimates.kept_patterns import Databases, KeptPatterns
from rulewright.solver.native.kernels.uniform_cost import SearchEnd
from rulewright.solver.result import NO_COMPILER, Result
from rulewright.solver.search.incumbent import Listener
from rulewright.solver.search.shortest_plan import CostOf, ShortestPlanProblem
from rulewright.subset.program import Program, as_baseline_code, as_machine_code_by
from rulewright.subset.refusal import CannotCompile

from .shortest_workers import ShortestPlanKernel, Worker, Workers, with_parts
from .state_tables import no_orbits

SHORT_SLICE, SLICE = 1 << 7, 1 << 15
"""States that are expanded between two looks at the clock."""

UNINFORMED_UNOPTIMISED, UNINFORMED = 1 << 9, 1 << 15
"""States that are expanded by their cost alone before distances are looked for."""

WITHOUT_ORBITS_UNOPTIMISED, WITHOUT_ORBITS = 1 << 9, 1 << 12
"""States that are expanded before it is asked which ones automorphisms map to each other."""

LEAST_PASSED = 0.02
"""Orbits are told apart where that makes this share of all states needless; else it is asked again later."""

LATER = 8
"""When so many times as many states are expanded."""

WITHOUT_PATTERNS = 1 << 15
"""States that are expanded in machine code before patterns are looked for."""

SECONDS_FOR_PATTERNS = 3.0

PROBED, LEAST_GAIN = 2000, 0.25
"""So many states of the queue are estimated with patterns, which are worth having if they raise the mean by so much."""

SECONDS_FOR_DISTANCES_UNOPTIMISED, SECONDS_FOR_DISTANCES = 0.25, 2.0
"""After so long it is given up to derive them: while the search is not in machine code, or for good."""

MOST = 0.8
"""What was not derived in this share of that time on a processor is not tried again."""

DIVIDED = 1 << 16
"""States that are expanded in machine code by one worker before each processor gets one."""

POLL = 0.05
"""Seconds between looks at what others have found, while machine code is made."""

NO_ROOM = "the memory is used up: more is allowed by `--memory`"


@define(eq=False)
class ShortestSearch:
    """A search until `time.monotonic()` reaches the deadline, or the memory is used up."""

    kernel: ShortestPlanKernel
    deadline: float
    limits: Limits
    listener: Listener = Listener()
    began: float = field(factory=time.monotonic)
    remarks: tuple[str, ...] = ()
    _workers: Workers = field(init=False)
    _tables: Sequence[DistanceTable] = field(default=(), init=False)
    _has_patterns: bool = field(default=False, init=False)
    """Or whether they were tried."""
    _seconds_tried: float = field(default=0.0, init=False)
    _is_divided: bool = field(default=False, init=False)
    """Or whether that was tried."""
    _orbits_begin: int = field(default=0, init=False)
    """So many states are expanded before it is asked for orbits again."""
    automorphisms: int = field(default=0, init=False)
    """How many make the orbits that are told apart, but for the identity."""

    @property
    def problem(self) -> ShortestPlanProblem:
        return self.kernel.problem

    def run(self, seconds_unoptimised: float, shortest_compilation: float) -> Result:
        """The answer. So many seconds are spent in code compiled in haste before that is optimised, and nothing is optimised
        with less time than that left. Raises `CannotCompile`, and `GameFault` at an error of the rules."""
        problem = self.problem
        if problem.reached(problem.root):
            return problem.result((), problem.root_cost, None, 1, time.monotonic() - self.began)
        is_kept, is_exhausted = self.kernel.is_compiled, False
        program = self.kernel.program(as_machine_code_by(self.deadline) if is_kept else as_baseline_code)
        # An interrupt comes between slices: within one, run as Python, it would leave the arrays half written.
        with suppress(KeyboardInterrupt), ThreadPoolExecutor(self.limits.workers) as threads:
            self._workers = Workers.first(self.kernel, program, self.limits.room, threads)
            if problem.engine.over(problem.root):
                is_exhausted = True
            elif is_kept:
                is_exhausted = self._look(self.deadline, SLICE)
            else:
                is_exhausted = self._look(min(self.deadline, time.monotonic() + seconds_unoptimised), SHORT_SLICE)
                if not is_exhausted and NO_ROOM not in self.remarks and time.monotonic() < self.deadline:
                    is_exhausted = self._look(self.deadline, self._compiled(shortest_compilation))
        return self._result(is_exhausted)

    def _compiled(self, shortest_compilation: float) -> int:
        """Go on in machine code if there can be; gives the length of a slice."""
        if self.deadline - time.monotonic() < shortest_compilation:
            return SHORT_SLICE
        try:
            self._first.machine.program = self._program_unless_settled()
        except CannotCompile:
            return SHORT_SLICE
        except ImportError:
            self.remarks = (*self.remarks, NO_COMPILER)
            return SHORT_SLICE
        return SLICE

    def _program_unless_settled(self) -> Program:
        """Machine code. Raises `CannotCompile` where others have settled the question before it is ready."""
        cancelled = threading.Event()
        compiling = self._workers.threads.submit(self.kernel.program, as_machine_code_by(self.deadline, cancelled))
        try:
            while not wait([compiling], POLL).done and not self._is_settled:
                pass
        finally:
            cancelled.set()
        return compiling.result()

    @property
    def _is_settled(self) -> bool:
        return self.listener.is_settled(None if self._cost is None else -self._cost)

    def _look(self, deadline: float, states: int) -> bool:
        """Go on until then. Gives whether the least cost is proved, or that there is no plan."""
        workers = self._workers
        while time.monotonic() < deadline:
            if states == SHORT_SLICE:
                self._inform(deadline, UNINFORMED_UNOPTIMISED, SECONDS_FOR_DISTANCES_UNOPTIMISED)
                self._look_for_orbits(WITHOUT_ORBITS_UNOPTIMISED)
            else:
                self._look_for_orbits(WITHOUT_ORBITS)
                self._inform(deadline, UNINFORMED, SECONDS_FOR_DISTANCES)
                self._look_for_patterns(deadline)
                self._divide()
            match workers.advance(states):
                case SearchEnd.PROVED:
                    return True
                case SearchEnd.FULL if len(workers.members) > 1 or not self._inform(deadline, 0, SECONDS_FOR_DISTANCES):
                    self.remarks = (*self.remarks, NO_ROOM)
                    return False
            self.listener.progress(self._cost, workers.bound or 0, workers.expanded)
            if self._is_settled:
                return False
        return False

    def _inform(self, deadline: float, begin: int, seconds: float) -> bool:
        """Order states by estimates from here on, once: where they are known, or when so many states are expanded and they can
        be derived in time. Gives whether that was done now."""
        if self._seconds_tried >= seconds or (self._workers.expanded < begin and not self._distances.are_kept):
            return False
        self._seconds_tried = seconds
        if self._distances.seconds_in_vain >= MOST * seconds:
            return False
        try:
            self._tables = self._distances.found(min(deadline, time.monotonic() + seconds))
        except OutOfTime:
            return False
        self._seconds_tried = SECONDS_FOR_DISTANCES
        patterns = self._patterns.recalled
        self._has_patterns = patterns is not None
        return self._use(patterns or ())

    def _use(self, patterns: Databases) -> bool:
        """Estimate by tables and patterns from here on; False where there are neither."""
        if not self._tables and not patterns:
            return False
        self._workers.inform(words_of(self._tables, patterns, self._first.machine))
        return True

    def _look_for_patterns(self, deadline: float) -> None:
        """Fill pattern databases once, where the search lasts, and use them if they say more of the states in the queue."""
        search, machine = self._first.search, self._first.machine
        is_due = search.expanded >= WITHOUT_PATTERNS and self._seconds_tried >= SECONDS_FOR_DISTANCES
        if self._has_patterns or not is_due or self.problem.cost_of is not CostOf.MOVES:
            return
        self._has_patterns = True
        try:
            found = self._patterns.find(min(deadline, time.monotonic() + SECONDS_FOR_PATTERNS))
        except (OutOfTime, CannotCompile, ImportError):
            return
        probe = with_parts(search, distances=words_of((), found, machine))
        gain = machine.program.raised(probe, PROBED) if found else 0
        is_worth_it = gain > LEAST_GAIN * min(PROBED, search.queued)
        self._patterns.keep(found if is_worth_it else ())
        if is_worth_it:
            self._use(found)

    def _look_for_orbits(self, begin: int) -> None:
        """Tell orbits apart, no longer states, where a look at the states known shows that this leaves many out."""
        workers = self._workers
        if self.automorphisms or len(workers.members) > 1 or workers.expanded < max(begin, self._orbits_begin):
            return
        found = self.kernel.automorphisms
        if not found:
            self._orbits_begin = sys.maxsize
        elif workers.regard(self.kernel.orbits(self._first.machine)) >= LEAST_PASSED * self._first.search.state_count:
            self.automorphisms = len(found)
        else:
            workers.regard(no_orbits())
            self._orbits_begin = LATER * workers.expanded

    @cached_property
    def _patterns(self) -> KeptPatterns:
        return KeptPatterns(self._distances)

    @cached_property
    def _distances(self) -> KeptDistances:
        return KeptDistances(self.problem, tuple(source.text for source in self.kernel.sources))

    def _divide(self) -> None:
        """Give each processor a worker, once all that is worth knowing is known and the search still lasts."""
        workers, number = self._workers, self.limits.workers
        if len(workers.members) < number and workers.expanded >= DIVIDED and not self._is_divided:
            self._is_divided = True
            workers.divide(self.kernel, number)

    @property
    def _first(self) -> Worker:
        return self._workers.members[0]

    @property
    def _cost(self) -> int | None:
        return self._workers.cost

    def _result(self, is_exhausted: bool) -> Result:
        workers = self._workers
        bound = None if is_exhausted else workers.bound
        seconds = time.monotonic() - self.began
        result = self.problem.result(workers.plan, workers.cost, bound, workers.expanded, seconds)
        return evolve(result, remarks=self.remarks, automorphisms=self.automorphisms)
