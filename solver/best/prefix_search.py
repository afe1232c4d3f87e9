"""Prefix restarts: a short exact search behind each of many promising beginnings of a plan.

A beam keeps states that are close to earning and overlooks later gains. The search behind a prefix does not, and with a goal at
hand it soon refutes dead ends. Node limits make the entries of its transposition table unsound as proofs; only plans and bounds
are kept.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from rulewright.base.records import define, field
from rulewright.rules.model.state import Move, State
from rulewright.solver.best.kernels.search_context import SharedWords
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd

from . import turn_search
from .kernel_problem import FEW_BUCKETS, FINISHED, TIME_UP, UNFIT, SharedState, Worker, shared_words
from .turn_search import CHANCE, RestrictedProblem, TurnBeamSearch, tiles_coming, turns_of

STATES = 3000
"""Node limit behind a prefix."""

WIDTHS = (*turn_search.WIDTHS, 1000, 3000)
"""Widths of the beam for prefixes; the widest that fits is taken."""

STATES_AROUND = 1000
"""Node limit behind a prefix that branches off the best plan: the number of these is unlimited."""


def have_ended(workers: Sequence[Worker]) -> bool:
    """Whether there are workers and all have exhausted the search space."""
    return bool(workers) and all(worker.status == SearchEnd.DONE for worker in workers)


@define(eq=False)
class PrefixSearch:
    """Restarts, with a worker of its own, behind `prefixes` in order, then behind prefixes from `around` the best plan."""

    worker: Worker
    prefixes: BeamPrefixes | Sequence[Prefix]
    around: ElitePrefixes | None = None
    _board: SharedState | None = None
    _stopped: bool = False

    def run(self, shared: SharedState, deadline: float, others: Sequence[Worker] = ()) -> None:
        """Search behind each prefix until the deadline, `stop`, or until the `others` have exhausted the search space.
        Incumbents are shared with them."""
        enough = shared.enough
        board = self._board = shared.renewed(FEW_BUCKETS, shared.best, enough)
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
        for source in (self.prefixes, self.around):
            if isinstance(source, BeamPrefixes | ElitePrefixes):
                source.stop()


Prefix = tuple[Move, ...]

FEW = 9
"""Most tiles to come behind a prefix, so that an exact search behind it ends soon."""

FEW_AROUND = 12
"""Most tiles to come behind a prefix of the best plan. Measured on six positions with 24 tiles: better than 9 and 15."""

EACH_ROUND = 30
"""Most prefixes that branch off the plan at the same turn."""


@define(eq=False)
class BeamPrefixes:
    """The prefixes that a beam ranks best among those into turns with at most `few` tiles to come, best first, as many as
    `seconds` allow; `room` is in bytes."""

    restricted: RestrictedProblem
    room: int
    seconds: float
    few: int = FEW
    _words: SharedWords = field(factory=lambda: shared_words(ENDLESS))

    def stop(self) -> None:
        """End the beam at its next check."""
        self._words.stop = TIME_UP

    def __iter__(self) -> Iterator[Prefix]:
        beam = self.restricted.turn_beam(self._words, 0)
        width = max(width for width in WIDTHS if width == WIDTHS[0] or beam.bytes_of(width) <= self.room)
        clock = threading.Timer(self.seconds, self.stop)
        clock.daemon = True
        clock.start()
        try:
            kept = beam.prefixes(self.restricted.problem.root, width, self.few)
            found = [self.restricted.widened(prefix) for prefix in takewhile(lambda _: not self._words.stop, kept)]
        finally:
            clock.cancel()
        yield from found


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
        self._beam = self.restricted.turn_beam(shared_words(ENDLESS), 1)

    def take(self, plan: Prefix) -> None:
        """Replace the plan."""
        self.plan = self.restricted.within(plan) or self.plan

    def stop(self) -> None:
        """End the stream at its next check."""
        self._beam.words.stop = TIME_UP

    def __iter__(self) -> Iterator[Prefix]:
        while places := self._places():
            plan, (start, state) = self.plan, self._rng.choice(places)
            found = list(islice(self._beam.prefixes(state, turn_search.WIDTHS[-1], self.few, CHANCE), EACH_ROUND))
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
