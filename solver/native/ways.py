"""Ways into the play that may be worth an exact search: those a wide beam keeps, then others that leave the best plan.

Both are found in the small problem of turns.py and said as the problem that was asked says them.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from itertools import islice, takewhile

from attrs import field

from ...grammar.classes import define
from ...rules.engine import State
from ..neighbourhood import tiles_coming, turns_of
from . import depth_first
from .openings import Way
from .turns import CHANCE, MOST, WIDTH, WIDTHS, Small, Sweeper, board
from .workers import TIME_UP

FEW = 9
"""Tiles to come behind an opening: so many that an exact search soon comes to its end, or sees that there is nothing."""

FEW_AROUND = 12
"""The same when the plan that it leaves is good: of 9, 12 and 15, tried on six positions with 24, the best on the whole."""

EACH_ROUND = 30
"""Openings that leave the plan at one place."""


def promising(small: Small, room: int, seconds: float, few: int = FEW) -> list[Way]:
    """The most promising ways into turns with at most `few` tiles to come, the best first, as many as there is time for;
    `room` is bytes."""
    deadline, b = time.monotonic() + seconds, board(MOST)
    sweeper = small.sweeper(b, 0)
    width = max(width for width in WIDTHS if width == WIDTHS[0] or sweeper.bytes_of(width) <= room)
    clock = threading.Timer(seconds, b.items.__setitem__, (depth_first.STOP, TIME_UP))
    clock.daemon = True
    clock.start()
    try:
        kept = sweeper.openings(small.problem.root, width, few)
        return [small.widened(opening) for opening in takewhile(lambda _: time.monotonic() < deadline, kept)]
    finally:
        clock.cancel()


@define(eq=False)
class Leaving:
    """Ways that leave a plan at one of its turns and come to turns with few tiles to come, without end; another round begins
    as soon as there is a better plan. One that leaves the windows of the small problem is passed over. After Shaw (1998), with
    an exact search where there was a beam."""

    small: Small
    plan: Way
    few: int = FEW_AROUND
    _sweeper: Sweeper = field(init=False)
    _rng: random.Random = field(factory=lambda: random.Random(0))

    def __attrs_post_init__(self) -> None:
        self.plan = self.small.within(self.plan) or ()
        self._sweeper = self.small.sweeper(board(MOST), 1)

    def take(self, plan: Way) -> None:
        """Leave this one from now on."""
        self.plan = self.small.within(plan) or self.plan

    def stop(self) -> None:
        """Come to an end soon."""
        self._sweeper.b.items[depth_first.STOP] = TIME_UP

    def __iter__(self) -> Iterator[Way]:
        while places := self._places():
            plan, (start, state) = self.plan, self._rng.choice(places)
            ways = list(islice(self._sweeper.openings(state, WIDTH, self.few, CHANCE), EACH_ROUND))
            if not ways:
                return
            for way in ways:
                yield self.small.widened(plan[:start] + way)
                if self.plan is not plan:
                    break

    def _places(self) -> list[tuple[int, State]]:
        """Where the plan can be left, and the state there."""
        problem = self.small.problem
        return [(start, state) for start, state in turns_of(problem, self.plan) if tiles_coming(problem, state) > self.few]
