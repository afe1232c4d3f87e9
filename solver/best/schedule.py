"""The schedule of a search: baseline code first, then optimised code, and a search for better plans where that pays.

Baseline code answers easy questions; optimised code resumes the search where baseline code stopped. Without a compiler, plain
Python searches from start to end. Problems that the kernels do not support go to the fallback search.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from rulewright.base.deadline import TimeUp
from rulewright.base.records import define, evolve, field
from rulewright.solver.kernel.run import Run
from rulewright.solver.result import COMPILING, NO_COMPILER, SOON, Incumbent, Limits, Listener, Result
from rulewright.subset.program import as_machine_code_by, as_python
from rulewright.subset.refusal import CannotCompile

from .kernel_problem import KernelProblem
from .parallel_search import SHARE, Guidance, ParallelSearch, Unfit
from .problem import Problem
from .turn_search import RestrictedProblem, improve, plans_share

FIRST_LOOK = 0.3
"""Seconds for a first machine-code search with small tables; enough for most puzzles. Measured: with half a second, searches of
one and of five seconds take 20 % and 11 % longer."""


def search(problem: Problem, limits: Limits, listener: Listener, before_compiling: Callable[[], None]) -> Result:
    """Answer a question by exhaustive search: `OPTIMAL` and `IMPOSSIBLE` are proved.

    `before_compiling` is called as soon as machine code is likely to take over: compilation uses all processors.
    Raises `RulesError` RW331 if the exhausted search found no end of the game, and any error of play.
    """
    schedule = _Schedule(problem, limits, listener, before_compiling)
    try:
        return schedule.searched()
    except (CannotCompile, Unfit):
        return schedule.without_kernels()
    except TimeUp:
        return schedule.so_far()


def first_plan(problem: Problem, limits: Limits) -> Incumbent:
    """The best plan from a short, unproved search by the kernels; empty if they do not support the problem."""
    schedule = _Schedule(problem, limits, Listener(), lambda: None)
    with suppress(CannotCompile, Unfit):
        exact = schedule.begun_search()
        exact.look(FIRST_LOOK if exact.run.is_optimised else SOON)
        return exact.best
    return Incumbent()


@define(eq=False)
class _Schedule:
    """A search of a problem within limits."""

    problem: Problem
    limits: Limits
    listener: Listener
    before_compiling: Callable[[], None]
    began: float = field(factory=time.monotonic)
    _exact: ParallelSearch | None = None

    @property
    def _deadline(self) -> float:
        return self.began + self.limits.seconds

    @property
    def _left(self) -> float:
        return self._deadline - time.monotonic()

    def searched(self) -> Result:
        """Search with the kernels. Raises `CannotCompile` and `Unfit` if they do not support the problem."""
        self._exact = exact = self.begun_search()
        self.listener.on_stop(lambda: exact.result(False))
        return exact.result(self._is_exhausted(exact))

    def begun_search(self) -> ParallelSearch:
        """The exact search before its first state. Raises `CannotCompile`."""
        kernels = KernelProblem.of(self.problem)
        return ParallelSearch(kernels, Run.of(kernels.game, self._deadline), self.listener, self.limits, began=self.began)

    def so_far(self) -> Result:
        """The partial result when time ends during code generation. Raises `TimeUp` if no search has begun."""
        if self._exact is None:
            raise TimeUp
        return self._exact.result(False)

    def without_kernels(self) -> Result:
        """Search with the fallback, starting from the incumbent."""
        from .fallback import FallbackSearch

        exact = self._exact
        incumbent, remarks = (Incumbent(), ()) if exact is None else (exact.best, exact.run.remarks)

        def remarked(result: Result) -> Result:
            return evolve(result, remarks=(*result.remarks, *remarks))

        listener = self.listener.finishing(remarked)
        return remarked(FallbackSearch(self.problem, self._deadline, listener, self.limits, incumbent, began=self.began).run())

    def _is_exhausted(self, exact: ParallelSearch) -> bool:
        """Search to the end or to the time limit; whether the search was exhausted."""
        share = self.problem.kept("share", lambda: plans_share(self.problem))
        if share < 1.0 or exact.run.is_optimised:
            self.before_compiling()
        if not exact.run.is_optimised and exact.look(SOON):
            return True
        if share == 1.0:
            exact.look(SHARE * self._left)
            if self._goes_on(exact) and self._improved(exact, self._left) is None:
                exact.look(self._left)
            return exact.is_exhausted
        restricted = None
        turns = min(share * self._left, max(SHARE * self._left, 2 * COMPILING))
        if turns > COMPILING and self._goes_on(exact):
            restricted = self._improved(exact, turns)
        if not exact.run.is_optimised and self._goes_on(exact):
            exact.optimise()
        if self._goes_on(exact):
            exact.look(FIRST_LOOK if exact.run.is_optimised else self._left)
        if self._goes_on(exact):
            exact.at_length(self._guidance(exact, restricted, share))
        return exact.is_exhausted

    def _goes_on(self, exact: ParallelSearch) -> bool:
        return not exact.is_exhausted and self._left > 0 and not exact.is_settled

    def _improved(self, exact: ParallelSearch, seconds: float) -> RestrictedProblem | None:
        """Seek better plans for `seconds`, compilation included; None if the kernels do not support that search."""
        deadline, before = time.monotonic() + seconds, exact.elsewhere
        self.before_compiling()
        limits, make = self.limits, as_machine_code_by(self._deadline)
        with suppress(CannotCompile):
            try:
                restricted = RestrictedProblem.of(self.problem, make)
            except ImportError:
                exact.run.remarks = (NO_COMPILER,)
                limits, restricted = evolve(limits, workers=1), RestrictedProblem.of(self.problem, as_python)

            def report(incumbent: Incumbent, states: int) -> None:
                exact.take(incumbent, before + states)

            exact.elsewhere = before + improve(restricted, self.problem, deadline, limits, self.listener, report)
            return restricted
        return None

    def _guidance(self, exact: ParallelSearch, restricted: RestrictedProblem | None, share: float) -> Guidance:
        """What the plan search suggests to the exact search; where a proof is unlikely, also prefixes of the best plan."""
        if restricted is None:
            return Guidance()
        from .prefix_search import BeamPrefixes, ElitePrefixes

        prefixes = BeamPrefixes(restricted, self.limits.room, SHARE * self._left)
        around = None if share < SHARE else ElitePrefixes(restricted, exact.best.plan)
        return Guidance(prefixes, around, 0.0)
