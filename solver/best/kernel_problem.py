"""A problem in the form that kernels need: the game as generated code, the bound and the hashes as tables."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING

from rulewright.base.hash_keys import HashKey
from rulewright.base.records import define, field
from rulewright.rules.machine.machine_game import GameFault, MachineGame
from rulewright.rules.model.state import Move, State
from rulewright.solver.best.dual.arena import Bound, BoundMode
from rulewright.solver.best.kernels.beam import BRANCHING, BackLink, BackLinks, Beam, BeamChild, Duplicate, DuplicateTable
from rulewright.solver.best.kernels.depth_first import AT_ROOT, DepthFirst, Frame
from rulewright.solver.best.kernels.search_context import (
    BoardHash,
    Progress,
    SearchContext,
    SearchTables,
    SharedWords,
)
from rulewright.solver.best.kernels.transposition_table import (
    BUCKET_SIZE,
    BoundCache,
    BoundEntry,
    TableEntry,
    TranspositionTable,
)
from rulewright.solver.kernel import ground_numbers as ground_numbers_kernel
from rulewright.solver.kernel import orbits, state_pool
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd
from rulewright.solver.kernel.ground_numbers import GroundNumbers, ground_numbers, no_numbers
from rulewright.solver.kernel.orbits import Orbits, orbits_of
from rulewright.solver.kernel.state_pool import pool_of
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.records import size_of

from .dual import active_terms, branch_and_bound, dual_bound, marker_reachability, placement_check
from .kernels import beam, depth_first, search_context, transposition_table
from .problem import KernelTables, Problem

if TYPE_CHECKING:
    from rulewright.rules.analysis.space_maps import Automorphism

# One thread's arrays, and the kernels that search on them -------------------------------------------------------------


DEEPEST = 20_000

FEW_BUCKETS = 1 << 14
"""Buckets of a transposition table for a short search. Measured on 22 puzzles of tiles: an eighth as many, 1.02 times the
states; eight times as many, 1.00 times the states, 1.14 times the seconds."""

FINISHED, TIME_UP = 1, 2
"""Codes: why threads stop. Nothing better can be found, or the deadline has passed."""

UNFIT = {SearchEnd.FAULTED, SearchEnd.TOO_DEEP}
"""Ends of a search that give no answer."""

WIDTHS = (30, 100, 300, 1000, 3000, 10_000)

LAYERS = 400
"""Most layers of a beam."""


def shared_words(target: int, incumbent: int = 0) -> SharedWords:
    """The shared words at the start of a search: target and incumbent."""
    words = SharedWords(longs(size_of(SharedWords, "shared")))
    words.incumbent, words.target = incumbent, target
    return words


@define(eq=False)
class SharedState:
    """What threads share: the transposition table, the bound cache, and a few words."""

    visited: Array
    bucket_count: int
    cache: BoundCache
    words: SharedWords

    @classmethod
    def of(cls, buckets: int, bounds: int, least: int, enough: int) -> SharedState:
        """A new shared state; `buckets` and `bounds` (cached bounds) are powers of two."""
        visited = longs(size_of(TableEntry) * BUCKET_SIZE * buckets)
        return cls(visited, buckets, BoundCache(longs(size_of(BoundEntry) * bounds), bounds), shared_words(enough, least))

    def renewed(self, buckets: int, least: int, enough: int) -> SharedState:
        """The same bound cache with an empty transposition table."""
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
        """The value at which the search ends."""
        return self.words.target

    def raise_best(self, value: int) -> None:
        """Raise the incumbent to `value` if that is greater."""
        self.words.incumbent = max(self.best, value)

    def stop(self, why: int) -> None:
        self.words.stop = why


@define(eq=False)
class Worker:
    """The arrays of one thread. It searches from the end of `prefix`; `plan_moves` holds its best plan from the end of `lead`,
    the prefix of that plan."""

    root: State
    machine: MachineGame
    state_bound: Bound
    tables: SearchTables
    progress: Progress
    plan_moves: Array
    stack: Array
    children: Array
    orbits: Orbits
    board: BoardHash = field(factory=lambda: BoardHash(longs(size_of(BoardHash, "board_words"))))
    order: GroundNumbers = field(factory=no_numbers)
    status: int = SearchEnd.PAUSED
    prefix: tuple[Move, ...] = ()
    lead: tuple[Move, ...] = ()

    @classmethod
    def of(
        cls, root: State, machine: MachineGame, problem_tables: Array, kind_sets: Array, tables: SearchTables, orbits: Orbits
    ) -> Worker:
        """A worker at `root`. The tables are only read and may be shared."""
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
        progress, plan_moves = Progress(longs(size_of(Progress, "counters"))), ints(machine.game.width * DEEPEST)
        return cls(root, machine, bound, tables, progress, plan_moves, stack, children, orbits)

    def context(self, cache: BoundCache, words: SharedWords) -> SearchContext:
        machine = self.machine
        return SearchContext(
            game=machine.memory,
            bound=self.state_bound,
            tables=self.tables,
            orbits=self.orbits,
            board=self.board,
            cache=cache,
            shared=words,
            progress=self.progress,
            moves=machine.moves,
            plan=self.plan_moves,
        )

    def bound(self, known: int, state: State | None = None) -> int:
        """The dual bound of the root or of a `state` that follows, at most `known`; coordinate descent continues until it gains
        nothing."""
        self.stand_at(self.root if state is None else state)
        while (found := self.machine.program.bound_by_dual_costs(self.state_bound, known - 1, dual_bound.SWEEPS)) < known:
            known = found
        return known

    def stand_at(self, state: State) -> None:
        """Load the root or a state that follows, without its hash, with the root's tiles first in the list of laid tiles: a
        bound depends on what was laid since."""
        bound, at_root = self.state_bound, self._cells_at_root
        self.machine.arrangement.load(state, self.machine.slots)
        lying = list(bound.lying[: bound.state[bound.lying_slot]])
        for place, cell in enumerate([*at_root, *(cell for cell in lying if cell not in at_root)]):
            bound.lying[place] = cell

    @cached_property
    def _cells_at_root(self) -> dict[int, None]:
        """The board cells with tiles at the root."""
        self.machine.load(self.root)
        return dict.fromkeys(self.state_bound.lying[: self.state_bound.lying_at_root])

    def begin(self, prefix: tuple[Move, ...] = ()) -> None:
        """Go to the end of a prefix, where `resume` begins to search; its search is done if the prefix is illegal."""
        self.prefix, self.progress.depth = prefix, AT_ROOT
        self.status = SearchEnd.PAUSED
        self.machine.load(self.root)
        try:
            for move in prefix:
                if move not in self.machine.legal():
                    self.status = SearchEnd.DONE
                    return
                self.machine.apply(move)
        except GameFault:
            self.status = SearchEnd.FAULTED

    def resume(self, shared: SharedState, number: int, states: int = ENDLESS) -> None:
        """Search depth-first for so many states, unless it is done; its arrays must not have been used in between. Threads are
        numbered from 1 to `transposition_table.MOST_THREADS`."""
        if self.status != SearchEnd.PAUSED:
            return
        found = self.found
        self.progress.node_limit = self.states + states
        table = TranspositionTable(shared.visited, shared.bucket_count, self.tables.guards, number)
        search = DepthFirst(self.context(shared.cache, shared.words), table, self.stack, self.children, self.order)
        self.status = self.machine.program.depth_first_search(search, DEEPEST)
        if self.found != found:
            self.lead = self.prefix

    def beam_search(self, shared: SharedState, seconds: float, room: int) -> None:
        """Beams of growing width, while the next one fits the time (seconds) and the memory (bytes)."""
        machine, began, layer = self.machine, time.monotonic(), 0
        a_state = 8 * len(machine.slots) + 24 * BRANCHING * 4 + 4 * (machine.game.width + 1) * (LAYERS + BRANCHING)
        for width in WIDTHS:
            if width > WIDTHS[0] and width * a_state > room:
                return
            round_began = time.monotonic()
            machine.load(self.root)
            layer = machine.program.beam_search(self.beam(shared, width), layer)
            now = time.monotonic()
            if layer == 0 or shared.stopped or now - began + 4 * (now - round_began) > seconds:
                return

    def beam(self, shared: SharedState, width: int) -> Beam:
        """The arrays of a beam."""
        moves = self.machine.game.width
        return Beam(
            context=self.context(shared.cache, shared.words),
            pool=pool_of(self.machine.arrangement, 2 * width),
            seen=duplicates_of(2 * width * BRANCHING),
            back=links_of(width * LAYERS, moves),
            beam_children=ints((size_of(BeamChild) + moves) * width * BRANCHING),
            ranking=longs(width * BRANCHING),
            width=width,
        )

    @property
    def states(self) -> int:
        return self.progress.nodes

    @property
    def found(self) -> int | None:
        """The value of the best plan of this thread."""
        return self.progress.plan_value if self.progress.has_plan else None

    @property
    def plan(self) -> tuple[Move, ...]:
        """The best plan of this thread."""
        width, length = self.machine.game.width, self.progress.plan_length
        return (*self.lead, *(self.machine.move_in(self.plan_moves, at) for at in range(0, length * width, width)))


def duplicates_of(states: int) -> DuplicateTable:
    """A table for the duplicates among `states` states."""
    count = 1 << states.bit_length()
    return DuplicateTable(longs(size_of(Duplicate) * count), count)


def links_of(states: int, width: int) -> BackLinks:
    """Back links for `states` states, with moves of `width` words."""
    return BackLinks(ints((size_of(BackLink) + width) * states), states)


# A problem in the form that kernels need ------------------------------------------------------------------------------


KERNELS = (
    active_terms,
    dual_bound,
    marker_reachability,
    placement_check,
    branch_and_bound,
    transposition_table,
    orbits,
    ground_numbers_kernel,
    search_context,
    depth_first,
    state_pool,
    beam,
)
ENTRIES = ("apply", "beam_search", "bound_by_branching", "bound_by_dual_costs", "depth_first_search", "legal", "undo", "value")


@define(eq=False)
class KernelProblem:
    """Code and tables of a problem, shared by all workers."""

    problem: Problem
    game: CompiledGame
    derived: KernelTables
    tables: SearchTables

    @classmethod
    def of(cls, problem: Problem, kernels: Sequence[ModuleType] = KERNELS, entries: Sequence[str] = ENTRIES) -> KernelProblem:
        """Raises `CannotCompile` if its game or bound does not fit the compiled subset."""
        told = None, problem.counts, problem.hash_key
        game = CompiledGame(problem.engine, problem.root, problem.question.values, kernels, entries, *told)
        game.text  # noqa: B018 (refuses before bounds are computed)

        def derive() -> KernelTables:
            from .bound_tables import kernel_tables  # and all analyses

            return kernel_tables(problem, game.arrangement)

        derived = problem.kept("tables", derive)
        game.telling = derived.telling
        return cls(problem, game, derived, search_tables(derived, problem.hash_key))

    @cached_property
    def bound_tables(self) -> Array:
        return self.derived.bound.array("tables", complete=False)

    @cached_property
    def kind_sets(self) -> Array:
        return self.derived.bound.array("kind_sets")

    @property
    def has_dual_bound(self) -> bool:
        """Whether states are bounded by dual costs."""
        return self.derived.bound.get("mode") == BoundMode.DUAL_COSTS

    def automorphisms(self, deadline: float) -> Sequence[Automorphism]:
        """The automorphisms of rules and question that fix resources; as many as are found in time."""
        from rulewright.rules.analysis.state_symmetries import automorphisms_of

        problem, engine = self.problem, self.problem.engine
        found = automorphisms_of(engine, problem.root, problem.analysis, problem.question.values, deadline)
        kept = [engine.game.variables[name] for name in problem.resources]
        return [one for one in found if not any(one.moves(part.index) or one.moves(part.type) for part in kept)]

    def increasing_order(self, seconds: float, machine: MachineGame) -> GroundNumbers:
        """The order in which the actions of a plan need be tried, if they commute; no numbers if not, or not shown in time."""
        problem = self.problem
        if len(problem.engine.choices) > 1:
            return no_numbers()
        # Imported when needed: most questions are of games with several choices, or are answered sooner.
        from rulewright.rules.analysis.commuting_loop import increasing_order
        from rulewright.rules.symbolic.circuit import Refused

        try:
            moves = increasing_order(problem.engine, problem.analysis, problem.root, seconds)
        except Refused:
            return no_numbers()
        return ground_numbers(moves, machine) or no_numbers()

    def orbits(self, automorphisms: Sequence[Automorphism]) -> Orbits:
        """The orbits of states under `automorphisms`, for one thread."""
        return orbits_of(automorphisms, self.game.arrangement, self.derived.telling, self.derived.uses_chance)

    def worker(self, machine: MachineGame) -> Worker:
        """The arrays of one thread."""
        return Worker.of(self.problem.root, machine, self.bound_tables, self.kind_sets, self.tables, self.orbits(()))


def search_tables(derived: KernelTables, key: HashKey) -> SearchTables:
    """The search tables of a problem."""
    builder, cells = derived.search, derived.cells
    kinds = builder.get("kind_count")
    rng = random.Random(3)
    public = [rng.getrandbits(64) - (1 << 63) for _ in range(cells + kinds)]
    builder.put(cell_words=public[:cells], kind_words=public[cells:])
    secret = key.words(cells * kinds + kinds + cells, "boards").tolist()
    laid, end = cells * kinds, (cells + 1) * kinds
    builder.put(laid_words=secret[:laid], coming_words=secret[laid:end], reached_words=secret[end:])
    return SearchTables(builder.array("search_tables"), builder.array("zobrist"))
