"""Large-neighbourhood search (Shaw, 1998) for plans of many turns: a beam from the start, then from turns of the best plan.

Nothing is proved; a plan is replayed by the engine before it counts.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

from attrs import evolve

from rulewright.base.records import define, field, frozen
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import State
from rulewright.solver.best.bounds.covering_bound import CoveringBound, covering_bound
from rulewright.solver.best.incumbent import Incumbent, Listener
from rulewright.solver.best.kernels.beam import INDEX, BackLink, BackLinks, DuplicateTable
from rulewright.solver.best.kernels.search_context import SharedWords
from rulewright.solver.best.kernels.transposition_table import BoundCache
from rulewright.solver.best.kernels.turn_beam import GROUPS, TurnBeam
from rulewright.solver.kernel.game_interface import ENDLESS
from rulewright.solver.kernel.run import POLL, beside
from rulewright.solver.kernel.state_pool import PooledState, StatePool, pool_of
from rulewright.solver.result import Limits
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.program import Maker, Program, as_machine_code
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from . import kernel_problem
from .bound import active_terms
from .kernel_problem import KernelProblem
from .kernels import turn_beam
from .long_games import Narrowed, counting_turns, margin, narrowed, turns_of
from .problem import Problem
from .worker import TIME_UP, Worker, duplicates_of, links_of, shared_words

KERNELS = (*kernel_problem.KERNELS, turn_beam)
ENTRIES = ("apply", "legal", "turn_beam_search", "undo", "value")

WIDTHS = (30, 100, 300, 1000, 3000)
SWEEPS_SHARE = 0.3
"""Share of the time for beams from the start."""

WIDTH, CHANCE = 300, 0.3
"""Width of the beams from a turn of the plan, and the noise in their evaluations, in points."""

LINKS_A_STATE = 400
"""Back links per state of the beam's width."""

RATE = 0.3
"""Factor in a cell's worth for each missing tile. Measured: a quarter to a third is best, a half far worse."""

RATES = [int(turn_beam.POINT_PARTS * RATE**missing) for missing in range(turn_beam.MOST_MISSING)]


def _covering_bound(problem: Problem) -> CoveringBound:
    """Support sets without tile domains, which only bounds need and which are slowest to compute. Raises `CannotCompile`."""
    found = None if problem.board_sums is None else covering_bound(problem.reachable, problem.board_sums)
    if not isinstance(found, CoveringBound):
        raise CannotCompile("no sum over the cells of one board")
    return evolve(found, domains=None)


@frozen
class RestrictedProblem:
    """The problem restricted to the smallest windows likely to hold a best plan, with its turns counted."""

    problem: Problem
    narrow: Narrowed | None
    kernels: KernelProblem
    program: Program

    @classmethod
    def of(cls, problem: Problem, make: Maker = as_machine_code) -> RestrictedProblem:
        """Restrict and compile a problem. Raises `CannotCompile`, also without sums over one board; `ImportError` if there is
        no compiler."""
        narrow = narrowed(problem.engine, problem.root, margin(problem.root))
        engine, root = (problem.engine, problem.root) if narrow is None else (narrow.engine, narrow.state)
        restricted = evolve(problem, engine=counting_turns(engine, root), root=root, bound_by=_covering_bound)
        kernels = KernelProblem.of(restricted, KERNELS, ENTRIES)
        return cls(restricted, narrow, kernels, kernels.game.program(make))

    def widened(self, plan: tuple[Move, ...]) -> tuple[Move, ...]:
        """A plan of the restricted problem in moves of the original one."""
        return plan if self.narrow is None else self.narrow.widened(plan)

    def within(self, plan: tuple[Move, ...]) -> tuple[Move, ...] | None:
        """A plan of the original problem in moves of the restricted one; None if it leaves the small windows."""
        return plan if self.narrow is None else self.narrow.within(plan)

    def turn_beam(self, words: SharedWords, salt: int) -> TurnBeamSearch:
        """A beam search with its own arrays, and words shared with others."""
        return TurnBeamSearch(self.kernels.worker(self.kernels.game.machine(self.program)), words, salt)


@define(eq=False)
class TurnBeamSearch:
    """One thread's beam search by turns; its arrays fit the widest beam so far."""

    worker: Worker
    words: SharedWords
    salt: int
    passes: int = 0
    _width: int = 0
    _room: BeamRoom | None = None
    _cache: BoundCache = field(factory=lambda: BoundCache(longs(2), 1))
    _rates: Array = field(factory=lambda: longs(len(RATES)).fill(RATES))

    def search(self, state: State, width: int, noise: float) -> Incumbent:
        """The best plan that a beam of this width finds from a state, if it finds an end."""
        self._pass(state, width, noise, active_terms.NEVER)
        return Incumbent() if self.worker.found is None else Incumbent(self.worker.found, self.worker.plan)

    def prefixes(self, state: State, width: int, few: int, noise: float = 0.0) -> Iterator[tuple[Move, ...]]:
        """The moves to the states that such a beam keeps at the first turn with at most `few` tiles to come, by rank; none if
        it is stopped earlier."""
        beam, count = self._pass(state, width, noise, few)
        move_in, moves = self.worker.machine.move_in, self.worker.machine.game.width
        assert self._room is not None
        pool_moves, links, step = self._room.pool_moves, self._room.back.array_named("links"), size_of(BackLink) + moves
        for word in sorted((beam.ranks[beam.here + number] for number in range(count)), reverse=True):
            at = word & INDEX
            prefix, link = [move_in(pool_moves, at * moves)], beam.pool.heads[at].link
            while link > 0:
                prefix.append(move_in(links, link * step + size_of(BackLink)))
                link = links.items[link * step]
            yield tuple(reversed(prefix))

    def _pass(self, state: State, width: int, noise: float, few: int) -> tuple[TurnBeam, int]:
        """Run one beam search; returns it and the number of states in its last layer."""
        worker, machine = self.worker, self.worker.machine
        if self._room is None or width > self._width:
            self._room, self._width = BeamRoom.of(machine, width), width
        self.passes += 1
        self.salt += 1
        machine.load(state)
        worker.progress.has_plan = 0
        beam = TurnBeam(
            context=worker.context(self._cache, self.words),
            pool=self._room.pool,
            seen=self._room.seen,
            back=self._room.back,
            ranking=self._room.ranking,
            pool_moves=self._room.pool_moves,
            rates=self._rates,
            width=width,
            noise=int(noise * turn_beam.POINT_PARTS),
            salt=self.salt,
            tag=self.passes,
        )
        return beam, machine.program.turn_beam_search(beam, few)

    def bytes_of(self, width: int) -> int:
        """Approximate bytes of a beam of this width."""
        moves, slots = self.worker.machine.game.width, len(self.worker.machine.slots)
        pooled = 4 * slots + 8 * size_of(PooledState) + 4 * moves + 8
        return width * (2 * GROUPS * pooled + 4 * LINKS_A_STATE * (moves + 1) + 24 * 128)


@frozen
class BeamRoom:
    """Arrays for a beam by turns."""

    pool: StatePool
    seen: DuplicateTable
    back: BackLinks
    ranking: Array
    pool_moves: Array

    @classmethod
    def of(cls, machine: MachineGame, width: int) -> BeamRoom:
        states, moves = 2 * GROUPS * width, machine.game.width
        return cls(
            pool_of(machine.arrangement, states),
            duplicates_of(64 * width),
            links_of(width * LINKS_A_STATE, moves),
            longs(size_of(TurnBeam, "ranking") + states),
            ints(states * moves),
        )


Report = Callable[[Incumbent, int], None]
"""Called with each new best plan, replayed, and the number of states so far."""


@define(eq=False)
class TurnSearch:
    """A search for better plans until the deadline.

    `best` is the best so far, in moves of the restricted problem; `told` is the value of the best one reported.
    """

    restricted: RestrictedProblem
    problem: Problem
    report: Report
    deadline: float
    beams: list[TurnBeamSearch]
    room: int
    """Bytes for each thread."""

    began: float = field(factory=time.monotonic)
    best: Incumbent = Incumbent()
    told: int | None = None
    _lock: threading.Lock = field(factory=threading.Lock)

    def work(self, number: int) -> None:
        """The task of a thread until it is stopped."""
        beam, root = self.beams[number], self.restricted.problem.root
        until = self.began + SWEEPS_SHARE * (self.deadline - self.began)
        for width in [width for width in WIDTHS if width == WIDTHS[0] or beam.bytes_of(width) <= self.room]:
            round_began = time.monotonic()
            self._take(beam.search(root, width, CHANCE if number else 0.0))
            now = time.monotonic()
            if self._stopped or now + 3 * (now - round_began) > until:
                break
        rng = random.Random(number)
        while not self._stopped:
            with self._lock:
                best = self.best
            if best.value is None:
                self._take(beam.search(root, WIDTH, CHANCE))
                continue
            start, state = rng.choice(turns_of(self.restricted.problem, best.plan))
            found = beam.search(state, WIDTH, CHANCE)
            self._take(Incumbent(found.value, best.plan[:start] + found.plan))

    @property
    def _stopped(self) -> bool:
        return bool(self.beams[0].words.stop) or time.monotonic() >= self.deadline

    def stop(self) -> None:
        """Have all threads return."""
        self.beams[0].words.stop = TIME_UP

    @property
    def states(self) -> int:
        return sum(beam.worker.states for beam in self.beams)

    def tell(self) -> None:
        """Report the best plan if it is better than the last one reported and replays correctly."""
        found = self.best
        if found.value is not None and (self.told is None or found.value > self.told):
            plan = self.restricted.widened(found.plan)
            if self.problem.accepts(plan, found.value):
                self.told = found.value
                self.report(Incumbent(found.value, plan), self.states)

    def _take(self, found: Incumbent) -> None:
        """Accept plans of equal value too, so that the search leaves plateaus."""
        with self._lock:
            if found.value is not None and (self.best.value is None or found.value >= self.best.value):
                self.best = found


def improve(
    restricted: RestrictedProblem, problem: Problem, deadline: float, limits: Limits, listener: Listener, report: Report
) -> int:
    """Search for better plans until the deadline, or until one meets the bound; returns the number of states."""
    words = shared_words(ENDLESS if problem.enough is None else problem.enough)
    beams = [restricted.turn_beam(words, number << 32) for number in range(limits.workers)]
    search = TurnSearch(restricted, problem, report, deadline, beams, limits.room // limits.workers)
    with beside([partial(search.work, number) for number in range(limits.workers)], search.stop) as threads:
        while threads.wait(POLL) and time.monotonic() < deadline and not listener.is_settled(search.told):
            search.tell()
    search.tell()
    return search.states
