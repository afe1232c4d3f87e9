"""Large-neighbourhood search (Shaw, 1998) for plans of many turns: a beam from the start, then from turns of the best plan.

Nothing is proved; a plan is replayed by the engine before it counts.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model import types
from rulewright.rules.model.game import Parameter
from rulewright.rules.model.state import COUNTED, OVER, POINT, Move
from rulewright.rules.play.coordinates import Coordinate, cells_in_use, from_coordinates, to_coordinates
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.spaces.window import Extent, Window
from rulewright.solver.best.kernels.beam import INDEX, BackLink, BackLinks, DuplicateTable
from rulewright.solver.best.kernels.search_context import SharedWords
from rulewright.solver.best.kernels.transposition_table import BoundCache
from rulewright.solver.best.kernels.turn_beam import TurnBeam, TurnGroup, TurnMoves
from rulewright.solver.kernel.game_interface import ENDLESS
from rulewright.solver.kernel.run import POLL, beside
from rulewright.solver.kernel.state_pool import PooledState, StatePool, pool_of
from rulewright.solver.result import Incumbent, Limits, Listener
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.program import Maker, Program, as_machine_code
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from . import kernel_problem
from .dual import active_terms
from .kernel_problem import TIME_UP, KernelProblem, Worker, duplicates_of, links_of, shared_words
from .kernels import turn_beam
from .problem import Problem

if TYPE_CHECKING:
    from rulewright.solver.best.bounds.covering_bound import CoveringBound

# The turns of a game, for turn-by-turn searches -----------------------------------------------------------------------


FEW_COMING, MANY_COMING = 14, 34
"""Tiles to come. Measured: with 14, exact search usually ends; with 34, no bound becomes tight within minutes."""

MANY_TURNS = 20
"""Horizons of at most this many turns are left to exact search, however many tiles are to come."""


def plans_share(problem: Problem) -> float:
    """The share of the time for the plan search that precedes exact search; it grows with the number of tiles to come.

    At 1.0 there is no exact search.
    """
    horizon = problem.engine.horizon
    if (horizon is not None and horizon.times <= MANY_TURNS) or problem.board_sums is None:
        return 0.0
    coming = tiles_coming(problem, problem.root)
    return min(max(0.0, (coming - FEW_COMING) / (MANY_COMING - FEW_COMING)), 1.0) ** 2


def tiles_coming(problem: Problem, state: State) -> int:
    """The number of tiles in the supplies of a state."""
    return sum(len(state[at]) for at in problem.reachable.supplies)


def turns_of(problem: Problem, plan: Sequence[Move]) -> list[tuple[int, State]]:
    """The index in a plan at which each turn begins, and the state there."""
    state = problem.root
    found = [(0, state)]
    for place, move in enumerate(plan, 1):
        turn = state[COUNTED]
        state = problem.engine.apply(state, move)
        if state[POINT] != OVER and state[COUNTED] != turn:
            found.append((place, state))
    return found


@frozen
class Narrowed:
    """An engine with smaller windows, the state in it, and the translation of its moves."""

    engine: Engine
    state: State
    _wide: Engine

    def widened(self, plan: Iterable[Move]) -> tuple[Move, ...]:
        """The moves in the large windows."""
        return _translated(self._wide, self.engine, plan)

    def within(self, plan: tuple[Move, ...]) -> tuple[Move, ...] | None:
        """Moves of the large windows in the small ones; None if they leave the small windows."""
        found = _translated(self.engine, self._wide, plan)
        return found if self.widened(found) == plan else None


def margin(state: State) -> int:
    """Cells of margin around the occupied cells. Measured: good plans stay compact."""
    coming = sum(len(column) for column in state if isinstance(column, tuple))
    return 3 + int(coming**0.5 + 1)


def narrowed(engine: Engine, state: State, margin: int) -> Narrowed | None:
    """The position with a margin around all occupied cells; None unless the windows shrink to less than half."""
    coordinates, windows = to_coordinates(engine, state), engine.instance.windows
    unbounded: dict[str, list[Coordinate]] = {
        name: [window.coordinates[window.origin]] if window.origin != window.nowhere else []
        for name, window in windows.items()
        if window.unbounded
    }
    for name, coordinate in cells_in_use(engine.game, coordinates):
        if name in unbounded:
            unbounded[name].append(coordinate)
    if not unbounded or not all(unbounded.values()):
        return None
    extents = {name: _extent(windows[name], cells, margin) for name, cells in unbounded.items()}
    small = Engine.of(engine.game, engine.instance.players, extents, engine.horizon)
    if sum(w.size for w in small.instance.windows.values()) * 2 > sum(w.size for w in windows.values()):
        return None
    columns = list(from_coordinates(small, coordinates))
    columns[COUNTED] = state[COUNTED]
    return Narrowed(small, tuple(columns), engine)


def _translated(engine: Engine, other: Engine, plan: Iterable[Move]) -> tuple[Move, ...]:
    """The moves of the engine `other`, translated into the windows of `engine`."""
    actions = list(engine.game.actions.values())
    return tuple(
        move if move[0] < 0 else (move[0], *_arguments(engine, other, move, actions[move[0]].parameters)) for move in plan
    )


def _arguments(engine: Engine, other: Engine, move: Move, parameters: Iterable[Parameter]) -> Iterable[int]:
    for value, parameter in zip(move[1:], parameters, strict=True):
        match parameter.type:
            case types.Cell(space):
                yield _moved(other.instance.windows[space], engine.instance.windows[space], value)
            case _:
                yield value


def _extent(window: Window, cells: Iterable[Coordinate], margin: int) -> Extent:
    """The bounding box of some cells plus the margin, within the present window."""
    axes = [(min(axis), max(axis)) for axis in zip(*cells, strict=True)]
    limits = [(min(axis), max(axis)) for axis in zip(*window.coordinates, strict=True)]
    low = tuple(max(first - margin, least) for (first, _), (least, _) in zip(axes, limits, strict=True))
    high = tuple(min(last + margin, most) for (_, last), (_, most) in zip(axes, limits, strict=True))
    return Extent(low, high)


def _moved(window: Window, other: Window, cell: int) -> int:
    """The same cell in another window."""
    return other.nowhere if cell >= window.size else other.cell(window.coordinates[cell])


# Large-neighbourhood search -------------------------------------------------------------------------------------------


KERNELS = (*kernel_problem.KERNELS, turn_beam)
ENTRIES = ("apply", "legal", "turn_beam_search", "undo", "value")

WIDTHS = (10, 30, 100, 300)
"""Widths of beams: from the start in this order, from a turn of the plan at random. Measured on a whole game and five positions
with 24 tiles to come: with 30 alone the game gains a point or two, and positions lose up to five."""

SWEEPS_SHARE = 0.3
"""Share of the time for beams from the start."""

CHANCE = 0.5
"""The noise in the evaluations of beams, in points. Measured on a whole game: 0.3 to 1 differ no more than runs do."""

LINKS_A_STATE = 400
"""Back links per state of the beam's width."""

RATE = 0.3
"""Factor in a cell's worth for each missing tile. Measured: a quarter to a third is best, a half far worse."""

RATES = [int(turn_beam.POINT_PARTS * RATE**missing) for missing in range(turn_beam.MOST_MISSING)]


def _covering_bound(problem: Problem) -> CoveringBound:
    """Support sets without tile domains, which only bounds need and which are slowest to compute. Raises `CannotCompile`."""
    from rulewright.solver.best.bounds.covering_bound import CoveringBound, covering_bound

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
        restricted = evolve(problem, engine=engine.counting_turns(root), root=root, bound_by=_covering_bound)
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
        """The moves to the states that such a beam keeps at the first turns with at most `few` tiles to come, by rank; none if
        it is stopped earlier."""
        beam, count = self._pass(state, width, noise, few)
        move_in, moves = self.worker.machine.move_in, self.worker.machine.game.width
        assert self._room is not None
        links, step = self._room.back.array_named("links"), size_of(BackLink) + moves
        groups = [(beam.here, count), *((group.begin, group.count) for group in beam.later[: turn_beam.MOST_USED] if count)]
        for word in sorted((beam.ranks[begin + number] for begin, most in groups for number in range(most)), reverse=True):
            at = word & INDEX
            first = at * beam.turn_words + size_of(TurnMoves)
            turn = [move_in(self._room.turn_moves, first + number * moves) for number in range(beam.turns[at].move_count)]
            prefix, link = turn[::-1], beam.pool.heads[at].link
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
            seen_in_turn=self._room.seen_in_turn,
            back=self._room.back,
            ranking=self._room.ranking,
            turn_moves=self._room.turn_moves,
            turn_groups=self._room.turn_groups,
            rates=self._rates,
            turn_words=self._room.turn_words,
            width=width,
            noise=int(noise * turn_beam.POINT_PARTS),
            salt=self.salt,
            tag=self.passes,
        )
        return beam, machine.program.turn_beam_search(beam, few)

    def bytes_of(self, width: int) -> int:
        """Approximate bytes of a beam of this width."""
        moves, slots = self.worker.machine.game.width, len(self.worker.machine.slots)
        pooled = 4 * slots + 8 * size_of(PooledState) + 4 * turn_words(moves) + 8
        return width * (2 * turn_beam.GROUPS * pooled + 4 * LINKS_A_STATE * (moves + 1) + 24 * 1024)


def turn_words(width: int) -> int:
    """Words for the moves of a turn, each of `width`."""
    return size_of(TurnMoves) + turn_beam.MOST_MOVES * width


@frozen
class BeamRoom:
    """Arrays for a beam by turns."""

    pool: StatePool
    seen: DuplicateTable
    seen_in_turn: DuplicateTable
    back: BackLinks
    ranking: Array
    turn_moves: Array
    turn_groups: Array
    turn_words: int

    @classmethod
    def of(cls, machine: MachineGame, width: int) -> BeamRoom:
        states, words = 2 * turn_beam.GROUPS * width, turn_words(machine.game.width)
        return cls(
            pool_of(machine.arrangement, states),
            duplicates_of(512 * width),
            duplicates_of(turn_beam.TURN_STATES),
            links_of(width * LINKS_A_STATE, machine.game.width),
            longs(size_of(TurnBeam, "ranking") + states),
            ints((states + 1) * words),
            longs(turn_beam.MOST_USED * size_of(TurnGroup)),
            words,
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
        widths = [width for width in WIDTHS if width == WIDTHS[0] or beam.bytes_of(width) <= self.room]
        for width in widths:
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
                self._take(beam.search(root, WIDTHS[0], CHANCE))
                continue
            start, state = rng.choice(turns_of(self.restricted.problem, best.plan))
            found = beam.search(state, rng.choice(widths), CHANCE)
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
