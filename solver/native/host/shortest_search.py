"""Shortest plans by the best-first search kernel: in baseline code first, then in optimised code if that takes too long.

At first states are ordered by cost alone. If that gives no answer soon, distances are derived from the rules and the search
continues as A*; if that does not suffice either, pattern databases are filled, and used if a probe shows that they add
information. Cached distances and patterns are used from the start. Where moves commute, only stubborn sets of them are tried.
A long search continues with a worker on each processor.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cached_property

from attrs import evolve

from rulewright.base.records import define, field, frozen
from rulewright.solver.budget import Limits
from rulewright.solver.heuristics.distance_tables import DistanceTable, OutOfTime
from rulewright.solver.heuristics.relaxed_task import RelaxedTask
from rulewright.solver.native.estimates.kept_distances import KeptDistances
from rulewright.solver.native.estimates.kept_landmarks import NOTHING, KeptLandmarks
from rulewright.solver.native.estimates.kept_patterns import Databases, KeptPatterns
from rulewright.solver.native.kernels.uniform_cost import SearchEnd
from rulewright.solver.native.tables.distance_words import words_of
from rulewright.solver.native.tables.orbit_words import no_orbits
from rulewright.solver.native.tables.search_tables import with_parts
from rulewright.solver.result import NO_COMPILER, Result
from rulewright.solver.search.incumbent import Listener
from rulewright.solver.search.shortest_plan import CostOf, ShortestPlanProblem
from rulewright.subset.program import Program, as_baseline_code, as_machine_code_by
from rulewright.subset.refusal import CannotCompile

from .shortest_workers import ShortestPlanKernel, Worker, Workers

LEAST_PASSED = 0.02
"""Orbits are used if they save at least this share of all states; else the test is repeated later."""

LATER = 8
"""The test for orbits is repeated when LATER times as many states are expanded."""

WITHOUT_PATTERNS = 1 << 15
"""States known in machine code before patterns are sought."""

SECONDS_FOR_PATTERNS = 5.0

WITHOUT_LANDMARKS = 1 << 15
"""States known in machine code before landmarks are sought; patterns that were just put to use are tried first."""

SECONDS_FOR_LANDMARKS = 5.0

FIRST_TRIAL, LEAST_TRIAL = 0.05, 0.25
"""Seconds of processor time that searches with and without landmarks are given in turn, doubled each time, and those after
which their bounds are compared."""

WITHOUT_STUBBORN_SETS, OF_LANDMARKS_ALONE = 1 << 15, 1 << 12
"""States known before stubborn sets are sought, after landmarks; fewer where those are sought in each state."""

SECONDS_FOR_STUBBORN_SETS = 0.5

OF_LANDMARKS = 1 << 8
"""States that are expanded before the clock is looked at, if landmarks are sought in each."""

PROBED, LEAST_GAIN = 2000, 0.25
"""States of the queue estimated to test patterns, and the least gain in their mean estimate that makes patterns worthwhile."""

MOST = 0.8
"""Distances not derived in this share of that time, in processor time, are not tried again."""

DIVIDED, DIVIDED_WITH_LANDMARKS = 1 << 16, 1 << 11
"""States that one worker expands in machine code before each processor gets a worker."""

POLL = 0.05
"""Seconds between checks whether the question is settled elsewhere, during compilation."""

NO_ROOM = "memory limit reached: raise it with `--memory`"


@frozen
class Pace:
    """When a search in one kind of code does more than expand states.

    The clock is looked at every `slice` states; automorphisms are sought after `without_orbits` states, distances derived when
    `uninformed` states are known, and abandoned after `seconds_for_distances`.
    """

    slice: int
    without_orbits: int
    uninformed: int
    seconds_for_distances: float


IN_PYTHON = Pace(1 << 7, 1 << 9, 1 << 9, 0.25)
UNOPTIMISED = Pace(1 << 11, 1 << 12, 1 << 13, 0.25)
OPTIMISED = Pace(1 << 13, 1 << 12, 1 << 15, 2.0)


@define(eq=False)
class ShortestSearch:
    """A search until `time.monotonic()` reaches the deadline or memory is used up."""

    kernel: ShortestPlanKernel
    deadline: float
    limits: Limits
    listener: Listener = Listener()
    began: float = field(factory=time.monotonic)
    remarks: tuple[str, ...] = ()
    _workers: Workers = field(init=False)
    _tables: Sequence[DistanceTable] = field(default=(), init=False)
    _has_patterns: bool = field(default=False, init=False)
    """True also if patterns were tried and rejected."""
    _has_landmarks: bool = field(default=False, init=False)
    """True also if landmarks were tried and rejected."""
    _expanded_before: int = field(default=0, init=False)
    """States expanded by a search that was given up for one with landmarks."""
    _seconds_informed: float = field(default=0.0, init=False)
    """Seconds of processor time of the search since estimates were last changed."""
    _is_timed: bool = field(default=False, init=False)
    _seconds_tried: float = field(default=0.0, init=False)
    _is_narrowed: bool = field(default=False, init=False)
    """True also if there are no stubborn sets."""
    _is_divided: bool = field(default=False, init=False)
    """True also if dividing the search was tried and failed."""
    _orbits_begin: int = field(default=0, init=False)
    """States expanded before orbits are tested again."""
    automorphisms: int = field(default=0, init=False)
    """The number of automorphisms, without the identity, by whose orbits states are identified."""

    @property
    def problem(self) -> ShortestPlanProblem:
        return self.kernel.problem

    def run(self, seconds_unoptimised: float, shortest_compilation: float) -> Result:
        """The answer. Searches in baseline code for `seconds_unoptimised` first, and compiles with optimisation only if at
        least `shortest_compilation` seconds remain. Raises `CannotCompile`, and `GameFault` at an error of the rules."""
        problem = self.problem
        if problem.reached(problem.root):
            return problem.result((), problem.root_cost, None, 1, time.monotonic() - self.began)
        is_kept, is_exhausted = self.kernel.is_compiled, False
        program = self.kernel.program(as_machine_code_by(self.deadline) if is_kept else as_baseline_code)
        # Slices run in threads, where nothing stops them half way: within one, run as Python, arrays are half written.
        with ThreadPoolExecutor(self.limits.workers) as threads:
            self._workers = Workers.first(self.kernel, program, self.limits.room, threads)
            self.listener.on_stop(lambda: self._result(False))
            if problem.engine.over(problem.root):
                is_exhausted = True
            elif is_kept:
                is_exhausted = self._look(self.deadline, OPTIMISED)
            else:
                pace = UNOPTIMISED if program.is_compiled else IN_PYTHON
                is_exhausted = self._look(min(self.deadline, time.monotonic() + seconds_unoptimised), pace)
                if not is_exhausted and NO_ROOM not in self.remarks and time.monotonic() < self.deadline:
                    is_exhausted = self._look(self.deadline, self._compiled(pace, shortest_compilation))
        return self._result(is_exhausted)

    def _compiled(self, pace: Pace, shortest_compilation: float) -> Pace:
        """Switch to machine code if possible; returns the pace from now on, as it was if it is not possible."""
        self._is_timed = True
        if self.deadline - time.monotonic() < shortest_compilation:
            return pace
        try:
            self._first.machine.program = self._program_unless_settled()
        except CannotCompile:
            return pace
        except ImportError:
            self.remarks = (*self.remarks, NO_COMPILER)
            return pace
        return OPTIMISED

    def _program_unless_settled(self) -> Program:
        """Machine code. Raises `CannotCompile` if others settle the question before it is ready."""
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

    def _look(self, deadline: float, pace: Pace) -> bool:
        """Continue until the deadline. Returns whether it is proved that the cost is least or that there is no plan."""
        workers = self._workers
        while time.monotonic() < deadline:
            self._look_for_orbits(pace.without_orbits)
            self._narrow(pace)
            self._inform(deadline, pace.uninformed, pace.seconds_for_distances)
            if pace is OPTIMISED:
                self._look_for_patterns(deadline)
                self._look_for_landmarks(deadline)
                self._divide()
            workers, began = self._workers, time.process_time()
            end = workers.advance(pace.slice if workers.task is None else OF_LANDMARKS)
            self._seconds_informed += time.process_time() - began
            match end:
                case SearchEnd.PROVED:
                    return True
                case SearchEnd.FULL if len(workers.members) > 1 or not self._inform(
                    deadline, 0, OPTIMISED.seconds_for_distances
                ):
                    self.remarks = (*self.remarks, NO_ROOM)
                    return False
            self.listener.progress(self._cost, workers.bound or 0, self._expanded)
            if self._is_settled:
                return False
        return False

    def _inform(self, deadline: float, begin: int, seconds: float) -> bool:
        """Derive distances and from then on order states by estimates, once: if they are cached, or when `begin` states are
        known, if `seconds` suffice to derive them. Returns whether it did so now."""
        if self._seconds_tried >= seconds or (self._workers.state_count < begin and not self._distances.are_kept):
            return False
        self._seconds_tried = seconds
        if self._distances.seconds_in_vain >= MOST * seconds:
            return False
        try:
            self._tables = self._distances.found(min(deadline, time.monotonic() + seconds))
        except OutOfTime:
            return False
        self._seconds_tried = OPTIMISED.seconds_for_distances
        patterns = self._patterns.recalled
        self._has_patterns = patterns is not None
        return self._use(patterns or ())

    def _narrow(self, pace: Pace) -> None:
        """Try only the moves of stubborn sets in a long search, if the rules show that some moves commute."""
        begin = WITHOUT_STUBBORN_SETS if self._workers.task is None else OF_LANDMARKS_ALONE
        is_due = self._workers.state_count >= begin and (self._has_landmarks or pace is not OPTIMISED)
        if self._is_narrowed or not is_due or self.problem.cost_of is not CostOf.MOVES:
            return
        # Imported when needed: most questions are answered sooner.
        from rulewright.solver.cpsat.model.circuit import ModelTooLarge
        from rulewright.solver.cpsat.model.guarded_values import TooManyCases, Unsupported
        from rulewright.solver.cpsat.order_free.stubborn_sets import StubbornSets

        self._is_narrowed = True
        problem = self.problem
        with suppress(Unsupported, TooManyCases, ModelTooLarge):
            sets = StubbornSets.of(problem.engine, problem.analysis, problem.root, problem.until, SECONDS_FOR_STUBBORN_SETS)
            self._workers.narrow(sets)

    def _use(self, patterns: Databases) -> bool:
        """Estimate by tables and patterns from now on; False if there are neither."""
        if not self._tables and not patterns:
            return False
        self._workers.inform(words_of(self._tables, patterns, self._first.machine))
        self._seconds_informed = 0.0
        return True

    def _look_for_patterns(self, deadline: float) -> None:
        """Fill pattern databases once in a long search, and use them if they raise the estimates of queued states."""
        search, machine = self._first.search, self._first.machine
        is_due = search.state_count >= WITHOUT_PATTERNS and self._seconds_tried >= OPTIMISED.seconds_for_distances
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

    def _look_for_landmarks(self, deadline: float) -> None:
        """Begin anew with landmarks, once: if they are known to pay, or in a long search after a trial."""
        is_due = self._has_patterns and self._seconds_informed > 0 and self._workers.state_count >= WITHOUT_LANDMARKS
        if self._has_landmarks or self.problem.cost_of is not CostOf.MOVES or len(self._workers.members) > 1:
            return
        task = self._landmarks.recalled
        if task is None and is_due:
            task = self._tried(deadline)
        self._has_landmarks = task is not None
        if task is not None and task.operators and self._workers.task is None:
            self._take_over(self._anew(task))

    def _tried(self, deadline: float) -> RelaxedTask:
        """The relaxed task if a search with its landmarks raises the bound higher in the same time, which then takes over."""
        old, self._is_timed = self._workers, True
        try:
            task = self._landmarks.find(min(deadline, time.monotonic() + SECONDS_FOR_LANDMARKS))
        except OutOfTime:
            return self._landmarks.keep(NOTHING)
        trial, spent, needed = self._anew(task), 0.0, max(LEAST_TRIAL, self._seconds_informed)
        while spent < needed:
            share = spent or FIRST_TRIAL
            end = self._advance(trial, share, deadline)
            if end is not SearchEnd.PAUSED:
                break
            spent += share
            if self._advance(old, spent - self._seconds_informed, deadline) is not SearchEnd.PAUSED:
                return NOTHING
            if self._is_settled or time.monotonic() > deadline:
                return NOTHING
        if end is not SearchEnd.PROVED and (trial.bound or 0) <= (old.bound or 0):
            return self._landmarks.keep(NOTHING)
        self._take_over(trial)
        return self._landmarks.keep(task)

    def _advance(self, workers: Workers, seconds: float, deadline: float) -> SearchEnd:
        """Let workers expand states in optimised code for some seconds of processor time."""
        states = OPTIMISED.slice if workers.task is None else OF_LANDMARKS
        end, began = SearchEnd.PAUSED, time.process_time()
        while end is SearchEnd.PAUSED and time.process_time() < began + seconds and not self._is_settled:
            end = workers.advance(states)
            if time.monotonic() > deadline:
                break
        if workers is self._workers:
            self._seconds_informed += time.process_time() - began
        return end

    def _take_over(self, workers: Workers) -> None:
        self._expanded_before += self._workers.expanded
        self._workers, self.automorphisms, self._orbits_begin = workers, 0, 0

    def _anew(self, task: RelaxedTask) -> Workers:
        """A search from the root with the present estimates and the landmarks of a task."""
        first = self._first
        workers = Workers.first(self.kernel, first.machine.program, self.limits.room, self._workers.threads)
        workers.inform(first.search.distances, task)
        workers.narrow(self._workers.sets)
        return workers

    def _look_for_orbits(self, begin: int) -> None:
        """Identify the states of an orbit, if a test on the known states shows that this saves many."""
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
    def _landmarks(self) -> KeptLandmarks:
        return KeptLandmarks(self._distances)

    @cached_property
    def _patterns(self) -> KeptPatterns:
        return KeptPatterns(self._distances)

    @cached_property
    def _distances(self) -> KeptDistances:
        return KeptDistances(self.problem, self.kernel.identity(self._first.machine))

    def _divide(self) -> None:
        """Give each processor a worker, once all estimates are in use and the search is long."""
        workers, number = self._workers, self.limits.workers
        begin = DIVIDED if workers.task is None else DIVIDED_WITH_LANDMARKS
        is_informed = self._has_landmarks or self.problem.cost_of is not CostOf.MOVES
        if len(workers.members) < number and workers.expanded >= begin and is_informed and not self._is_divided:
            self._is_divided = True
            workers.divide(self.kernel, number, self.listener.spare())

    @property
    def _expanded(self) -> int:
        return self._expanded_before + self._workers.expanded

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
        result = self.problem.result(workers.plan, workers.cost, bound, self._expanded, seconds)
        return evolve(result, remarks=self.remarks, automorphisms=self.automorphisms, is_about=self._is_timed)
