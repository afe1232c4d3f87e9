"""The null-window search by its kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

from rulewright.base.records import define, field
from rulewright.rules.analysis.state_symmetries import automorphisms_of
from rulewright.rules.machine.machine_game import MOVES_LENGTH, MachineGame
from rulewright.rules.model.state import Move
from rulewright.solver.kernel import orbits
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.game_interface import DEEPEST, ENDLESS, SearchEnd
from rulewright.solver.kernel.orbits import orbits_of
from rulewright.solver.kernel.run import Run
from rulewright.solver.result import Limits
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import with_parts
from rulewright.subset.records import Record, size_of

from . import kernel
from .kernel import BUCKET, HISTORY_BITS, MOVES, NOTHING, TURNS, Frame, Known, Minimax
from .problem import Clock, MinimaxProblem, OutOfReach, Repeats

ENTRIES = ("apply", "legal", "undo", "value")

WITHOUT_ORBITS = 1 << 8
"""States searched before automorphisms are sought. Measured on seven puzzles of best play: an eighth, 0.90 times the states;
16 times as many, 1.06 times; the seconds differ by no more than noise."""


@define(eq=False)
class Hosted:
    """A problem whose game is compiled together with kernels, up to a deadline."""

    problem: MinimaxProblem
    deadline: float
    limits: Limits

    kernels: ClassVar[tuple[ModuleType, ...]]
    entries: ClassVar[tuple[str, ...]]

    @cached_property
    def game(self) -> CompiledGame:
        problem, told = self.problem, (self.problem.telling_variables, self.problem.counts, self.limits.hash_key)
        return CompiledGame(problem.engine, problem.root, problem.question.values, self.kernels, self.entries, *told)

    @cached_property
    def _run(self) -> Run:
        return Run.of(self.game, self.deadline)

    @cached_property
    def _machine(self) -> MachineGame:
        return self._run.machine()

    def in_common(self, machine: MachineGame, known_count: int) -> dict[str, Any]:
        """What every kernel is given: the game, the size of its table, and who asks."""
        without = orbits_of((), machine.arrangement, (), self.problem.analysis.uses_chance)
        given = {"known_count": known_count, "player": self.problem.player, "sign": self.problem.sign}
        return {"game": machine.memory, "moves": machine.moves, "orbits": without, **given}


@define(eq=False)
class KernelSearch(Hosted):
    """A judge by the kernel of null windows. Raises `CannotCompile` if the game does not fit, and `GameFault` at an error of
    the rules."""

    parts: int = 1
    """Into how many parts the memory is divided; the table is as large as one."""
    automorphisms: int = field(default=0, init=False)
    """The number of automorphisms, without the identity, by whose orbits states are identified."""
    is_stopped: bool = field(default=False, init=False)
    """Whether another thread wants no answer any more."""
    _asked_for_orbits: bool = field(default=False, init=False)
    _has_begun: bool = field(default=False, init=False)

    kernels: ClassVar[tuple[ModuleType, ...]] = (orbits, kernel)
    entries: ClassVar[tuple[str, ...]] = ("minimax_search", *ENTRIES)
    without_orbits: ClassVar[int] = WITHOUT_ORBITS

    @cached_property
    def _search(self) -> Any:
        return self.arrays(self._machine)

    def _most(self, entry: type[Record]) -> int:
        """How many entries the table has room for."""
        return max(BUCKET, self.limits.measured().room // self.parts // (8 * size_of(entry)) & -BUCKET)

    def arrays(self, machine: MachineGame) -> Any:
        """The arrays of a search, as large as the limits allow."""
        count = self._most(Known)
        return Minimax(
            **self.in_common(machine, count),
            known_words=longs(count * size_of(Known)),
            stack=longs(DEEPEST * size_of(Frame)),
            search_words=longs(size_of(Minimax, "search_words")),
            order=ints(MOVES_LENGTH),
            history=longs(2 << HISTORY_BITS),
            deepest=DEEPEST,
            is_together=int(self.problem.is_together),
            limited=self._limited,
        )

    @property
    def _limited(self) -> int:
        question = self.problem.question
        return NOTHING if question.own_turns is None else MOVES if question.horizon is None else TURNS

    @property
    def remarks(self) -> tuple[str, ...]:
        return self._run.remarks if self._has_begun else ()

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
        is_timed = self._has_begun and (self._run.is_timed or self._search.has_replaced == 1)
        return is_timed or self.automorphisms > 0

    def _look_for_orbits(self) -> None:
        """In a long search, identify states that automorphisms map to each other."""
        problem, search = self.problem, self._search
        if self._asked_for_orbits or search.nodes < self.without_orbits:
            return
        self._asked_for_orbits = True
        found = automorphisms_of(problem.engine, problem.root, problem.analysis, problem.question.values, self.deadline)
        if found:
            analysis, arrangement = problem.analysis, self._machine.arrangement
            own = orbits_of(found, arrangement, analysis.live_variables, analysis.uses_chance)
            self._search = with_parts(search, orbits=own)
            self.automorphisms = len(found)

    def judge(
        self, path: Sequence[Move], goal: int, heard: Callable[[], None], most: int | None = None, patience: int = ENDLESS
    ) -> int | None:
        """A bound on the value after the moves of `path`, as specified by `Judge`."""
        self.begin(path, goal, most)
        return self.advance(patience, heard)

    def begin(self, path: Sequence[Move], goal: int, most: int | None = None) -> None:
        """Turn to another question, as specified by `Judge.judge`."""
        machine = self._machine
        machine.load(self.problem.root)
        for move in path:
            machine.apply(move)
        machine.memory.trail_length = 0
        self._search.goal, self._search.depth, self._search.has_result = goal, 0, 0
        self.set_clock(self.problem.clock(path, most))
        self._has_begun = True

    def set_clock(self, clock: Clock) -> None:
        """Say how many own turns are left where a search begins."""
        self._search.left, self._search.turn = clock.left, clock.turn

    def advance(self, states: int, heard: Callable[[], None]) -> int | None:
        """The bound that is sought; None if it takes more than so many states, or more time than there is."""
        machine, end = self._machine, self.states + states
        for most in self._run.slices():
            if self.states >= end or self.is_stopped:
                return None
            self._look_for_orbits()
            search = self._search
            search.node_limit = search.nodes + (most if self._asked_for_orbits else self.without_orbits)
            match self._run.call(getattr(machine.program, self.entries[0]), search):
                case SearchEnd.DONE:
                    bound: int = search.result
                    return bound
                case SearchEnd.FAULTED:
                    raise machine.failure()
                case SearchEnd.REPEATED:
                    raise Repeats
                case SearchEnd.TOO_DEEP:
                    raise OutOfReach
            heard()
        return None
