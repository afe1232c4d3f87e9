"""Exact search by the kernels: depth-first branch and bound, first in one thread, then in one thread per processor.

A search may begin in plain Python and continue in machine code where it left off: both work on the same arrays.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rulewright.base.deadline import TimeUp
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.thread_pool import Threads
from rulewright.rules.model.state import OVER, POINT
from rulewright.solver.best.kernels.transposition_table import BUCKET_SIZE, MOST_THREADS
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd
from rulewright.solver.kernel.ground_numbers import no_numbers
from rulewright.solver.kernel.run import POLL, Run, beside
from rulewright.solver.result import Incumbent, Limits, Listener, Result

from .kernel_problem import FEW_BUCKETS, FINISHED, TIME_UP, UNFIT, KernelProblem, SharedState, Worker
from .problem import Problem, result_of

if TYPE_CHECKING:
    from .prefix_search import BeamPrefixes, ElitePrefixes, Prefix, PrefixSearch

# Destructive bound tightening -----------------------------------------------------------------------------------------
# Refutes goals one by one, each a point below the last (Klein and Scholl, 1999).
#
# A goal far above the best plan prunes much more than the best plan does, so the first goals fall soon. When the goals meet
# the best plan, it is proved optimal; until then the last refuted goal is a bound.


@define(eq=False)
class BoundTightening:
    """Lowers `bound`, which no plan exceeds, with transposition tables (`most_buckets` at most) and workers of its own, each of
    which may join at any time."""

    workers: Sequence[Worker]
    bound: int
    most_buckets: int
    _goal: SharedState | None = None
    _joined: list[Worker] = field(factory=list)
    _buckets: int = FEW_BUCKETS
    _stopped: bool = False
    _changed: threading.Condition = field(factory=threading.Condition)

    def run(self, shared: SharedState, states: int = ENDLESS, number: int = 1) -> None:
        """Refute goals, as worker `number`, until the bound meets the incumbent, `stop`, or the node limit; the next call
        resumes."""
        worker = self.workers[number - 1]
        until = worker.states + states
        while (goal := self._goal_for(worker, shared)) is not None:
            if worker.states >= until:
                return
            worker.resume(goal, number, until - worker.states)
            if goal.best >= goal.enough:
                shared.raise_best(goal.best)
            if worker.status in UNFIT:
                self.stop()
        if self.bound <= shared.best:
            shared.stop(FINISHED)

    def _goal_for(self, worker: Worker, shared: SharedState) -> SharedState | None:
        """The goal that a worker has not done with, or the next one once all that joined have left the root; None at the
        end."""
        with self._changed:
            if worker not in self._joined:
                self._joined.append(worker)
                worker.begin()
            while not self._stopped and self.bound > shared.best:
                if self._goal is None:
                    self._begin(shared)
                elif all(one.status == SearchEnd.DONE for one in self._joined):
                    self._goal, self.bound = None, self.bound - 1
                elif worker.status != SearchEnd.DONE:
                    return self._goal
                else:
                    self._changed.wait(POLL)
        return None

    def _begin(self, shared: SharedState) -> None:
        """Begin to refute the value of the bound."""
        self._goal = shared.renewed(min(self._buckets, self.most_buckets), self.bound - 1, self.bound)
        self._buckets *= 2  # the first goals fall at once
        for worker in self._joined:
            worker.begin()
        self._changed.notify_all()

    def stop(self) -> None:
        """Make `run` return at its next check."""
        with self._changed:
            self._stopped = True
            if self._goal is not None:
                self._goal.stop(TIME_UP)


# Exact search by the kernels ------------------------------------------------------------------------------------------


PREFIXES_SHARE = 0.5
"""Largest share of the remaining time for prefix restarts."""

SHARE = 0.1
"""Share of the remaining time for what comes before a longer search: automorphisms, whether actions commute, and the beam;
exact search where a proof seems out of reach (tiles that are never laid may mislead), search by turns (measured: it stops
improving after seconds), finding prefixes. If plans are sought for at least this share, a proof is unlikely: one thread then
seeks plans to the end."""

FROM_ABOVE = 0.2
"""Share of the time after which destructive bound tightening begins: an earlier proof needs no bound."""

SLICE = 1 << 10
"""Nodes that a thread expands before it checks the clock or switches to its other task. Measured on eight puzzles of tiles:
a quarter and eight times as many give the same states, within 9 % of the seconds."""

CLOSE_AT_FIRST = 4
"""Most tiles to come with which the bound branches before code is optimised: an earlier refutation costs more than it saves.
Measured on six puzzles: 3 to 5 are best; more delays the first plan by seconds. On sixteen small ones, without that limit 0.6
times as many states in as much time; with 2, 2.6 times as many."""

MANY_AUTOMORPHISMS = 7
"""So many reduce states by more than an order of actions reduces transitions. Measured on knights that attack none other: with
3 orbits take 1.4 times as long as an order, with 7 0.9 times."""

COMPARED = 32
"""Bound on the hashes compared for a generated state: when it is generated, and when it is searched and done, those of two
buckets and of two bounds, and a bucket each."""

BEAM_PART = 8
"""A beam takes at most 1/BEAM_PART of the memory, besides the tables."""

BUCKET_BYTES, BOUND_BYTES = BUCKET_SIZE * 16, 16
"""Bytes of a bucket of the transposition table, and of a bound that is kept."""


class Unfit(Exception):
    """The kernels cannot answer: a fault of the rules, or lines of play that are too long."""


@frozen
class Guidance:
    """What a search for plans suggests to the exact search.

    Prefixes for restarts, most promising first; a source of prefixes `around` the best plan; and the share of the time after
    which the last thread tightens the bound `from_above`. If that is 0, all threads do so, and otherwise seek plans only.
    """

    prefixes: BeamPrefixes | Sequence[Prefix] = ()
    around: ElitePrefixes | None = None
    from_above: float = FROM_ABOVE


@define(eq=False)
class ParallelSearch:
    """An exact search until the deadline of its run; `incumbent` is the best plan known at its start."""

    kernels: KernelProblem
    run: Run
    listener: Listener = Listener()
    limits: Limits = Limits()
    incumbent: Incumbent = Incumbent()
    began: float = field(factory=time.monotonic)
    elsewhere: int = 0
    """States counted by searches for plans."""

    bound: int | None = field(init=False)
    """At the root: that of the problem, lowered by dual costs where these bound states."""
    branching_tiles: int = field(init=False)
    """Most tiles to come with which the bound branches, in machine code."""
    workers: list[Worker] = field(init=False)
    shared: SharedState = field(init=False)
    prefixes: PrefixSearch | None = field(default=None, init=False)
    tightening: BoundTightening | None = field(default=None, init=False)
    automorphisms: int = field(default=0, init=False)
    """The number of automorphisms, without the identity, by whose orbits states are identified."""
    _threads: Threads | None = field(default=None, init=False)
    _has_begun: bool = field(default=False, init=False)
    _has_ended: bool = field(default=False, init=False)
    _until: float = field(default=0.0, init=False)
    """When the threads end, by `time.monotonic()`."""

    def __attrs_post_init__(self) -> None:
        problem, worker = self.problem, self._worker()
        self.branching_tiles = self.kernels.tables.branching_tiles
        if not self.run.is_optimised:
            self.kernels.tables.branching_tiles = min(CLOSE_AT_FIRST, self.branching_tiles)
        bound = self.kernels.derived.most
        if bound is not None and self.kernels.has_dual_bound:
            bound = worker.bound(bound)
        least = -ENDLESS if self.incumbent.value is None else self.incumbent.value
        enough = ENDLESS if bound is None else bound
        if problem.threshold is not None:
            least, enough = max(least, problem.threshold - 1), problem.threshold
        self.bound, self.workers, self.shared = bound, [worker], SharedState.of(FEW_BUCKETS, 2 * FEW_BUCKETS, least, enough)

    @property
    def problem(self) -> Problem:
        return self.kernels.problem

    @property
    def deadline(self) -> float:
        return self.run.deadline

    def _worker(self) -> Worker:
        """The arrays of another thread."""
        return self.kernels.worker(self.run.machine())

    @property
    def is_exhausted(self) -> bool:
        """Whether the search space is exhausted, or the incumbent meets the bound."""
        value = self.best.value
        return self._has_ended or (value is not None and value >= self.shared.enough)

    def take(self, incumbent: Incumbent, states: int) -> None:
        """Accept a plan found elsewhere, and the number of states counted there so far."""
        self.incumbent, self.elsewhere = self.incumbent.better(incumbent), states
        if incumbent.value is not None:
            self.shared.raise_best(incumbent.value)
        self._report()

    def optimise(self) -> None:
        """Continue in optimised code on the same arrays, if it compiles in time."""
        if self.run.optimise(lambda: self.is_settled):
            self.kernels.tables.branching_tiles = self.branching_tiles

    def look(self, seconds: float) -> bool:
        """Search in one thread with small tables for `seconds`; the next look resumes there. Returns whether the search space
        is exhausted. Raises `Unfit`."""
        worker = self.workers[0]
        if self.is_exhausted or self.problem.root[POINT] == OVER:
            self._has_ended = True
            return True
        if time.monotonic() >= self.deadline:
            return False
        if not self._has_begun:
            worker.begin()
            self._has_begun = True
        self.shared.stop(0)
        self._work([self._look], min(self.deadline, time.monotonic() + seconds))
        return self._note_end([worker])

    def at_length(self, guidance: Guidance) -> bool:
        """Search in all threads with tables as large as memory allows, starting with a beam for a good plan. The last thread
        also tightens the bound from above; a single thread alternates. Returns and raises as `look` does."""
        self.run.is_timed = True
        looks_ahead, room = self.kernels.has_dual_bound, self.limits.measured().room
        tightens = looks_ahead and self.bound is not None and self.problem.threshold is None
        together = tightens and guidance.from_above == 0.0
        bounds = max(1, room // 4 // BOUND_BYTES) if looks_ahead else 1
        # Where the bound is tightened, there are two tables: the search's and a goal's, or those of two goals as one follows.
        buckets = max(1, room * 3 // (8 if tightens else 4) // BUCKET_BYTES)
        self.shared = SharedState.of(1 if together else buckets, bounds, self.shared.best, self.shared.enough)
        more = min(self.limits.workers, MOST_THREADS) - len(self.workers)
        self.workers += [self._worker() for _ in range(more)]
        self._prune()
        if guidance.prefixes != () or guidance.around is not None:
            from .prefix_search import PrefixSearch

            self.prefixes = PrefixSearch(self._worker(), guidance.prefixes, guidance.around)
        if tightens:
            assert self.bound is not None
            crew = [self._worker() for _ in range(len(self.workers) if together else 1)]
            self.tightening = BoundTightening(crew, self.bound, buckets)
            for worker in crew:
                worker.order = self.workers[0].order
        numbers = range(1, len(self.workers) + 1)
        if together:
            self._work([partial(self._tighten, number) for number in numbers], self.deadline)
        else:
            self._work([partial(self._search, number, guidance.from_above) for number in numbers], self.deadline)
        # Workers of the search itself are never done where all tighten: that all are done with a goal proves nothing.
        return self._note_end([*self.workers, *(crew if together else ())])

    def _prune(self) -> None:
        """Identify the states of an orbit, or try the actions of a plan in one order only. Both are not combined."""
        now = time.monotonic()
        found = self.kernels.automorphisms(now + SHARE * (self.deadline - now))
        order = no_numbers()
        if len(found) < MANY_AUTOMORPHISMS:
            now = time.monotonic()
            order = self.kernels.increasing_order(SHARE * (self.deadline - now), self.workers[0].machine)
        is_ordered = order.ground_count > 0
        self.automorphisms = 0 if is_ordered else len(found)
        for worker in self.workers:
            worker.order = order
            if self.automorphisms:
                worker.orbits = self.kernels.orbits(found)

    def _search(self, number: int, from_above: float) -> None:
        """The task of a thread; the first thread starts with searches for plans. The space is exhausted only when all threads
        are done, since a state that one defers may still be open in another."""
        worker, shared = self.workers[number - 1], self.shared
        if number == 1:
            self._look_for_plans(worker)
        tightening = self.tightening if number == len(self.workers) else None
        since = time.monotonic() + from_above * (self.deadline - time.monotonic())
        worker.begin()
        while self._goes_on(worker):
            is_late = tightening is not None and time.monotonic() >= since
            if tightening is not None and is_late:
                tightening.run(shared, SLICE)
            if not is_late or all(other.status == SearchEnd.DONE for other in self.workers[:-1]):
                worker.resume(shared, number, SLICE)
        if worker.status in UNFIT:
            shared.stop(FINISHED)

    def _tighten(self, number: int) -> None:
        """The task of a thread where all tighten the bound; the first thread starts with searches for plans."""
        assert self.tightening is not None
        if number == 1:
            self._look_for_plans(self.workers[0])
        worker, shared = self.tightening.workers[number - 1], self.shared
        while not shared.stopped and worker.status not in UNFIT and time.monotonic() < self._until:
            self.tightening.run(shared, SLICE, number)
        if worker.status in UNFIT:
            shared.stop(FINISHED)

    def _look(self) -> None:
        """The task of the only thread of a first look."""
        (worker,) = self.workers
        while self._goes_on(worker):
            worker.resume(self.shared, 1, SLICE)

    def _goes_on(self, worker: Worker) -> bool:
        return worker.status == SearchEnd.PAUSED and not self.shared.stopped and time.monotonic() < self._until

    def _look_for_plans(self, worker: Worker) -> None:
        """A beam search, then prefix restarts."""
        worker.beam_search(self.shared, SHARE * (self.deadline - self.began), self.limits.room // BEAM_PART)
        if self.prefixes is not None:
            # Without this thread there is a proof only if another one tightens the bound.
            goes_on = self.prefixes.around is not None and self.tightening is not None and len(self.workers) > 1
            now, share = time.monotonic(), 1.0 if goes_on else PREFIXES_SHARE
            self.prefixes.run(self.shared, now + share * (self.deadline - now), self.workers[1:])

    def _note_end(self, workers: Sequence[Worker]) -> bool:
        for worker in workers:
            if worker.status == SearchEnd.FAULTED and worker.machine.is_halted:
                raise TimeUp
        statuses = {worker.status for worker in workers}
        if statuses & UNFIT:
            raise Unfit
        self._has_ended = statuses == {SearchEnd.DONE} or self.shared.stopped == FINISHED
        return self._has_ended

    def _work(self, tasks: Sequence[Callable[[], None]], deadline: float) -> None:
        """Run the tasks in threads until all end, the deadline passes, or another engine settles the question."""
        self._until = deadline
        self._threads = beside(tasks, self._stop)
        with self._threads as threads:
            while not self.is_settled and time.monotonic() < deadline and threads.wait(POLL):
                self._report()
        self._threads = None
        self._report()

    def _stop(self) -> None:
        """Have all threads return."""
        if not self.shared.stopped:
            self.shared.stop(TIME_UP)
        for work in (self.prefixes, self.tightening):
            if work is not None:
                work.stop()

    @property
    def _all(self) -> list[Worker]:
        return [
            *self.workers,
            *(() if self.prefixes is None else (self.prefixes.worker,)),
            *(() if self.tightening is None else self.tightening.workers),
        ]

    @property
    def states(self) -> int:
        return self.elsewhere + sum(worker.states for worker in self._all)

    @property
    def best(self) -> Incumbent:
        """The best plan so far."""
        found = self.incumbent
        for worker in self._all:
            if worker.found is not None and (found.value is None or worker.found > found.value):
                found = Incumbent(worker.found, worker.plan)
        return found

    @property
    def is_settled(self) -> bool:
        """Whether another engine has settled the question."""
        return self.listener.is_settled(None if self.shared.best <= -ENDLESS else self.shared.best)

    def _take_bound(self) -> None:
        if self.tightening is not None and self.bound is not None:
            self.bound = min(self.bound, self.tightening.bound)

    def _report(self) -> None:
        self._take_bound()
        problem, best = self.problem, self.shared.best
        self.listener.progress(None if best <= -ENDLESS else problem.signed(best), problem.signed(self.bound), self.states)

    def result(self, is_exhausted: bool) -> Result:
        """The result so far. Raises `RulesError` RW331 if the exhausted search found no end of the game."""
        if self._threads is not None:
            self._threads.end()  # a stop may have come before they had ended
        self._take_bound()
        result = result_of(self.problem, self.best, self.bound, self.states, self.began, is_exhausted)
        comparisons = COMPARED * sum(worker.progress.generated for worker in self._all)
        is_about = self.run.is_timed or any(worker.progress.has_replaced for worker in self._all)
        remarks = self.run.remarks
        return evolve(result, automorphisms=self.automorphisms, comparisons=comparisons, is_about=is_about, remarks=remarks)
