"""What makes a search for shortest plans expand fewer states. What takes longer to build is built later.

Orbits of states, and stubborn sets of moves, leave states and moves out. Distances, pattern databases and landmarks (LM-cut)
estimate what is left of a plan. Those that are kept in the cache are used from the start.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from rulewright.base.records import define
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.shortest.estimates.distance_layout import words_of
from rulewright.solver.shortest.estimates.distance_tables import SECONDS, DistanceTable, OutOfTime
from rulewright.solver.shortest.estimates.factors import SMALL, Size
from rulewright.solver.shortest.estimates.landmarks import NOTHING, CachedLandmarks
from rulewright.solver.shortest.estimates.pattern_databases import CachedPatterns, Databases
from rulewright.solver.shortest.estimates.relaxed_task import RelaxedTask
from rulewright.subset.refusal import CannotCompile

from .search import Booster, ShortestSearch
from .stubborn_layout import stubborn_words
from .workers import Workers

FEW_SLICES = 4
"""So many slices of states are known before automorphisms are sought, and distances derived. Measured on eleven puzzles: 2 and
8 give 0.86 and 1.05 times as many states in 1.01 and 0.87 times the time."""

LEAST_PASSED = 0.02
"""Orbits are used if they save at least this share of the known states. Measured on eleven puzzles: 0.005 and 0.1 change
no state."""

MANY = 1 << 15
"""States known before patterns, landmarks or stubborn sets are sought: as many as optimised code finds in tenths of a second.
The search is divided among workers when four times as many are known. Measured on eleven puzzles that take 20 s: with 4,096
one of them takes more than 30 s."""

FIRST_SECONDS = 0.25
"""For what is tried first: distances in baseline code, stubborn sets, a search with landmarks."""

STATES_FOR_A_PLAN, WEIGHT = 1 << 18, 3
"""States that are expanded for some plan, in about half a second, while estimates weigh WEIGHT times as much. Measured: plans
of 27 fifteen puzzles of Korf have 3.2 moves too many on average. If there is none, sweeps seek one, as many states at least."""

HOPELESS, SWEEPS, NEAR = 4, 3, 2
"""The search stays at a bound for long once it has expanded so many times the states that it had before; then sweeps expand
so many times the states that follow, unless a plan costs at most NEAR more. Measured on XSokoban: so levels 51 and 83 get plans
that cost what the bound is, and 3 and 7 lose no time."""

MOST_STATES, MOST_ENTRIES = 1 << 28, 1 << 24
"""Of a large pattern. The search for its distances takes three bits for each state."""

LONG = 3.0
"""Seconds of processor time with small patterns before large ones are sought."""

IN_VAIN = 0.8
"""Distances not derived in this share of their time, in processor time, are not tried again."""


def boosters_of(search: ShortestSearch) -> list[Booster]:
    """Those that may help a search, in the order in which they are considered."""
    distances = Distances()
    patterns = Patterns(distances)
    if not search.counts_moves:
        return [Orbits(), distances, Division()]
    return [Orbits(), StubbornMoves(), distances, patterns, LargePatterns(patterns), AnyPlan(), Landmarks(), Division()]


@define(eq=False)
class Orbits:
    """Identifies the states of an orbit, if a test on the known states shows that this saves many."""

    def boost(self, search: ShortestSearch) -> bool:
        workers = search.workers
        if len(workers.members) > 1:
            return True
        if search.work < FEW_SLICES * search.run.slice:
            return False
        found = search.game.automorphisms
        if not found:
            return True
        if workers.use_orbits(search.game.orbits(found)) >= LEAST_PASSED * workers.state_count:
            search.automorphisms = len(found)
        else:
            workers.use_orbits(search.game.orbits(()))
        return True


@define(eq=False)
class StubbornMoves:
    """Tries only the moves of stubborn sets, if the rules show that some moves commute."""

    def boost(self, search: ShortestSearch) -> bool:
        if search.work < MANY or (search.run.is_optimised and not search.is_past(Landmarks)):
            return False
        # Imported when needed: most questions are answered sooner.
        from rulewright.rules.analysis.stubborn_sets import StubbornSets
        from rulewright.rules.symbolic.circuit import Refused

        problem = search.problem
        with suppress(Refused):
            sets = StubbornSets.of(problem.engine, problem.analysis, problem.root, problem.until, FIRST_SECONDS)
            search.workers.use_stubborn_sets(stubborn_words(sets, search.workers.members[0].machine))
        return True


@define(eq=False)
class Distances:
    """Estimates by distances: at once if they are kept; once in baseline code, and again with more time in optimised code."""

    tables: Sequence[DistanceTable] = ()
    _tried: float = 0.0

    def boost(self, search: ShortestSearch) -> bool:
        is_last = search.is_full or search.run.is_optimised
        seconds = SECONDS if is_last else FIRST_SECONDS
        is_long = search.is_full or search.work >= FEW_SLICES * search.run.slice
        if self._tried >= seconds or not (is_long or search.distances.are_kept):
            return False
        self._tried = seconds
        if search.distances.seconds_in_vain >= IN_VAIN * seconds:
            return is_last
        try:
            self.tables = search.distances.found(min(search.deadline, time.monotonic() + seconds))
        except OutOfTime:
            return is_last
        if self.tables:
            search.game.narrow(search.distances.finder.ranges(self.tables))
            search.workers.repack()
            _estimate(search, self.tables, ())
        return True


@define(eq=False)
class Patterns:
    """Estimates by distances and pattern databases."""

    distances: Distances
    size: Size = SMALL
    found: bool = False
    _kept: CachedPatterns | None = None

    def boost(self, search: ShortestSearch) -> bool:
        is_due = search.work >= MANY and search.run.is_optimised
        return search.is_past(Distances) and self.sought(search, is_due, time.monotonic() + SECONDS)

    def sought(self, search: ShortestSearch, is_due: bool, until: float) -> bool:
        """Use those that are kept, or that can be filled until `time.monotonic()` reaches a time, once that is due; whether
        nothing is left to do."""
        patterns = self._kept = self._kept or CachedPatterns(search.distances, self.size)
        found = patterns.recalled
        if found is None:
            if not is_due:
                return False
            try:
                until = min(search.deadline, until)
                if (needed := patterns.bytes_to_find(until)) > search.room:
                    return True
                if search.workers.bytes + needed > search.room:
                    search.replace(_anew(search, None), [Orbits()])
                found = patterns.find(until)
            except (OutOfTime, CannotCompile, ImportError):
                return True
            patterns.keep(found)
        self.found, self._kept = bool(found), None
        if found:
            _estimate(search, self.distances.tables, found)
        return True


@define(eq=False)
class LargePatterns:
    """Larger pattern databases, where there are small ones and the search is still long."""

    small: Patterns
    _large: Patterns | None = None

    def boost(self, search: ShortestSearch) -> bool:
        if not search.is_past(Patterns):
            return False
        if not self.small.found or search.workers.task is not None:
            return True
        if self._large is None:
            share = search.limits.memory_mib - search.limits.co_solver_mib
            states = 1 << ((share << 20).bit_length() - 2)  # the same in each run, to be recalled
            self._large = Patterns(self.small.distances, Size(min(states, MOST_STATES), MOST_ENTRIES))
        is_due = search.seconds_alike >= LONG or search.is_full
        return self._large.sought(search, is_due, (time.monotonic() + search.deadline) / 2)


def _estimate(search: ShortestSearch, tables: Sequence[DistanceTable], patterns: Databases) -> None:
    """Order states by these estimates from now on."""
    search.workers.use_estimates(words_of(tables, patterns, search.workers.members[0].machine))
    search.seconds_alike = 0.0


@define(eq=False)
class AnyPlan:
    """Finds some plan by another search, from the root, in which estimates weigh more. If there is none, a search that proves
    nothing (kernels/sweeping.py) expands as many states as the search itself until it has one. A plan limits what the search
    keeps, and is the answer if that ends without a better one.

    Where tiles may be lost, plans are hard to find, and sweeps go on: where the bound does not rise and a plan is far above it,
    they seek one that costs no more than the bound, which is then proved."""

    begin: int = MANY
    workers: Workers | None = None
    _bound: int | None = None
    """The bound of the search, and the states that it had expanded when it reached that."""
    _before: int = 0

    def boost(self, search: ShortestSearch) -> bool:
        main = search.workers
        if not search.room_for_a_plan or search.is_full:
            return self._end(search)
        if self.workers is None:
            if main.cost is not None and not main.learns:
                return self._end(search)
            if search.work < self.begin or not search.is_past(Distances):
                return False
            if main.cost is None and _finds_plan(search) and not main.learns:
                return self._end(search)
        if main.bound != self._bound:
            self._bound, self._before = main.bound, main.expanded
            self.workers = None if main.cost is not None else self.workers
        share = main.expanded
        if main.cost is not None:
            share = SWEEPS * (main.expanded - HOPELESS * self._before)
            if main.cost - (main.bound or 0) <= NEAR:
                return False
        workers = self.workers
        if workers is None and share > 0:
            workers = self.workers = _anew(search, None, 1)
            workers.sweep()
            if main.cost is not None:
                workers.know((main.bound or 0) + 1, ())
        end = SearchEnd.PAUSED if workers is None else _seek_plan(search, workers, share)
        if workers is not None and workers.best is not None:
            main.know(workers.cost, workers.plan)
            self.workers = None
            return not main.learns and self._end(search)
        return end is not SearchEnd.PAUSED and not main.learns and self._end(search)

    def _end(self, search: ShortestSearch) -> bool:
        search.room_for_a_plan, self.workers = 0, None
        return True


def _finds_plan(search: ShortestSearch) -> bool:
    """Whether a search in which estimates weigh more finds a plan, which is then known."""
    workers = _anew(search, None, WEIGHT)
    _seek_plan(search, workers, STATES_FOR_A_PLAN >> (4 if workers.learns else 0))
    search.workers.know(workers.cost, workers.plan)
    return workers.best is not None


def _seek_plan(search: ShortestSearch, workers: Workers, states: int) -> SearchEnd:
    """Let workers expand states until they have a plan, or have expanded so many in all."""
    end = SearchEnd.PAUSED
    while end is SearchEnd.PAUSED and workers.best is None and workers.expanded < states:
        if time.monotonic() > search.deadline:
            break
        end = search.advance(workers, search.run.slice)
    return end


@define(eq=False)
class Landmarks:
    """Begins anew with landmarks: if they are known to pay, or if they win a race. A second search starts at the root; both
    alternate in slices that double from FIRST_SECONDS, of processor time."""

    _kept: CachedLandmarks | None = None

    def boost(self, search: ShortestSearch) -> bool:
        if search.is_full or not search.run.is_optimised or not search.is_past(Distances):
            return False
        if search.workers.learns:
            return True  # a relaxed task knows nothing of tiles that hold each other
        landmarks = self._kept = self._kept or CachedLandmarks(search.distances)
        task = landmarks.recalled
        if task is None:
            if not search.is_past(Patterns) or search.work < MANY or search.seconds_alike == 0.0:
                return False
            self._race(search, landmarks)
        elif task.operators:
            search.replace(_anew(search, task), [Orbits()])
        return True

    def _race(self, search: ShortestSearch, landmarks: CachedLandmarks) -> None:
        """Let a search with landmarks take over if it raises the bound higher in the same time; what won is kept."""
        old, search.is_timed = search.workers, True
        try:
            task = landmarks.find(min(search.deadline, time.monotonic() + SECONDS))
        except OutOfTime:
            landmarks.keep(NOTHING)
            return
        trial, spent, needed = _anew(search, task), 0.0, max(FIRST_SECONDS, search.seconds_alike)
        while spent < needed:
            share = spent or FIRST_SECONDS
            end = _advance(search, trial, share)
            if end is not SearchEnd.PAUSED:
                break
            spent += share
            if _advance(search, old, spent - search.seconds_alike) is not SearchEnd.PAUSED:
                return
            if search.is_settled or time.monotonic() > search.deadline:
                return
        if end is SearchEnd.DONE or (trial.bound or 0) > (old.bound or 0):
            search.replace(trial, [Orbits()])
            landmarks.keep(task)
        else:
            landmarks.keep(NOTHING)


def _anew(search: ShortestSearch, task: RelaxedTask | None, for_a_plan: int = 0) -> Workers:
    """A search from the root with the present estimates, and the landmarks of a task, or one for some plan, with a weight."""
    old, workers = search.workers, search.begun(for_a_plan)
    workers.use_estimates(old.members[0].search.distances, task)
    workers.use_stubborn_sets(old.members[0].search.stubborn)
    workers.know(old.cost, old.plan)
    return workers


def _advance(search: ShortestSearch, workers: Workers, seconds: float) -> SearchEnd:
    """Let workers expand states for some seconds of processor time."""
    end, began = SearchEnd.PAUSED, time.process_time()
    while end is SearchEnd.PAUSED and time.process_time() < began + seconds and not search.is_settled:
        end = search.advance(workers, search.run.slice)
        if time.monotonic() > search.deadline:
            break
    return end


@define(eq=False)
class Division:
    """Gives each processor a worker, once all estimates are in use and the search is long."""

    def boost(self, search: ShortestSearch) -> bool:
        number = search.limits.workers
        if number == 1 or search.is_full:
            return True
        if search.work < 4 * MANY or not search.run.is_optimised or not search.is_past(Patterns, Landmarks):
            return False
        search.workers.divide(number, search.room)
        return True
