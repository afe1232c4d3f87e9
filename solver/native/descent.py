"""The bound brought down from above: one goal after another is refuted, each a point below the last.

A goal far above the best plan cuts off much more than the best plan does, so that the first goals fall soon. When the goals
come down to the best plan, it is proved; until then the last one that fell is a bound.
"""

from __future__ import annotations

from ...grammar.classes import define
from . import depth_first
from .workers import ENDLESS, FINISHED, TIME_UP, Blackboard, Worker

FEWEST_BUCKETS, GROWTH = 1 << 14, 2
"""The table of states seen begins small, since the first goals fall at once, and grows with each goal."""


@define(eq=False)
class Descent:
    """Nothing is worth more than `bound`. `worker` works for it alone; its table of states seen has so many buckets at most."""

    worker: Worker
    bound: int
    most_buckets: int
    _goal: Blackboard | None = None
    _buckets: int = FEWEST_BUCKETS
    _stopped: bool = False

    def run(self, shared: Blackboard, states: int = ENDLESS) -> None:
        """Until the best plan that anybody has is shown to be the best there is, or `stop`; or for so many states, to go on
        with another time."""
        until = self.worker.states + states
        while self.bound > shared.best:
            left = until - self.worker.states
            if left <= 0:
                return
            goal, dig = self._goal, self.worker.dig_on
            if goal is None:
                goal, dig = shared.renewed(min(self._buckets, self.most_buckets), self.bound - 1, self.bound), self.worker.dig
                self._goal = goal
            if self._stopped:
                return
            dig(goal, 1, left)
            if goal.best >= self.bound:
                shared.reach(goal.best)
            elif self.worker.status == depth_first.ENDED:
                self.bound -= 1
                self._buckets *= GROWTH
                self._goal = None
            else:
                self._stopped = self.worker.status != depth_first.STOPPED
                return
        shared.stop(FINISHED)

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopped = True
        if self._goal is not None:
            self._goal.stop(TIME_UP)
