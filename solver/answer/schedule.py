"""The schedule of a search: kernels compiled in haste, then optimised, and a search for better plans where that pays.

Easy questions are answered by code of the baseline tier. Optimised code resumes the search where that stopped; without a
compiler plain Python searches from the beginning to the end. Problems that the kernels do not support go to the fallback.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

from attrs import evolve, field

from rulewright.base.deadline import TimeUp
from rulewright.base.records import define
from rulewright.solver.budget import Limits
from rulewright.solver.native.host.kernel_problem import KernelProblem
from rulewright.solver.native.host.parallel_search import FROM_ABOVE, Guidance, ParallelSearch, Unfit
from rulewright.solver.native.host.prefix_sources import ElitePrefixes, beam_prefixes
from rulewright.solver.native.host.turn_search import RestrictedProblem, improve
from rulewright.solver.result import NO_COMPILER, Result
from rulewright.solver.search.fallback import FallbackSearch
from rulewright.solver.search.incumbent import Incumbent, Listener, Searched
from rulewright.solver.search.problem import Problem
from rulewright.solver.search.turns import plans_share
from rulewright.subset.program import Program, as_baseline_code, as_machine_code_by, as_python
from rulewright.subset.refusal import CannotCompile

SOON = 0.5
"""Seconds before anything is optimised: about half of what that takes."""

FIRST_LOOK = 0.3
"""Seconds for a first search with small tables in machine code: most puzzles need no more."""

POLL = 0.05
"""Seconds between looks at the clock."""

LONG_SHARE = 0.1
"""Of the time there is, for an exact search where a proof seems out of reach: tiles that are never laid may mislead."""

PREFIXES_SHARE = 0.1
"""Of the time that is left, at most, for finding prefixes, before the exact search begins."""

TURNS_SHARE = 0.1
"""The same for plans turn by turn. Measured: these stop improving after seconds, prefixes of them do not."""

OUT_OF_REACH = 0.1
"""Where the search for plans has at least this share of the time, a proof is unlikely; one thread seeks plans to the end."""

COMPILING = 3.0
"""With fewer seconds left nothing is compiled."""


def search(problem: Problem, limits: Limits, listener: Listener, before_compiling: Callable[[], None]) -> Result:
    """Answer a question by exhaustive search: `OPTIMAL` and `IMPOSSIBLE` are proved.

    `before_compiling` is called as soon as machine code is likely to take over: that takes all processors.
    `KeyboardInterrupt` ends the search early. Raises `RulesError`: RW331 when the search is exhausted and found no end, and
    what stops a game.
    """
    schedule = _Schedule(problem, limits, listener, before_compiling)
    try:
        searched = schedule.searched()
    except (CannotCompile, Unfit):
        searched = schedule.without_kernels()
    except TimeUp:
        searched = schedule.so_far()
    result = searched.result
    return evolve(result, remarks=(*result.remarks, *schedule.remarks))


def first_plan(problem: Problem, limits: Limits) -> Incumbent:
    """The best plan of a first look by the kernels; none where they do not support the problem. Nothing is proved of it."""
    schedule = _Schedule(problem, limits, Listener(), lambda: None)
    with suppress(CannotCompile, Unfit):
        exact = schedule.begun_search()
        exact.look(FIRST_LOOK if exact.is_optimised else SOON)
        return exact.best
    return Incumbent()


@define(eq=False)
class _Schedule:
    """A search of a problem within limits; `remarks` say what could not be done."""

    problem: Problem
    limits: Limits
    listener: Listener
    before_compiling: Callable[[], None]
    remarks: tuple[str, ...] = ()
    began: float = field(factory=time.monotonic)
    _exact: ParallelSearch | None = None

    @property
    def _deadline(self) -> float:
        return self.began + self.limits.seconds

    @property
    def _left(self) -> float:
        return self._deadline - time.monotonic()

    def searched(self) -> Searched:
        """Search by the kernels. Raises `CannotCompile` and `Unfit` where they do not support the problem."""
        self._exact = exact = self.begun_search()
        try:
            return exact.searched(self._is_exhausted(exact))
        except KeyboardInterrupt:
            return exact.searched(False)

    def begun_search(self) -> ParallelSearch:
        """The exact search at its start, in optimised code where that is kept. Raises `CannotCompile`, `Unfit`."""
        kernels = KernelProblem.of(self.problem)
        kept = self._kept_program(kernels)
        program = kernels.program(as_baseline_code) if kept is None else kept
        return ParallelSearch(
            kernels, program, self._deadline, self.listener, self.limits, began=self.began, is_optimised=kept is not None
        )

    def so_far(self) -> Searched:
        """What is known when the time is up while programs are written of the rules. Raises `TimeUp` if nothing is."""
        if self._exact is None:
            raise TimeUp
        return self._exact.searched(False)

    def without_kernels(self) -> Searched:
        """Search by the fallback, from the incumbent on."""
        incumbent = Incumbent() if self._exact is None else self._exact.best
        return FallbackSearch(self.problem, self._deadline, self.listener, self.limits, incumbent, began=self.began).run()

    def _kept_program(self, kernels: KernelProblem) -> Program | None:
        """Machine code from the cache."""
        if kernels.is_compiled:
            with suppress(CannotCompile, ImportError):
                return kernels.program(as_machine_code_by(self._deadline))
        return None

    def _is_exhausted(self, exact: ParallelSearch) -> bool:
        """Search to the end, or as long as there is time."""
        share = plans_share(self.problem)
        if share < 1.0 or exact.is_optimised:
            self.before_compiling()
        if not exact.is_optimised and exact.look(SOON):
            return True
        if share == 1.0:
            exact.look(LONG_SHARE * self._left)
            if self._goes_on(exact) and self._improved(exact, self._left) is None:
                exact.look(self._left)
            return exact.is_exhausted
        restricted = None
        turns = min(share * self._left, max(TURNS_SHARE * self._left, 2 * COMPILING))
        if turns > COMPILING and self._goes_on(exact):
            restricted = self._improved(exact, turns)
        if not exact.is_optimised and self._goes_on(exact):
            self._compile(exact)
        if self._goes_on(exact):
            exact.look(FIRST_LOOK if exact.is_optimised else self._left)
        if self._goes_on(exact):
            exact.at_length(self._guidance(exact, restricted, share))
        return exact.is_exhausted

    def _goes_on(self, exact: ParallelSearch) -> bool:
        return not exact.is_exhausted and self._left > 0 and not exact.is_settled

    def _compile(self, exact: ParallelSearch) -> None:
        """Optimised code from here on, if it can be made. Nothing is searched meanwhile: another thread takes the
        interpreter's lock from the translation."""
        if self._left <= COMPILING:
            return
        cancelled = threading.Event()
        with ThreadPoolExecutor(1) as thread:
            compiling = thread.submit(exact.kernels.program, as_machine_code_by(self._deadline, cancelled))
            try:
                while self._goes_on(exact) and not wait([compiling], POLL).done:
                    pass
            finally:
                cancelled.set()
        try:
            exact.use(compiling.result())
        except CannotCompile:
            pass
        except ImportError:
            self.remarks = (NO_COMPILER,)

    def _improved(self, exact: ParallelSearch, seconds: float) -> RestrictedProblem | None:
        """Search for better plans for so many seconds, compilation included; None where there is no such search."""
        deadline, before = time.monotonic() + seconds, exact.elsewhere
        self.before_compiling()
        limits, make = self.limits, as_machine_code_by(self._deadline)
        with suppress(CannotCompile):
            try:
                restricted = RestrictedProblem.of(self.problem, make)
            except ImportError:
                self.remarks = (NO_COMPILER,)
                limits, restricted = evolve(limits, workers=1), RestrictedProblem.of(self.problem, as_python)

            def report(incumbent: Incumbent, states: int) -> None:
                exact.take(incumbent, before + states)

            exact.elsewhere = before + improve(restricted, self.problem, deadline, limits, self.listener, report)
            return restricted
        return None

    def _guidance(self, exact: ParallelSearch, restricted: RestrictedProblem | None, share: float) -> Guidance:
        """What the search for plans has found worth while; where a proof is not likely, prefixes of its best plan too."""
        if restricted is None:
            return Guidance(from_above=FROM_ABOVE if share == 0.0 else 0.0)
        prefixes = beam_prefixes(restricted, self.limits.room, PREFIXES_SHARE * self._left)
        around = None if share < OUT_OF_REACH else ElitePrefixes(restricted, exact.best.plan)
        return Guidance(prefixes, around, 0.0)
