"""A thread's arrays, and the kernels run on them."""

from __future__ import annotations

import time

from ...grammar.classes import define
from ...rules.engine import Move, State
from ...rules.native.arrays import Array, ints, longs
from ...rules.native.playing import Fault, Table
from . import beam, depth_first, entries, layers, relaxed, seen

DEEPEST = 20_000

ENDLESS = 1 << 60
"""More states than there is time for."""

FINISHED, TIME_UP = 1, 2
"""Why threads are stopped: there is nothing more to find, or no more time."""

UNFIT = {depth_first.FAULTED, depth_first.TOO_DEEP}
"""How a thread ends that cannot answer."""

WIDTHS = (30, 100, 300, 1000, 3000, 10_000)
PATIENCE = 1000

LAYERS = 400
"""Room for so many layers of a beam."""


@define(eq=False)
class Blackboard:
    """What threads share: the states seen, bounds by board, and a few words."""

    v: Array
    h: Array
    b: Array

    @classmethod
    def of(cls, buckets: int, bounds: int, least: int, enough: int) -> Blackboard:
        """Both numbers are powers of two."""
        words = longs(8)
        words.items[depth_first.BEST], words.items[depth_first.ENOUGH] = least, enough
        words.items[depth_first.BUCKETS], words.items[depth_first.BOUNDS] = buckets, bounds
        return cls(longs(2 * seen.WAYS * buckets), longs(2 * bounds), words)

    def renewed(self, buckets: int, least: int, enough: int) -> Blackboard:
        """The same bounds, and nothing seen."""
        other = Blackboard.of(buckets, 1, least, enough)
        other.b.items[depth_first.BOUNDS] = self.b.items[depth_first.BOUNDS]
        return Blackboard(other.v, self.h, other.b)

    @property
    def best(self) -> int:
        return self.b.items[depth_first.BEST]

    @property
    def stopped(self) -> int:
        return self.b.items[depth_first.STOP]

    def reach(self, value: int) -> None:
        """Note that a plan is worth so much."""
        self.b.items[depth_first.BEST] = max(self.best, value)

    def stop(self, why: int) -> None:
        self.b.items[depth_first.STOP] = why


@define(eq=False)
class Worker:
    """One thread's own arrays; `y` says what it did, `k` is the best plan that it found, from the end of `lead` on. It digs
    behind the end of an `opening`."""

    root: State
    table: Table
    c: Array
    z: Array
    q: Array
    u: Array
    p: Array
    f: Array
    o: Array
    y: Array
    k: Array
    status: int = depth_first.STOPPED
    opening: tuple[Move, ...] = ()
    lead: tuple[Move, ...] = ()

    @classmethod
    def of(cls, root: State, table: Table, c: Array, z: Array) -> Worker:
        """`c` and `z`, which are only read, may be shared."""
        room, long_room, places = (max(1, c.items[at]) for at in (entries.ROOM, entries.LONG_ROOM, entries.PLACES))
        levels = max(1, c.items[entries.LEVEL_COUNT])
        return cls(
            root, table, c, z,
            ints(room), longs(long_room), ints(places * levels), longs(depth_first.FRAME * (DEEPEST + 2)),
            longs(len(table.m.items)), longs(8), ints(table.game.width * DEEPEST),
        )  # fmt: skip

    def bound(self, known: int) -> int:
        """No end of a game is worth more than that, and than what is `known`; shared out until it helps no more."""
        t = self.table
        t.load(self.root)
        for _ in range(PATIENCE):
            found = t.program.by_shares(t.s, self.c, self.z, self.q, self.u, self.p, known - 1, relaxed.SWEEPS)
            if found >= known:
                break
            known = found
        return known

    def branched(self, goal: int) -> int:
        """No end of a game is worth more: the goal, when a search of the last boards shows that."""
        t = self.table
        t.load(self.root)
        return t.program.by_branching(t.s, self.c, self.z, self.q, self.u, self.p, goal, relaxed.SWEEPS)

    def dig(self, shared: Blackboard, number: int, states: int = ENDLESS, opening: tuple[Move, ...] = ()) -> None:
        """Depth first, for so many states, from the end of an opening; not at all when that is not legal. Every thread has a
        number of its own, from 1 to `seen.OWNER`."""
        self.status = self._play(opening)
        if self.status == depth_first.STOPPED:
            self.opening = opening
            self.y.items[depth_first.DEPTH] = depth_first.AT_ROOT
            self.dig_on(shared, number, states)

    def _play(self, opening: tuple[Move, ...]) -> int:
        """From the root to the end of an opening: STOPPED there, ENDED where it is not legal, or FAULTED."""
        self.table.load(self.root)
        try:
            for move in opening:
                if move not in self.table.legal():
                    return depth_first.ENDED
                self.table.apply(move)
        except Fault:
            return depth_first.FAULTED
        return depth_first.STOPPED

    def dig_on(self, shared: Blackboard, number: int, states: int = ENDLESS) -> None:
        """Go on where `dig` left off; nothing else was done with these arrays in between."""
        t, found = self.table, self.found
        self.y.items[depth_first.UNTIL] = self.states + states
        self.status = t.program.search(
            t.s, t.g, t.w, t.x, t.t, t.r, t.m, self.c, self.z, self.q, self.u, self.p, shared.v, shared.h, self.f, self.o,
            shared.b, self.y, self.k, DEEPEST, number,
        )  # fmt: skip
        if self.found != found:
            self.lead = self.opening

    def scan(self, shared: Blackboard, seconds: float, room: int) -> None:
        """Beams of growing width, as long as there is time for the next and it fits into so many bytes."""
        t, size = self.table, len(self.table.s.items)
        a_state = 8 * size + 24 * beam.CHILDREN * 4 + 4 * (t.game.width + 1) * (LAYERS + beam.CHILDREN)
        began, layer = time.monotonic(), 0
        for width in WIDTHS:
            if width > WIDTHS[0] and width * a_state > room:
                return
            round_began = time.monotonic()
            t.load(self.root)
            noted, links = 1 << (width * beam.CHILDREN * 2).bit_length(), width * LAYERS
            layer = t.program.beam(
                t.s, t.g, t.w, t.x, t.t, t.r, t.m, self.c, self.z, self.q, self.u, self.p, shared.h, shared.b, self.y, self.k,
                ints(2 * width * size), longs(2 * width * layers.STATE), ints(width * beam.CHILDREN * (t.game.width + 1)),
                longs(width * beam.CHILDREN), longs(3 * noted), ints(links * (t.game.width + 1)),
                size, width, noted, links, layer,
            )  # fmt: skip
            now = time.monotonic()
            if layer == 0 or shared.stopped or now - began + 4 * (now - round_began) > seconds:
                return

    @property
    def states(self) -> int:
        return self.y.items[depth_first.NODES]

    @property
    def found(self) -> int | None:
        """The best value that this thread found."""
        return self.y.items[depth_first.FOUND_BEST] if self.y.items[depth_first.FOUND] else None

    @property
    def plan(self) -> tuple[Move, ...]:
        """The moves to it."""
        width, length = self.table.game.width, self.y.items[depth_first.PLAN_LENGTH]
        return (*self.lead, *(self.table.move_in(self.k, at) for at in range(0, length * width, width)))
