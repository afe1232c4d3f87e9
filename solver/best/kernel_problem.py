"""A problem in the form that kernels need: the game as generated code, the bound and the hashes as tables."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType

from rulewright.base.records import define, field
from rulewright.rules.analysis.dominance import RESOURCE_BITS, resource_bits
from rulewright.rules.analysis.space_maps import Automorphism
from rulewright.rules.analysis.state_symmetries import automorphisms_of
from rulewright.rules.machine.machine_game import GameFault, MachineGame
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import Move, State, value_range
from rulewright.solver.best.dual.arena import Bound, BoundMode
from rulewright.solver.best.kernels.beam import BRANCHING, BackLink, BackLinks, Beam, BeamChild, Duplicate, DuplicateTable
from rulewright.solver.best.kernels.depth_first import AT_ROOT, DepthFirst, Frame
from rulewright.solver.best.kernels.search_context import (
    BoardHash,
    Progress,
    Resource,
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
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from .bound_tables import covering_of, fill_bound
from .dual import active_terms, branch_and_bound, dual_bound, marker_reachability, matroid_greedy, placement_check
from .kernels import beam, depth_first, search_context, transposition_table
from .problem import Problem

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

    def bound(self, known: int) -> int:
        """The dual bound of the root, at most `known`; coordinate descent continues until it gains nothing."""
        machine = self.machine
        machine.load(self.root)
        while (found := machine.program.bound_by_dual_costs(self.state_bound, known - 1, dual_bound.SWEEPS)) < known:
            known = found
        return known

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
    matroid_greedy,
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
    bound: TableBuilder
    tables: SearchTables

    @classmethod
    def of(cls, problem: Problem, kernels: Sequence[ModuleType] = KERNELS, entries: Sequence[str] = ENTRIES) -> KernelProblem:
        """Raises `CannotCompile` if its game or bound does not fit the compiled subset."""
        told = problem.kept_variables, problem.counts, problem.hash_key
        game = CompiledGame(problem.engine, problem.root, problem.question.values, kernels, entries, *told)
        game.text  # noqa: B018 (refuses before bounds are computed)
        bound = TableBuilder(Bound)
        fill_bound(bound, problem, game.arrangement)
        return cls(problem, game, bound, search_tables(problem, game.arrangement))

    @cached_property
    def bound_tables(self) -> Array:
        return self.bound.array("tables", complete=False)

    @cached_property
    def kind_sets(self) -> Array:
        return self.bound.array("kind_sets")

    @property
    def has_dual_bound(self) -> bool:
        """Whether states are bounded by dual costs."""
        return self.bound.get("mode") == BoundMode.DUAL_COSTS

    def automorphisms(self, deadline: float) -> Sequence[Automorphism]:
        """The automorphisms of rules and question that fix resources; as many as are found in time."""
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
        problem = self.problem
        return orbits_of(automorphisms, self.game.arrangement, problem.kept_variables, problem.analysis.uses_chance)

    def worker(self, machine: MachineGame) -> Worker:
        """The arrays of one thread."""
        return Worker.of(self.problem.root, machine, self.bound_tables, self.kind_sets, self.tables, self.orbits(()))


BRANCHING_TILES, MANY, LAID_FIRST, MOST_BRANCHING_TILES = 12, 21, 6, 18
"""Most tiles to come with which bounds branch: BRANCHING_TILES. With MANY at the root, bounds branch once LAID_FIRST tiles are
laid or discarded, at MOST_BRANCHING_TILES at most: with more to come few boards are refuted."""


def search_tables(problem: Problem, arrangement: Arrangement) -> SearchTables:
    """The search tables of a problem. Raises `CannotCompile` if the resources do not fit in a word."""
    builder = TableBuilder(SearchTables)
    _add_resources(builder, problem, arrangement)
    cells = kinds = branching_tiles = 0
    covering = covering_of(problem)
    if covering is not None:
        coming = [tile for column in covering.supplies for tile in problem.root[column]]
        cells, kinds = len(problem.root[covering.column]), len(set(coming)) + 1
        branching_tiles = _branching_tiles(len(coming))
    builder.put(branching_tiles=branching_tiles, kind_count=kinds)
    rng = random.Random(3)
    public = [rng.getrandbits(64) - (1 << 63) for _ in range(cells + kinds)]
    builder.put(cell_words=public[:cells], kind_words=public[cells:])
    secret = problem.hash_key.words(cells * kinds + kinds + cells, "boards").tolist()
    laid, end = cells * kinds, (cells + 1) * kinds
    builder.put(laid_words=secret[:laid], coming_words=secret[laid:end], reached_words=secret[end:])
    return SearchTables(builder.array("search_tables"), builder.array("zobrist"))


def _branching_tiles(coming: int) -> int:
    return BRANCHING_TILES if coming < MANY else min(coming - LAID_FIRST, MOST_BRANCHING_TILES)


def _add_resources(builder: TableBuilder, problem: Problem, arrangement: Arrangement) -> None:
    """Add a field for each resource, with a guard bit above it."""
    words: list[list[int]] = []
    guards = shift = 0
    for name, more_is_better in problem.resources.items():
        place = arrangement.slots.places[name]
        values = value_range(arrangement.instance, place.column.variable)
        offset, sign = (-values.start, 1) if more_is_better else (values.stop - 1, -1)
        for number in range(place.column.count):
            words.append(Resource.words(slot=place.slot + number, offset=offset, sign=sign, shift=shift))
            shift += resource_bits(values)
            guards |= 1 << (shift - 1)
    if shift > RESOURCE_BITS:
        raise CannotCompile("more resources than fit one word")
    builder.put(resources=words, resource_count=len(words), guards=guards)
