"""Plans that begin in a promising way: a short exact search behind each of many openings.

A beam keeps what is near to earning and passes over what comes later; the search behind an opening does not, and with a goal
at hand it soon sees where there is nothing. Each is left off after a while, so that nothing of what was seen is a proof: a
state that was done may hang on one that was left. Only plans and bounds are kept.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from ...grammar.classes import define
from ...rules.engine import Move
from . import depth_first
from .workers import FINISHED, TIME_UP, UNFIT, Blackboard, Worker

STATES = 3000
"""So many are looked at behind an opening."""

BUCKETS = 1 << 16


@define(eq=False)
class Openings:
    """`ways` are openings, the most promising first; `worker` works for them alone, and its plans begin with them."""

    worker: Worker
    ways: Sequence[tuple[Move, ...]]
    _board: Blackboard | None = None
    _stopped: bool = False

    def run(self, shared: Blackboard, deadline: float) -> None:
        """Until all openings were tried, the time is up, or `stop`. What is found is told to the others."""
        enough = shared.b.items[depth_first.ENOUGH]
        board = self._board = shared.renewed(BUCKETS, shared.best, enough)
        for way in self.ways:
            if self._stopped or shared.stopped or time.monotonic() > deadline or self.worker.status in UNFIT:
                return
            board.reach(shared.best)
            self.worker.dig(board, 1, STATES, way)
            shared.reach(board.best)
            if board.best >= enough:
                shared.stop(FINISHED)

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopped = True
        if self._board is not None:
            self._board.stop(TIME_UP)
