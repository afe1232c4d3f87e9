"""Good plans for long games: sweeps of a beam through the turns, then turns of the best plan played anew, on all processors.

What solver/beam.py and solver/neighbourhood.py do, many times as fast. Nothing is proved; a plan is replayed before it counts.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator

from attrs import evolve, field

from ...grammar.classes import define, frozen
from ...rules.analysis import Analysis
from ...rules.engine import Move, State
from ...rules.native.arrays import Array, ints, longs
from ...rules.native.program import Maker, as_machine_code
from ...rules.native.text import CannotCompile
from ...rules.questions import Question
from ..beam import Found, checked, counting, margin
from ..exact import Settled
from ..limits import Limits
from ..narrow import Narrowed, narrowed
from ..neighbourhood import turns_of
from ..problem import Problem
from ..promise import RATE
from ..relaxation import Relaxation, relax
from . import beam, depth_first, exact, gathered, layers, passage
from .exact import Draft, Layout
from .workers import TIME_UP, Worker

KERNELS = (*exact.KERNELS, passage)
ENTRIES = ("apply", "legal", "passage", "undo", "value")

WIDTHS = (30, 100, 300, 1000, 3000)
SWEEPS_SHARE = 0.3
"""Of the time there is, for sweeps through the whole game."""

WIDTH, CHANCE = 300, 0.3
"""Of the sweeps that play turns anew: how wide, and by how many points promises differ from one to the next."""

LINKS_A_STATE = 400
"""Room for so many expanded states for each of the width."""

RATES = [int(passage.PART * RATE**lacks) for lacks in range(passage.MOST_LACKS)]
MOST = 1 << 40
POLL = 0.1


@frozen
class Small:
    """The problem in windows as small as is likely to do, with its turns counted."""

    problem: Problem
    narrow: Narrowed | None
    layout: Layout

    @classmethod
    def of(cls, problem: Problem, question: Question, make: Maker = as_machine_code) -> Small:
        """Raises `CannotCompile`, also where nothing is known of what is near; `ImportError` without the compiler."""
        narrow = narrowed(problem.engine, problem.root, margin(problem.engine, problem.root))
        engine, root = (problem.engine, problem.root) if narrow is None else (narrow.engine, narrow.state)
        near = None if problem.sign < 0 else relax(engine, Analysis(engine, question.values), question.values, root)
        if not isinstance(near, Relaxation):
            raise CannotCompile("no sum over the cells of one board")
        # What fits where is for bounds, which nobody asks for here; it would take longest of all to read.
        bare = Problem.without_bound(counting(engine, root), root, question)
        small = evolve(bare, bound=evolve(near, fitting=None))
        return cls(small, narrow, Layout.of(Draft.of(small, question), make, KERNELS, ENTRIES))

    def widened(self, plan: tuple[Move, ...]) -> tuple[Move, ...]:
        """The moves of the problem as it was asked."""
        return plan if self.narrow is None else self.narrow.widened(plan)

    def within(self, plan: tuple[Move, ...]) -> tuple[Move, ...] | None:
        """The other way round; None where they leave the small windows."""
        return plan if self.narrow is None else self.narrow.within(plan)

    def sweeper(self, shared: Array, salt: int) -> Sweeper:
        """One with arrays of its own; `shared` is what it and others tell each other."""
        return Sweeper(self.layout.worker(), shared, salt)


@define(eq=False)
class Sweeper:
    """One thread's arrays, as large as the widest sweep so far needs."""

    worker: Worker
    b: Array
    salt: int
    sweeps: int = 0
    _width: int = 0
    _room: tuple[Array, ...] = ()
    _rates: Array = field(factory=lambda: longs(len(RATES)).fill(RATES))

    def sweep(self, state: State, width: int, chance: float) -> Found | None:
        """The best plan that a sweep of this width finds from a state; None when it finds no end."""
        self._pass(state, width, chance, gathered.NEVER)
        return None if self.worker.found is None else (self.worker.found, self.worker.plan)

    def openings(self, state: State, width: int, few: int, chance: float = 0.0) -> Iterator[tuple[Move, ...]]:
        """The ways to the states that such a sweep keeps where a turn begins with at most `few` tiles to come, the most
        promising first; none when it is stopped before."""
        kept = self._pass(state, width, chance, few)
        table, (_, i, j, e, _, n) = self.worker.table, self._room
        first, count = kept >> 32, kept & ((1 << 32) - 1)
        moves = table.game.width
        for entry in sorted(e.items[first : first + count], reverse=True):
            at = entry & ((1 << beam.BITS) - 1)
            opening, link = [table.move_in(j, at * moves)], i.items[layers.STATE * at + 3]
            while link > 0:
                opening.append(table.move_in(n, link * (moves + 1) + 1))
                link = n.items[link * (moves + 1)]
            yield tuple(reversed(opening))

    def _pass(self, state: State, width: int, chance: float, few: int) -> int:
        worker, table = self.worker, self.worker.table
        if width > self._width:
            self._make_room(width)
        a, i, j, e, d, n = self._room
        self.sweeps += 1
        self.salt += 1
        table.load(state)
        y = worker.y.items
        y[depth_first.FOUND] = 0
        return table.program.passage(
            table.s, table.g, table.w, table.x, table.t, table.r, table.m, worker.c, self._rates, self.b, worker.y, worker.k,
            a, i, j, e, d, n, len(table.s.items), width, len(d.items) // 3, width * LINKS_A_STATE,
            int(chance * passage.PART), self.salt, self.sweeps, few,
        )  # fmt: skip

    def bytes_of(self, width: int) -> int:
        """The room that a sweep of this width takes, about."""
        moves, slots = self.worker.table.game.width, len(self.worker.table.s.items)
        return width * (6 * (4 * slots + 8 * layers.STATE + 4 * moves + 8) + 4 * LINKS_A_STATE * (moves + 1) + 24 * 128)

    def _make_room(self, width: int) -> None:
        moves, pools = self.worker.table.game.width, 6 * width
        noted = 1 << (width * 64).bit_length()
        self._room = (
            ints(pools * len(self.worker.table.s.items)), longs(pools * layers.STATE), ints(pools * moves), longs(pools),
            longs(3 * noted), ints(width * LINKS_A_STATE * (moves + 1)),
        )  # fmt: skip
        self._width = width


@define(eq=False)
class Turns:
    """A search for better plans. `best` is the best so far, in the moves of the small problem; `room` is bytes a thread."""

    small: Small
    deadline: float
    began: float
    sweepers: list[Sweeper]
    room: int
    best: Found | None = None
    _lock: threading.Lock = field(factory=threading.Lock)

    def work(self, sweeper: Sweeper, number: int) -> None:
        """What one thread does until it is stopped."""
        root, until = self.small.problem.root, self.began + SWEEPS_SHARE * (self.deadline - self.began)
        for width in [width for width in WIDTHS if width == WIDTHS[0] or sweeper.bytes_of(width) <= self.room]:
            round_began = time.monotonic()
            self._take(sweeper.sweep(root, width, CHANCE if number else 0.0))
            now = time.monotonic()
            if self._stopped or now + 3 * (now - round_began) > until:
                break
        rng = random.Random(number)
        while not self._stopped:
            with self._lock:
                best = self.best
            if best is None:
                self._take(sweeper.sweep(root, WIDTH, CHANCE))
                continue
            start, state = rng.choice(turns_of(self.small.problem, best[1]))
            found = sweeper.sweep(state, WIDTH, CHANCE)
            self._take(None if found is None else (found[0], best[1][:start] + found[1]))

    @property
    def _stopped(self) -> bool:
        return bool(self.sweepers[0].b.items[depth_first.STOP])

    def _take(self, found: Found | None) -> None:
        """Plans that are as good take the place of the one there is, so that the search does not stay."""
        with self._lock:
            if found is not None and (self.best is None or found[0] >= self.best[0]):
                self.best = found


News = Callable[[int, tuple[Move, ...], int], None]
"""Called with the value of a plan that is better than those before, the plan, replayed, and the number of states so far."""


def improve(
    small: Small, problem: Problem, seconds: float, limits: Limits, enough: int | None, settled: Settled, news: News
) -> int:
    """Look for better plans for so many seconds, or until one is worth `enough`; gives the number of states."""
    b = board(MOST if enough is None else enough)
    crew = [small.sweeper(b, number << 32) for number in range(limits.workers)]
    began = time.monotonic()
    turns = Turns(small, began + seconds, began, crew, limits.room // limits.workers)
    threads = [threading.Thread(target=turns.work, args=(sweeper, n), daemon=True) for n, sweeper in enumerate(crew)]
    told = Told(small, problem, crew, news)
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads) and time.monotonic() < turns.deadline and not settled(told.best):
            told.tell(turns.best)
            time.sleep(POLL)
    finally:
        b.items[depth_first.STOP] = TIME_UP
        for thread in threads:
            thread.join()
    told.tell(turns.best)
    return told.states


def board(enough: int) -> Array:
    """What sweepers tell each other."""
    b = longs(8)
    b.items[depth_first.ENOUGH] = enough
    return b


@define
class Told:
    """What has been told of the plans found."""

    small: Small
    problem: Problem
    crew: list[Sweeper]
    news: News
    best: int | None = None

    @property
    def states(self) -> int:
        return sum(sweeper.worker.states for sweeper in self.crew)

    def tell(self, found: Found | None) -> None:
        """Tell of a plan, if it is better than the last, and can be played."""
        if found is not None and (self.best is None or found[0] > self.best):
            plan = checked(self.problem, found[0], self.small.widened(found[1]))
            if plan is not None:
                self.best = found[0]
                self.news(*plan, self.states)
