"""The bound brought down from above: one goal after another is refuted, each a point below the last.

A goal far above the best plan cuts off much more than the best plan does, so that the first goals fall soon. When the goals
come down to the best plan, it is proved; until then the last one that fell is a bound.
"""

from __future__ import annotations

import time

from attrs import define

from . import depth_first
from .workers import FINISHED, TIME_UP, Blackboard, Worker

FEWEST_BUCKETS, GROWTH = 1 << 14, 2
"""The table of states seen begins small, since the first goals fall at once, and grows with each goal."""

WAIT = 0.05
"""Seconds between looks at the clock."""


@define(eq=False)
class Descent:
    """Nothing is worth more than `bound`. `worker` works for it alone; its table of states seen has so many buckets at most."""

    worker: Worker
    bound: int
    most_buckets: int
    _goal: Blackboard | None = None
    _stopped: bool = False

    def run(self, shared: Blackboard, began: float) -> None:
        """From a time on, until the best plan that anybody has is shown to be the best there is, or `stop`."""
        while time.monotonic() < began and not self._stopped:
            time.sleep(WAIT)
        buckets = min(FEWEST_BUCKETS, self.most_buckets)
        while self.bound > shared.best:
            self._goal = goal = shared.renewed(buckets, self.bound - 1, self.bound)
            if self._stopped:
                return
            self.worker.dig(goal, 1)
            if goal.best >= self.bound:
                shared.reach(goal.best)
            elif self.worker.status == depth_first.ENDED:
                self.bound -= 1
                buckets = min(buckets * GROWTH, self.most_buckets)
            else:
                return
        shared.stop(FINISHED)

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopped = True
        if self._goal is not None:
            self._goal.stop(TIME_UP)
