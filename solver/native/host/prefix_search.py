"""Prefix restarts: a short exact search behind each of many promising beginnings of a plan.

A beam keeps states that are close to earning and overlooks later gains. The search behind a prefix does not, and with a goal at
hand it soon refutes dead ends. Node limits make the entries of its transposition table unsound as proofs; only plans and bounds
are kept.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from rulewright.base.records import define
from rulewright.solver.kernel.search_end import SearchEnd

from .prefix_sources import ElitePrefixes, Prefix
from .worker import FINISHED, TIME_UP, UNFIT, SharedState, Worker

STATES = 3000
"""Node limit behind a prefix."""

STATES_AROUND = 1000
"""Node limit behind a prefix that branches off the best plan: the number of these is unlimited."""

BUCKETS = 1 << 16


def have_ended(workers: Sequence[Worker]) -> bool:
    """Whether there are workers and all have exhausted the search space."""
    return bool(workers) and all(worker.status == SearchEnd.DONE for worker in workers)


@define(eq=False)
class PrefixSearch:
    """Restarts, with a worker of its own, behind `prefixes` in order, then behind prefixes from `around` the best plan."""

    worker: Worker
    prefixes: Sequence[Prefix]
    around: ElitePrefixes | None = None
    _board: SharedState | None = None
    _stopped: bool = False

    def run(self, shared: SharedState, deadline: float, others: Sequence[Worker] = ()) -> None:
        """Search behind each prefix until the deadline, `stop`, or until the `others` have exhausted the search space.
        Incumbents are shared with them."""
        enough = shared.enough
        board = self._board = shared.renewed(BUCKETS, shared.best, enough)
        for prefix, states in self._all():
            if (
                self._stopped
                or shared.stopped
                or time.monotonic() > deadline
                or self.worker.status in UNFIT
                or have_ended(others)
            ):
                return
            board.raise_best(shared.best)
            best = board.best
            self.worker.begin(prefix)
            self.worker.resume(board, 1, states)
            if board.best > best and self.around is not None:
                self.around.take(self.worker.plan)
            shared.raise_best(board.best)
            if board.best >= enough:
                shared.stop(FINISHED)

    def _all(self) -> Iterator[tuple[Prefix, int]]:
        yield from ((prefix, STATES) for prefix in self.prefixes)
        if self.around is not None:
            yield from ((prefix, STATES_AROUND) for prefix in self.around)

    def stop(self) -> None:
        """Make `run` return at its next check."""
        self._stopped = True
        if self._board is not None:
            self._board.stop(TIME_UP)
        if self.around is not None:
            self.around.stop()
