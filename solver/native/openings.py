"""Plans that begin in a promising way: a short exact search behind each of many openings.

A beam keeps what is near to earning and passes over what comes later; the search behind an opening does not, and with a goal
at hand it soon sees where there is nothing. Each is left off after a while, so that nothing of what was seen is a proof: a
state that was done may hang on one that was left. Only plans and bounds are kept.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Protocol

from ...grammar.classes import define
from ...rules.engine import Move
from . import depth_first
from .workers import FINISHED, TIME_UP, UNFIT, Blackboard, Worker

Way = tuple[Move, ...]

STATES = 3000
"""So many are looked at behind an opening."""

STATES_AROUND = 1000
"""The same of one that leaves the best plan: there is no end of them."""

BUCKETS = 1 << 16


class Around(Protocol):
    """Openings without end, around the best plan."""

    def __iter__(self) -> Iterator[Way]: ...

    def take(self, plan: Way) -> None:
        """That plan is better."""
        ...

    def stop(self) -> None:
        """Come to an end soon."""
        ...


def done(workers: Sequence[Worker]) -> bool:
    """Whether all of them have looked at everything, and there are some."""
    return bool(workers) and all(worker.status == depth_first.ENDED for worker in workers)


@define(eq=False)
class Openings:
    """`ways` are openings, the most promising first, then those `around` the best plan; `worker` works for them alone, and its
    plans begin with them."""

    worker: Worker
    ways: Sequence[Way]
    around: Around | None = None
    _board: Blackboard | None = None
    _stopped: bool = False

    def run(self, shared: Blackboard, deadline: float, others: Sequence[Worker] = ()) -> None:
        """Until all openings were tried, the time is up, the `others` have looked at everything, or `stop`. What is found is
        told to them."""
        enough = shared.b.items[depth_first.ENOUGH]
        board = self._board = shared.renewed(BUCKETS, shared.best, enough)
        for way, states in self._all():
            if self._stopped or shared.stopped or time.monotonic() > deadline or self.worker.status in UNFIT or done(others):
                return
            board.reach(shared.best)
            best = board.best
            self.worker.dig(board, 1, states, way)
            if board.best > best and self.around is not None:
                self.around.take(self.worker.plan)
            shared.reach(board.best)
            if board.best >= enough:
                shared.stop(FINISHED)

    def _all(self) -> Iterator[tuple[Way, int]]:
        yield from ((way, STATES) for way in self.ways)
        if self.around is not None:
            yield from ((way, STATES_AROUND) for way in self.around)

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopped = True
        if self._board is not None:
            self._board.stop(TIME_UP)
        if self.around is not None:
            self.around.stop()
