"""One thread's arrays, and the kernels that search on them."""

from __future__ import annotations

import time

from rulewright.base.records import define
from rulewright.rules.machine.machine_game import GameFault, MachineGame
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import State
from rulewright.solver.native.bound import dual_bound
from rulewright.solver.native.bound.arena import Bound
from rulewright.solver.native.kernels.beam import BRANCHING, BackLink, BackLinks, Beam, BeamChild, Duplicate, DuplicateTable
from rulewright.solver.native.kernels.depth_first import AT_ROOT, DepthFirst, Frame, SearchEnd
from rulewright.solver.native.kernels.search_context import Progress, SearchContext, SearchTables, SharedWords
from rulewright.solver.native.kernels.state_pool import PooledState, StatePool
from rulewright.solver.native.kernels.transposition_table import (
    BUCKET_SIZE,
    BoundCache,
    BoundEntry,
    TableEntry,
    TranspositionTable,
)
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.records import size_of

DEEPEST = 20_000

ENDLESS = 1 << 60
"""More states than there is time for."""

FINISHED, TIME_UP = 1, 2
"""Why threads are stopped: there is nothing more to find, or no more time."""

UNFIT = {SearchEnd.FAULTED, SearchEnd.TOO_DEEP}
"""How a thread ends that cannot answer."""

WIDTHS = (30, 100, 300, 1000, 3000, 10_000)
PATIENCE = 1000

LAYERS = 400
"""Room for so many layers of a beam."""

WORDS = 8
"""Room for the words of a bundle of entries."""


def shared_words(target: int, incumbent: int = 0) -> SharedWords:
    """What threads tell each other when they begin."""
    words = SharedWords(longs(WORDS))
    words.incumbent, words.target = incumbent, target
    return words


@define(eq=False)
class SharedState:
    """What threads share: the transposition table, bounds by board, and a few words."""

    visited: Array
    bucket_count: int
    cache: BoundCache
    words: SharedWords

    @classmethod
    def of(cls, buckets: int, bounds: int, least: int, enough: int) -> SharedState:
        """Both numbers are powers of two."""
        visited = longs(size_of(TableEntry) * BUCKET_SIZE * buckets)
        return cls(visited, buckets, BoundCache(longs(size_of(BoundEntry) * bounds), bounds), shared_words(enough, least))

    def renewed(self, buckets: int, least: int, enough: int) -> SharedState:
        """The same bounds, and nothing seen."""
        other = SharedState.of(buckets, 1, least, enough)
        return SharedState(other.visited, buckets, self.cache, other.words)

    @property
    def best(self) -> int:
        return self.words.incumbent

    @property
    def stopped(self) -> int:
        return self.words.stop

    @property
    def enough(self) -> int:
        """No plan needs to be worth more."""
        return self.words.target

    def raise_best(self, value: int) -> None:
        """Note that a plan is worth so much."""
        self.words.incumbent = max(self.best, value)

    def stop(self, why: int) -> None:
        self.words.stop = why


@define(eq=False)
class Worker:
    """One thread's own arrays. `plan_moves` holds the best plan that it found, from the end of the prefix `lead` on. It
    searches behind the end of `prefix`."""

    root: State
    machine: MachineGame
    state_bound: Bound
    tables: SearchTables
    progress: Progress
    plan_moves: Array
    stack: Array
    children: Array
    status: int = SearchEnd.PAUSED
    prefix: tuple[Move, ...] = ()
    lead: tuple[Move, ...] = ()

    @classmethod
    def of(cls, root: State, machine: MachineGame, problem_tables: Array, kind_sets: Array, tables: SearchTables) -> Worker:
        """The tables, which are only read, may be shared."""
        sizes = Bound(machine.memory.state, problem_tables, kind_sets, ints(1), longs(1), ints(1))
        bound = Bound(
            state=machine.memory.state,
            tables=problem_tables,
            kind_sets=kind_sets,
            arena=ints(sizes.arena_size),
            long_arena=longs(sizes.long_size),
            duals=ints(sizes.share_count * sizes.cap_count),
        )
        stack, children = longs(size_of(Frame) * (DEEPEST + 2)), longs(len(machine.moves.items))
        return cls(root, machine, bound, tables, Progress(longs(WORDS)), ints(machine.game.width * DEEPEST), stack, children)

    def context(self, cache: BoundCache, words: SharedWords) -> SearchContext:
        machine = self.machine
        return SearchContext(
            game=machine.memory,
            bound=self.state_bound,
            tables=self.tables,
            cache=cache,
            shared=words,
            progress=self.progress,
            moves=machine.moves,
            plan=self.plan_moves,
        )

    def bound(self, known: int) -> int:
        """No end of a game is worth more than that, and than what is `known`; costs are split until it helps no more."""
        machine = self.machine
        machine.load(self.root)
        for _ in range(PATIENCE):
            found = machine.program.bound_by_dual_costs(self.state_bound, known - 1, dual_bound.SWEEPS)
            if found >= known:
                break
            known = found
        return known

    def search(self, shared: SharedState, number: int, states: int = ENDLESS, prefix: tuple[Move, ...] = ()) -> None:
        """Depth first, for so many states, from the end of a prefix; not at all when that is not legal. Every thread has a
        number of its own, from 1 to `transposition_table.MOST_THREADS`."""
        self.status = self._play(prefix)
        if self.status == SearchEnd.PAUSED:
            self.prefix = prefix
            self.progress.depth = AT_ROOT
            self.resume(shared, number, states)

    def _play(self, prefix: tuple[Move, ...]) -> int:
        """From the root to the end of a prefix: PAUSED there, EXHAUSTED where it is not legal, or FAULTED."""
        self.machine.load(self.root)
        try:
            for move in prefix:
                if move not in self.machine.legal():
                    return SearchEnd.EXHAUSTED
                self.machine.apply(move)
        except GameFault:
            return SearchEnd.FAULTED
        return SearchEnd.PAUSED

    def resume(self, shared: SharedState, number: int, states: int = ENDLESS) -> None:
        """Go on where `search` left off; nothing else was done with these arrays in between."""
        found = self.found
        self.progress.node_limit = self.states + states
        table = TranspositionTable(shared.visited, shared.bucket_count, self.tables.guards, number)
        search = DepthFirst(self.context(shared.cache, shared.words), table, self.stack, self.children)
        self.status = self.machine.program.depth_first_search(search, DEEPEST)
        if self.found != found:
            self.lead = self.prefix

    def beam_search(self, shared: SharedState, seconds: float, room: int) -> None:
        """Beams of growing width, as long as there is time for the next and it fits into so many bytes."""
        machine, began, layer = self.machine, time.monotonic(), 0
        a_state = 8 * len(machine.slots) + 24 * BRANCHING * 4 + 4 * (machine.game.width + 1) * (LAYERS + BRANCHING)
        for width in WIDTHS:
            if width > WIDTHS[0] and width * a_state > room:
                return
            round_began = time.monotonic()
            machine.load(self.root)
            layer = machine.program.beam_search(self._beam(shared, width), layer)
            now = time.monotonic()
            if layer == 0 or shared.stopped or now - began + 4 * (now - round_began) > seconds:
                return

    def _beam(self, shared: SharedState, width: int) -> Beam:
        moves = self.machine.game.width
        return Beam(
            context=self.context(shared.cache, shared.words),
            pool=pool_of(self.machine, 2 * width),
            seen=duplicates_of(2 * width * BRANCHING),
            back=links_of(width * LAYERS, moves)[0],
            beam_children=ints((size_of(BeamChild) + moves) * width * BRANCHING),
            ranking=longs(width * BRANCHING),
            width=width,
        )

    @property
    def states(self) -> int:
        return self.progress.nodes

    @property
    def found(self) -> int | None:
        """The best value that this thread found."""
        return self.progress.plan_value if self.progress.has_plan else None

    @property
    def plan(self) -> tuple[Move, ...]:
        """The moves to it."""
        width, length = self.machine.game.width, self.progress.plan_length
        return (*self.lead, *(self.machine.move_in(self.plan_moves, at) for at in range(0, length * width, width)))


def pool_of(machine: MachineGame, states: int) -> StatePool:
    """Room for so many states of a game."""
    slots = len(machine.slots)
    return StatePool(ints(states * slots), longs(states * size_of(PooledState)), slots)


def duplicates_of(states: int) -> DuplicateTable:
    """Room to tell so many states from each other."""
    count = 1 << states.bit_length()
    return DuplicateTable(longs(size_of(Duplicate) * count), count)


def links_of(states: int, width: int) -> tuple[BackLinks, Array]:
    """Room for the way to so many states, by moves of so many words; and its array."""
    links = ints((size_of(BackLink) + width) * states)
    return BackLinks(links, states), links
