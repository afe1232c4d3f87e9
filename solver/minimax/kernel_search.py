"""The null-window search by its kernel: in baseline code first, then in optimised code if that takes too long."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

from rulewright.base.records import define, field
from rulewright.rules.machine.from_game import GameText, write_game
from rulewright.rules.machine.machine_game import MachineGame, capacity_of
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.machine.state_hash import hash_tables
from rulewright.rules.model.moves import Move
from rulewright.solver.budget import Limits
from rulewright.solver.native.pruning import orbits
from rulewright.solver.native.tables.orbit_words import no_orbits, orbits_of
from rulewright.solver.result import NO_COMPILER
from rulewright.solver.symmetry.state_symmetries import automorphisms_of
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import parts_of
from rulewright.subset.lowering import Source
from rulewright.subset.program import Maker, as_baseline_code, as_machine_code_by, is_kept
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from . import kernel
from .judge import DEEPEST, OutOfReach
from .kernel import BUCKET, Frame, Known, Minimax, SearchEnd
from .problem import MinimaxProblem

ENTRIES = ("apply", "legal", "minimax_search", "undo", "value")

SHORT_SLICE, SLICE = 1 << 8, 1 << 16
"""States searched between checks of the clock."""

WITHOUT_ORBITS = 1 << 8
"""States searched before automorphisms are sought."""

MOST_KNOWN = 1 << 23
"""Most entries of the table."""


@define(eq=False)
class KernelSearch:
    """A judge by the kernel. Raises `CannotCompile` if the game does not fit, and `GameFault` at an error of the rules.

    Runs baseline code for `seconds_unoptimised` before it compiles with optimisation, and never compiles with less than
    `shortest_compilation` seconds left.
    """

    problem: MinimaxProblem
    deadline: float
    limits: Limits
    seconds_unoptimised: float
    shortest_compilation: float
    remarks: tuple[str, ...] = ()
    _unoptimised_ends: float = field(init=False)
    _is_compiled: bool = field(default=False, init=False)
    _slice: int = field(default=SHORT_SLICE, init=False)
    automorphisms: int = field(default=0, init=False)
    """The number of automorphisms, without the identity, by whose orbits states are identified."""
    _asked_for_orbits: bool = field(default=False, init=False)
    _has_begun: bool = field(default=False, init=False)
    _is_timed: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._unoptimised_ends = time.monotonic() + self.seconds_unoptimised

    @cached_property
    def _slots(self) -> Slots:
        engine = self.problem.engine
        return Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, self.problem.root))

    @cached_property
    def _game(self) -> GameText:
        engine = self.problem.engine
        return write_game(engine.instance, self._slots, engine.flow, self.problem.question.values, engine.horizon)

    @cached_property
    def _sources(self) -> Sequence[Source]:
        return self._game.sources((orbits, kernel))

    @cached_property
    def _machine(self) -> MachineGame:
        """The game at the root, in machine code if that is in the cache."""
        problem, arrangement = self.problem, Arrangement(self._slots, self.problem.engine.instance)
        make: Maker = as_baseline_code
        if is_kept(self._sources, ENTRIES):
            make, self._slice, self._is_compiled = as_machine_code_by(self.deadline), SLICE, True
        counts = problem.engine.horizon is not None
        hashes = hash_tables(arrangement, problem.analysis.live_variables, counts, self.limits.hash_key)
        return MachineGame.of(self._game, make(self._sources, ENTRIES), arrangement, hashes)

    @cached_property
    def _search(self) -> Minimax:
        machine = self._machine
        count = 1 << 12
        while 2 * count <= MOST_KNOWN and 2 * count * 8 * size_of(Known) <= self.limits.room:
            count *= 2
        return Minimax(
            game=machine.memory,
            orbits=no_orbits(),
            known_words=longs(count * size_of(Known)),
            stack=longs(DEEPEST * size_of(Frame)),
            killers=ints(DEEPEST * machine.game.width),
            search_words=longs(size_of(Minimax, "search_words")),
            moves=machine.moves,
            known_count=count,
            deepest=DEEPEST,
            player=self.problem.player,
            sign=self.problem.sign,
            uses_chance=int(self.problem.analysis.uses_chance),
        )

    @property
    def states(self) -> int:
        return self._search.nodes if self._has_begun else 0

    @property
    def comparisons(self) -> int:
        """How often hashes were compared in place of states: twice those of a bucket, when a state is entered and left."""
        return 2 * BUCKET * self.states

    @property
    def is_about(self) -> bool:
        """Whether the number of states differs from run to run: also where orbits are used, since what was stored before is
        found again only if its own hash is the least of its orbit."""
        return self._is_timed or self.automorphisms > 0 or (self._has_begun and self._search.has_replaced == 1)

    def _look_for_orbits(self) -> None:
        """In a long search, identify states that automorphisms map to each other."""
        problem, search = self.problem, self._search
        if self._asked_for_orbits or search.nodes < WITHOUT_ORBITS:
            return
        self._asked_for_orbits = True
        found = automorphisms_of(problem.engine, problem.root, problem.analysis, problem.question.values, self.deadline)
        if found:
            parts = {name: getattr(search, name) for name in parts_of(Minimax)}
            own = orbits_of(found, self._machine.arrangement, problem.analysis.live_variables)
            self._search = Minimax(**{**parts, "orbits": own})
            self.automorphisms = len(found)

    def judge(self, path: Sequence[Move], goal: int, heard: Callable[[], None]) -> int | None:
        """A bound on the value after the moves of `path`, as specified by `Judge`."""
        machine = self._machine
        machine.load(self.problem.root)
        for move in path:
            machine.apply(move)
        machine.memory.trail_length = 0
        self._search.goal, self._search.depth, self._search.has_result = goal, 0, 0
        self._has_begun = True
        with ThreadPoolExecutor(1) as thread:  # takes interrupts between slices: within one, arrays are half written
            while time.monotonic() < self.deadline:
                self._compile_in_time()
                self._look_for_orbits()
                search = self._search
                search.node_limit = search.nodes + self._slice
                match thread.submit(machine.program.minimax_search, search).result():
                    case SearchEnd.BOUNDED:
                        return search.result
                    case SearchEnd.FAULTED:
                        raise machine.failure()
                    case SearchEnd.REPEATED:
                        raise self.problem.repeats()
                    case SearchEnd.TOO_DEEP:
                        raise OutOfReach
                heard()
        return None

    def _compile_in_time(self) -> None:
        """Switch to optimised code when the time of baseline code is up."""
        now = time.monotonic()
        if self._is_compiled or now < self._unoptimised_ends or self.deadline - now < self.shortest_compilation:
            return
        self._is_compiled = self._is_timed = True
        try:
            self._machine.program = as_machine_code_by(self.deadline)(self._sources, ENTRIES)
            self._slice = SLICE
        except CannotCompile:
            pass
        except ImportError:
            self.remarks = (*self.remarks, NO_COMPILER)
