"""Destructive bound tightening: refutes goals one by one, each a point below the last (Klein and Scholl, 1999).

A goal far above the best plan prunes much more than the best plan does, so the first goals fall soon. When the goals meet the
best plan, it is proved optimal; until then the last refuted goal is a bound.
"""

from __future__ import annotations

from rulewright.base.records import define
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd

from .worker import FEW_BUCKETS, FINISHED, TIME_UP, SharedState, Worker


@define(eq=False)
class BoundTightening:
    """Lowers `bound`, which no plan exceeds, with a worker and transposition table (`most_buckets` at most) of its own."""

    worker: Worker
    bound: int
    most_buckets: int
    _goal: SharedState | None = None
    _buckets: int = FEW_BUCKETS
    _stopped: bool = False

    def run(self, shared: SharedState, states: int = ENDLESS) -> None:
        """Refute goals until the bound meets the incumbent, `stop`, or the node limit; the next call resumes."""
        until = self.worker.states + states
        while self.bound > shared.best:
            left = until - self.worker.states
            if left <= 0:
                return
            if self._goal is None:
                self._goal = shared.renewed(min(self._buckets, self.most_buckets), self.bound - 1, self.bound)
                self.worker.begin()
            if self._stopped:
                return
            goal = self._goal
            self.worker.resume(goal, 1, left)
            if goal.best >= self.bound:
                shared.raise_best(goal.best)
            elif self.worker.status == SearchEnd.DONE:
                self.bound -= 1
                self._buckets *= 2  # the first goals fall at once
                self._goal = None
            else:
                self._stopped = self.worker.status != SearchEnd.PAUSED
                return
        shared.stop(FINISHED)

    def stop(self) -> None:
        """Make `run` return at its next check."""
        self._stopped = True
        if self._goal is not None:
            self._goal.stop(TIME_UP)
