"""Prefixes that may be worth an exact search: those that a wide beam keeps, then others that branch off the best plan.

Both are found in the restricted problem of turn_search.py and translated to moves of the whole problem.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from itertools import islice, takewhile

from rulewright.base.records import define, field
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import State
from rulewright.solver.search.turns import tiles_coming, turns_of

from .turn_search import CHANCE, MOST, WIDTH, WIDTHS, RestrictedProblem, TurnBeamSearch
from .worker import TIME_UP, shared_words

Prefix = tuple[Move, ...]

FEW = 9
"""Most tiles to come behind a prefix, so that an exact search behind it ends soon."""

FEW_AROUND = 12
"""Most tiles to come behind a prefix of the best plan. Measured on six positions with 24 tiles: better than 9 and 15."""

EACH_ROUND = 30
"""Most prefixes that branch off the plan at the same turn."""


def beam_prefixes(restricted: RestrictedProblem, room: int, seconds: float, few: int = FEW) -> list[Prefix]:
    """The prefixes that a beam ranks best among those into turns with at most `few` tiles to come, best first, as many as
    `seconds` allow; `room` is in bytes."""
    deadline, words = time.monotonic() + seconds, shared_words(MOST)
    beam = restricted.turn_beam(words, 0)
    width = max(width for width in WIDTHS if width == WIDTHS[0] or beam.bytes_of(width) <= room)
    clock = threading.Timer(seconds, setattr, (words, "stop", TIME_UP))
    clock.daemon = True
    clock.start()
    try:
        kept = beam.prefixes(restricted.problem.root, width, few)
        return [restricted.widened(prefix) for prefix in takewhile(lambda _: time.monotonic() < deadline, kept)]
    finally:
        clock.cancel()


@define(eq=False)
class ElitePrefixes:
    """An endless stream of prefixes: a plan up to one of its turns, extended by a beam to turns with few tiles to come.

    Restarts as soon as there is a better plan that stays within the windows of the restricted problem. Large-neighbourhood
    search (Shaw, 1998), with an exact search in place of a beam.
    """

    restricted: RestrictedProblem
    plan: Prefix
    few: int = FEW_AROUND
    _beam: TurnBeamSearch = field(init=False)
    _rng: random.Random = field(factory=lambda: random.Random(0))

    def __attrs_post_init__(self) -> None:
        self.plan = self.restricted.within(self.plan) or ()
        self._beam = self.restricted.turn_beam(shared_words(MOST), 1)

    def take(self, plan: Prefix) -> None:
        """Replace the plan."""
        self.plan = self.restricted.within(plan) or self.plan

    def stop(self) -> None:
        """End the stream at its next check."""
        self._beam.words.stop = TIME_UP

    def __iter__(self) -> Iterator[Prefix]:
        while places := self._places():
            plan, (start, state) = self.plan, self._rng.choice(places)
            found = list(islice(self._beam.prefixes(state, WIDTH, self.few, CHANCE), EACH_ROUND))
            if not found:
                return
            for rest in found:
                yield self.restricted.widened(plan[:start] + rest)
                if self.plan is not plan:
                    break

    def _places(self) -> list[tuple[int, State]]:
        """The turns at which the plan can be left: index in the plan, and state."""
        problem = self.restricted.problem
        return [(start, state) for start, state in turns_of(problem, self.plan) if tiles_coming(problem, state) > self.few]
