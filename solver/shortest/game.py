"""A game compiled for searches in order of cost: for shortest plans, or for all plans worth a goal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING

from rulewright.base.records import define, field
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel import ground_numbers, orbits, packed_states
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.orbits import Orbits, orbits_of
from rulewright.solver.kernel.packed_layout import PackedLayout
from rulewright.solver.kernel.packed_states import NUMBER
from rulewright.solver.shortest.estimates.distance_layout import memory_slot, nothing_known
from rulewright.solver.shortest.estimates.landmarks import landmarks_of
from rulewright.solver.shortest.estimates.partial_state import Slot
from rulewright.solver.shortest.kernels.best_first import COST_SHIFT, BestFirst
from rulewright.solver.shortest.kernels.deepening import Deepening, Frame, Seen
from rulewright.solver.shortest.kernels.state_mail import Letter, Mail
from rulewright.solver.shortest.kernels.sweeping import Sweeping
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import with_parts
from rulewright.subset.records import size_of

from .kernels import (
    assignment,
    best_first,
    deepening,
    distance_estimate,
    first_moves,
    held_tiles,
    landmark_cut,
    renewal,
    state_mail,
    stubborn_sets,
    sweeping,
    traps,
    work_division,
)
from .problem import CostOf, ShortestPlanProblem, truth_value
from .stubborn_layout import stubborn_words

if TYPE_CHECKING:
    from rulewright.rules.analysis.space_maps import Automorphism


KERNELS = (
    packed_states,
    state_mail,
    held_tiles,
    traps,
    first_moves,
    assignment,
    distance_estimate,
    landmark_cut,
    orbits,
    ground_numbers,
    stubborn_sets,
    best_first,
)
"""The kernels of all searches in order of cost; each adds its own."""

ENTRIES = (
    *("apply", "best_first_search", "deepen", "drop_others", "enter_root", "estimate_again", "legal", "move_table", "move_to"),
    *("rebuild_table", "receive_mail", "repack", "sweep", "value"),
)


@define(eq=False)
class CostGame:
    """The game of a problem with some kernels. Where plans end in a condition, its `value` is twice the objective, plus 1 if
    the condition holds; where they end with the game, nothing costs. If it `merges`, markers of which only the region matters
    stand on the first cell of that."""

    problem: Problem | ShortestPlanProblem
    kernels: Sequence[ModuleType] = (*KERNELS, renewal, work_division, deepening, sweeping)
    entries: Sequence[str] = ENTRIES
    merges: bool = False

    @cached_property
    def compiled(self) -> CompiledGame:
        """Raises `CannotCompile` where it is used if the game does not fit the compiled subset."""
        problem, engine, values = self.problem, self.problem.engine, self.problem.question.values
        if isinstance(problem, ShortestPlanProblem):
            values = (*values, *values, truth_value(problem.until))
            engine = problem.region_markers.engine if self.merges else engine
        told = problem.telling_variables, problem.counts, problem.hash_key
        return CompiledGame(engine, problem.root, values, self.kernels, self.entries, *told)

    @cached_property
    def layout(self) -> PackedLayout:
        """What is kept of a state."""
        compiled = self.compiled
        return PackedLayout(compiled.arrangement, self.problem.analysis, self.problem.telling_variables, compiled.counts)

    def narrow(self, ranges: Mapping[Slot, range]) -> None:
        """Keep of a state only what tells such values of slots apart, unless that takes more words."""
        arrangement = self.compiled.arrangement
        narrowed = self.layout.narrowed({memory_slot(arrangement, slot): values for slot, values in ranges.items()})
        self.layout = min(self.layout, narrowed, key=lambda layout: (layout.size, layout is self.layout))

    @cached_property
    def automorphisms(self) -> Sequence[Automorphism]:
        """The automorphisms that the rules and the question respect."""
        from rulewright.rules.analysis.state_symmetries import automorphisms_of

        problem = self.problem
        return automorphisms_of(problem.engine, problem.root, problem.analysis, problem.question.terms, math.inf)

    def orbits(self, automorphisms: Sequence[Automorphism]) -> Orbits:
        """The orbits of states under them, for one thread."""
        return orbits_of(
            automorphisms, self.compiled.arrangement, self.problem.telling_variables, self.problem.analysis.uses_chance
        )

    def states(self, machine: MachineGame, most: int, worker: int = 0, workers: int = 1, later: int = 0) -> KnownStates:
        """The arrays of a worker, for at most `most` states; none is known yet, and the table is small. They suffice for all
        that `later` bytes hold: what is not used takes no memory."""
        problem, layout = self.problem, self.layout
        later = max(later, most * bytes_of_state(layout))
        places = later // bytes_of_state(layout)
        cost_of, least_step = CostOf.MOVES, 0
        if isinstance(problem, ShortestPlanProblem):
            cost_of, least_step = problem.cost_of, problem.least_step
        search = BestFirst(
            game=machine.memory,
            pool=layout.states(places),
            distances=nothing_known(),
            landmarks=landmarks_of(None, machine),
            orbits=self.orbits(()),
            stubborn=stubborn_words(None, machine),
            mail=mail_of(layout, LETTERS if workers > 1 else 1),
            known=longs(FIRST_TABLE),
            origins=longs(places),
            costs=ints(places),
            estimates=ints(places),
            queue=longs(places),
            search_words=longs(SEARCH_WORDS),
            moves=machine.moves,
            goal_move=ints(machine.game.width * DEEPEST),
            known_count=FIRST_TABLE,
            room=min(most, room_in(FIRST_TABLE)),
            cost_of=cost_of,
            least_step=least_step,
            weight=1,
            reopens=1,
            learns=0,
            worker=worker,
            workers=workers,
        )
        return KnownStates(machine, layout, most, later, search)


FIRST_TABLE = 1 << 14
"""Entries of the first table of known states; each next table has twice as many. Measured on ten puzzles: an eighth, 0.97
times the states; eight times as many, the same states."""

DEEPEST, SEEN = 1 << 12, 16
"""When memory is full: the most moves behind an open state; of the memory of known states, one part in SEEN is used to remember
which states were searched."""

SEARCH_WORDS = size_of(BestFirst, "search_words")

LAYERS = 1 << 10
"""Costs, and estimates, that a search for some plan tells apart."""

BESIDE = 8 + 8 + 8
"""Bytes of a state beside what is kept of it: its origin, its costs, a word of the queue."""

PIECE = 1 << 12
"""States that are packed anew at once."""

LETTERS, FOR_MAIL = 1 << 14, 8
"""States that a worker may send in a round; the room doubles where they do not fit. Of the room for states, one part in
FOR_MAIL is left for those that are sent when the rest is full."""


def room_in(table: int) -> int:
    """The most states of a table with so many entries."""
    return table // 4 * 3


def bytes_of_state(layout: PackedLayout) -> int:
    """Bytes that a search takes for each state, apart from the table."""
    return 8 * layout.size + BESIDE


def most_states_in(room: int, size: int) -> int:
    """The most states of `size` bytes that `room` bytes hold with their table, at least those of the first table. A table is
    replaced by one twice as large while both fit."""
    room -= room // SEEN
    table = FIRST_TABLE
    while room_in(table) < NUMBER and room_in(table) * size + 3 * 8 * table <= room:
        table *= 2
    return max(room_in(FIRST_TABLE), min(room_in(table), (room - 8 * table) // size, NUMBER - 1))


@define(eq=False)
class KnownStates:
    """The states of a worker: its game, what it keeps of each, the most that it may keep, the bytes that it may ever have for
    them, and its arrays."""

    machine: MachineGame
    layout: PackedLayout
    most: int
    later: int
    search: BestFirst
    deepening: Deepening | None = field(default=None, init=False)
    """The search that goes on when memory is full."""
    sweeping: Sweeping | None = field(default=None, init=False)
    """The search for some plan."""

    def has_room_for(self, states: int) -> bool:
        """Make room for states that are sent; False if memory does not allow it."""
        needed = max(self.search.state_count, self.search.queued) + states
        if needed > self.most:
            return False
        while needed > room_in(self.search.known_count):
            self._double_table()
        return True

    def grow(self) -> bool:
        """Make more room for states; False if there is none."""
        if self.search.room >= self._most_own:
            return False
        self._double_table()
        return True

    @property
    def _most_own(self) -> int:
        """The most states before none are stored any more: what others have sent by then still has room."""
        return self.most - (self.most // FOR_MAIL if self.search.workers > 1 else 0)

    def _double_table(self) -> None:
        search = self.search
        self._replace_table(2 * search.known_count)
        self.machine.program.move_table(self.search, search.array_named("known"), search.known_count)

    def rebuild_table(self) -> int:
        """Rebuild the table from all states; returns how many are superseded by others of their orbits."""
        self._replace_table(self.search.known_count)
        found: int = self.machine.program.rebuild_table(self.search)
        return found

    def _replace_table(self, count: int) -> None:
        self.search = with_parts(self.search, known=longs(count), known_count=count, room=min(self._most_own, room_in(count)))

    def freeze(self) -> None:
        """Store no more states, but search behind the open ones."""
        search = self.search
        if search.slack:
            self.machine.program.estimate_again(search)
        seen = max(1, self.most * bytes_of_state(self.layout) // SEEN // (8 * (size_of(Seen) + self.layout.size)))
        self.deepening = Deepening(
            search=search,
            met=with_parts(self.layout.states(DEEPEST + seen), packed=search.pool.array_named("packed")),
            frames=longs(DEEPEST * size_of(Frame)),
            seen_words=longs(seen * size_of(Seen)),
            deep_words=longs(size_of(Deepening, "deep_words")),
            frame_count=DEEPEST,
            seen_count=seen,
        )

    def sweep(self) -> None:
        """Search for some plan, and prove nothing."""
        self.search = with_parts(self.search, reopens=0, learns=1)
        self.sweeping = Sweeping(
            search=self.search,
            buckets=ints(LAYERS * LAYERS),
            others=ints(self.most),
            sweep_words=longs(size_of(Sweeping, "sweep_words")),
            cost_count=LAYERS,
            rest_count=LAYERS,
        )

    def limit(self, most: int) -> None:
        """Keep at most so many states from now on."""
        self.most = most
        self.search = with_parts(self.search, room=min(self._most_own, room_in(self.search.known_count)))

    def repack(self, layout: PackedLayout) -> None:
        """Keep states by a layout of no more words from now on, in the place of those that they took."""
        old, piece, states = self.search.pool, layout.states(PIECE), self.search.state_count
        kept, packed = old.array_named("kept"), piece.array_named("kept")
        for first in range(0, states, PIECE):
            count = min(PIECE, states - first)
            self.machine.program.repack(piece, old, self.machine.memory, first, count)
            kept.items[first * layout.size : (first + count) * layout.size] = packed.items[: count * layout.size]
        self.layout, self.search = layout, with_parts(self.search, pool=with_parts(piece, kept=kept))
        for name, make in {"origins": longs, "costs": ints, "estimates": ints, "queue": longs}.items():
            array, used = make(self.later // bytes_of_state(layout)), max(states, self.search.queued)
            array.items[:used] = self.search.array_named(name).items[:used]
            self.search = with_parts(self.search, **{name: array})

    def copy(self, old: BestFirst) -> None:
        """Know what a search knows, in arrays of its own."""
        self.search = with_parts(self.search, known=longs(old.known_count), known_count=old.known_count)
        numbers = dict.fromkeys(("origins", "costs", "estimates"), old.state_count)
        for name, count in {**numbers, "queue": old.queued, "known": old.known_count, "search_words": SEARCH_WORDS}.items():
            self.search.array_named(name).items[:count] = old.array_named(name).items[:count]
        words = old.state_count * self.layout.size
        self.search.pool.array_named("kept").items[:words] = old.pool.array_named("kept").items[:words]
        self.limit(self.most)

    @property
    def bytes(self) -> int:
        """The memory that its states take, with their table."""
        search = self.search
        return max(search.state_count, search.queued) * bytes_of_state(self.layout) + 8 * search.known_count

    @property
    def least(self) -> int | None:
        """A lower bound on the cost of a plan through its open states; None if there are none."""
        search, deepening = self.search, self.deepening
        if deepening is not None and deepening.depth:
            return deepening.limit
        if (sweeping := self.sweeping) is not None:
            return None if sweeping.taken == 0 and sweeping.layer == sweeping.layer_count > 0 else 0
        if not search.queued:
            return None
        # The cost of a plan through a state is at least its weighted priority over the weight.
        return -(-(search.array_named("queue")[0] >> COST_SHIFT) // search.weight) + search.slack


def mail_of(layout: PackedLayout, letters: int) -> Mail:
    """Empty mail with room for `letters` states."""
    return Mail(layout.states(letters), ints(letters * size_of(Letter)), ints(size_of(Mail, "mail_words")), letters)
