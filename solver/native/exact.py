"""Exact search in machine code: the same question and the same answer as solver/exact.py, sooner."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType

from ...grammar.classes import define
from ...grammar.scenarios import Goal
from ...rules.analysis import Analysis
from ...rules.engine import Move
from ...rules.native.arrays import Array, ints, longs
from ...rules.native.module import GameText, write_game
from ...rules.native.playing import Table, capacity_of
from ...rules.native.program import Maker, Program, as_machine_code, is_kept
from ...rules.native.slots import Arrangement, Slots
from ...rules.questions import Question
from ..endings import no_end
from ..exact import Progress, Settled
from ..problem import Problem
from ..result import Result, Status
from . import beam, depth_first, entries, gathered, layers, matched, realised, refuted, relaxed, seen, settled, travelled
from .descent import Descent
from .openings import Around, Openings, Way
from .tables import Numbers, hashed_words, search_tables
from .workers import ENDLESS, FINISHED, TIME_UP, UNFIT, Blackboard, Worker

KERNELS = (gathered, matched, settled, relaxed, travelled, realised, refuted, seen, depth_first, layers, beam)
ENTRIES = ("apply", "beam", "by_branching", "by_shares", "legal", "search", "undo", "value")
NOTHING = -(1 << 40)
"""Less than any value."""

FIRST_LOOK, SMALL_BUCKETS, SMALL_BOUNDS = 0.3, 1 << 14, 1 << 15
"""Seconds for a first search with small tables: most puzzles need no more."""

OPENINGS_SHARE = 0.5
"""Of the time that is left, at most, for what lies behind promising openings."""

BEAM_SHARE, BEAM_SECONDS = 0.1, 4.0
"""Of the time there is, at most, for the beam search."""

FROM_ABOVE = 0.2
"""The share of the time after which the bound is brought down from above too: what is proved sooner needs no bound."""

SLICE = 1 << 10
"""States that a thread looks at before it thinks of the clock, or of its other work."""

POLL = 0.05
"""Seconds between looks at the clock."""

Known = tuple[int | None, tuple[Move, ...]]
"""The worth of a plan (more is better) and its moves."""

BEAM_PART = 8
"""A beam may take one part in so many of the memory beside the tables."""

BUCKET_BYTES, BOUND_BYTES = seen.WAYS * 16, 16


class Unfit(Exception):
    """The machine-code reading cannot answer: a fault of the rules, or lines of play that are too long."""


@define(eq=False)
class Draft:
    """A problem, and its game as text for the kernels."""

    problem: Problem
    analysis: Analysis
    arrangement: Arrangement
    game: GameText

    @classmethod
    def of(cls, problem: Problem, question: Question) -> Draft:
        """Raises `CannotCompile`."""
        engine = problem.engine
        slots = Slots.of(engine.layout, capacity_of(engine.game, engine.layout, problem.root))
        game = write_game(engine.ground, slots, engine.flow, question.values, engine.horizon)
        return cls(problem, problem.analysis, Arrangement(slots, engine.ground), game)

    @property
    def is_kept(self) -> bool:
        """Whether its machine code is at hand. Raises `ImportError` without the compiler."""
        return is_kept(self.game, KERNELS, ENTRIES)


@define(eq=False)
class Layout:
    """A problem laid out for the kernels."""

    problem: Problem
    game: GameText
    program: Program
    arrangement: Arrangement
    numbers: Numbers
    words: Array
    c: Array
    z: Array

    @classmethod
    def of(
        cls,
        draft: Draft,
        make: Maker = as_machine_code,
        kernels: Sequence[ModuleType] = KERNELS,
        entries: Sequence[str] = ENTRIES,
    ) -> Layout:
        """`make` makes the program. Raises `CannotCompile`, and `ImportError` without the compiler."""
        problem, analysis, arrangement = draft.problem, draft.analysis, draft.arrangement
        numbers = search_tables(problem, analysis, arrangement)
        words = hashed_words(problem, analysis, arrangement)
        program = make(draft.game, kernels, entries)
        c, z = ints(len(numbers.c)).fill(numbers.c), longs(len(numbers.z)).fill(numbers.z)
        return cls(problem, draft.game, program, arrangement, numbers, longs(len(words)).fill(words), c, z)

    def worker(self) -> Worker:
        classes = range(len(self.arrangement.ground.game.tiles) + 1)
        table = Table.of(self.game, self.program, self.arrangement, classes, self.words)
        return Worker.of(self.problem.root, table, self.c, self.z)


@define(eq=False)
class Run:
    """A search under way."""

    layout: Layout
    question: Question
    bound: int | None
    began: float
    deadline: float
    progress: Progress | None
    settled: Settled
    known: Known
    crew: list[Worker]
    shared: Blackboard
    from_above: float
    ways: Sequence[Way]
    around: Around | None
    openings: Openings | None = None
    descent: Descent | None = None

    def first_look(self) -> bool:
        """One thread, small tables; whether that was enough."""
        worker = self.crew[0]
        self._work([lambda: worker.dig(self.shared, 1)], min(self.deadline, time.monotonic() + FIRST_LOOK))
        return self._settled([worker])

    def at_length(self, room: int) -> bool:
        """All threads, tables as large as the room (in bytes), a beam for a good plan first. If it takes long the last thread
        brings the bound down; one that is alone does both in turn."""
        words = self.shared.b.items
        looks_ahead = self.layout.numbers.c[entries.MODE] == entries.BY_SHARES
        descends = looks_ahead and self.bound is not None and self.question.goal is not Goal.REACH
        bounds = _power_of_two(room // 4 // BOUND_BYTES) if looks_ahead else 1
        buckets = _power_of_two(room * 3 // (8 if descends else 4) // BUCKET_BYTES)
        self.shared = Blackboard.of(buckets, bounds, self.shared.best, words[depth_first.ENOUGH])
        if self.ways or self.around is not None:
            self.openings = Openings(self.layout.worker(), self.ways, self.around)
        if descends:
            assert self.bound is not None
            self.descent = Descent(self.layout.worker(), self.bound, buckets)
        self._work([partial(self._dig, worker, number, room) for number, worker in enumerate(self.crew, 1)], self.deadline)
        return self._settled(self.crew)

    def _dig(self, worker: Worker, number: int, room: int) -> None:
        """What a thread does: the first one begins with what is likely to make good plans. Nobody is done before all are: what
        one has passed over, another may still be inside of."""
        if number == 1:
            seconds = min(BEAM_SHARE * (self.deadline - self.began), BEAM_SECONDS)
            worker.scan(self.shared, seconds, room // BEAM_PART)
            if self.openings is not None:
                # Only where another one brings the bound down is there a proof without this thread.
                goes_on = self.around is not None and self.descent is not None and len(self.crew) > 1
                now, share = time.monotonic(), 1.0 if goes_on else OPENINGS_SHARE
                self.openings.run(self.shared, now + share * (self.deadline - now), self.crew[1:])
        descent = self.descent if number == len(self.crew) else None
        since = time.monotonic() + self.from_above * (self.deadline - time.monotonic())
        worker.dig(self.shared, number, ENDLESS if descent is None else SLICE)
        while descent is not None and worker.status == depth_first.STOPPED and not self.shared.stopped:
            is_late = time.monotonic() >= since
            if is_late:
                descent.run(self.shared, SLICE)
            if not is_late or all(other.status == depth_first.ENDED for other in self.crew[:-1]):
                worker.dig_on(self.shared, number, SLICE)
        if worker.status in UNFIT:
            self.shared.stop(FINISHED)

    def _settled(self, crew: Sequence[Worker]) -> bool:
        statuses = {worker.status for worker in crew}
        if statuses & UNFIT:
            raise Unfit
        return statuses == {depth_first.ENDED} or self.shared.stopped == FINISHED

    def _work(self, tasks: Sequence[Callable[[], None]], deadline: float) -> None:
        """Until all tasks have ended, or the time is up, or the question is settled."""
        threads = [threading.Thread(target=task, daemon=True) for task in tasks]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads) and time.monotonic() < deadline and not self.is_settled:
                for thread in threads:
                    thread.join(POLL / len(threads))
                self._report()
        finally:
            if any(thread.is_alive() for thread in threads) and not self.shared.stopped:
                self.shared.stop(TIME_UP)
            for work in (self.openings, self.descent):
                if work is not None:
                    work.stop()
            for thread in threads:
                thread.join()
            if self.descent is not None and self.bound is not None:
                self.bound = min(self.bound, self.descent.bound)

    @property
    def _all(self) -> list[Worker]:
        return [*self.crew, *(work.worker for work in (self.openings, self.descent) if work is not None)]

    @property
    def is_settled(self) -> bool:
        """Whether somebody else has the answer."""
        return self.settled(None if self.shared.best <= NOTHING else self.shared.best)

    def _report(self) -> None:
        if self.descent is not None and self.bound is not None:
            self.bound = min(self.bound, self.descent.bound)
        if self.progress is not None:
            problem, best = self.layout.problem, self.shared.best
            states = sum(worker.states for worker in self._all)
            self.progress(None if best <= NOTHING else problem.signed(best), problem.signed(self.bound), states)

    def result(self, ended: bool) -> Result:
        problem, question = self.layout.problem, self.question
        states = sum(worker.states for worker in self._all)
        finder = max(self._all, key=lambda worker: NOTHING if worker.found is None else worker.found)
        score, plan = self.known
        if finder.found is not None and (score is None or finder.found > score):
            score, plan = finder.found, finder.plan
        taken = time.monotonic() - self.began
        if not ended:
            status = Status.UNKNOWN if score is None else Status.FEASIBLE
            return Result(status, problem.signed(score), problem.signed(self.bound), plan, states, taken)
        if question.goal is Goal.REACH and (score is None or score < question.threshold):
            return Result(Status.IMPOSSIBLE, None, question.threshold - 1, (), states, taken, "search")
        if score is None:
            raise no_end(question)
        best = question.threshold if question.goal is Goal.REACH else problem.signed(score)
        return Result(Status.OPTIMAL, problem.signed(score), best, plan, states, taken, "search")


def _nobody(best: int | None) -> bool:
    return False


def search(
    layout: Layout,
    question: Question,
    seconds: float = 60.0,
    progress: Progress | None = None,
    settled: Settled = _nobody,
    workers: int = 1,
    room: int = 512 << 20,
    known: Known = (None, ()),
    from_above: float | None = None,
    openings: Sequence[Way] = (),
    around: Around | None = None,
) -> Result:
    """Answer a question as solver/exact.py does; `room` is how many bytes the states and bounds may take that are remembered,
    `known` the best plan so far, with its worth. The bound is brought down from above after the share `from_above` of the time,
    `FROM_ABOVE` unless told. Plans that begin with one of the `openings` are tried first, then those `around` the best, by one
    thread: to the end where another brings the bound down.

    Raises `Unfit`, and `RulesError`: RW331 when every state was looked at and none is an end.
    """
    began = time.monotonic()
    problem = layout.problem
    worker = layout.worker()
    bound = problem.most
    if bound is not None and layout.numbers.c[entries.MODE] == entries.BY_SHARES:
        bound = worker.bound(bound)
    reach = question.goal is Goal.REACH
    least = NOTHING if known[0] is None else known[0]
    if reach:
        least = max(least, question.threshold - 1)
    enough = question.threshold if reach else bound if bound is not None else 1 << 40
    shared = Blackboard.of(SMALL_BUCKETS, SMALL_BOUNDS, least, enough)
    run = Run(
        layout,
        question,
        bound,
        began,
        began + seconds,
        progress,
        settled,
        known,
        [worker],
        shared,
        FROM_ABOVE if from_above is None else from_above,
        openings,
        around,
    )
    try:
        ended = least >= enough or run.first_look()
        if not ended and time.monotonic() < run.deadline and not run.is_settled:
            run.crew += [layout.worker() for _ in range(min(workers, seen.OWNER) - 1)]
            ended = run.at_length(room)
    except KeyboardInterrupt:
        ended = False
    return run.result(ended)


def _power_of_two(most: int) -> int:
    return 1 << max(0, most.bit_length() - 1)
