"""Best play where positions can repeat, by retrograde analysis in machine code.

Play that never ends is a draw, and never reaches what is asked: what neither side can force is drawn. A table of positions that
took long is kept: it answers for every position in it.
"""

from __future__ import annotations

import pickle
import time
import zlib
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

from rulewright.base.cache import Cache
from rulewright.base.deadline import TimeUp
from rulewright.base.records import define, field
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.model.state import Move
from rulewright.solver.kernel import orbits, packed_states
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.kernel.packed_layout import PackedLayout
from rulewright.solver.kernel.packed_states import NUMBER
from rulewright.solver.result import Limits, Listener, Result, Status
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from . import retrograde_kernel
from .kernel_search import ENTRIES, Hosted
from .problem import MinimaxProblem, TooLarge
from .retrograde_kernel import Positions

WAYS = 12
"""Ways of a position for which there is room, on average."""

WORTH_KEEPING = 1.0
"""By convention: the seconds of processor time from which on a table is kept."""

MOST_BYTES, MOST_TABLES = 256 << 20, 20
"""Most that is kept: bytes of a table before it is compressed, and tables."""

RECALLED = "taken from the table of all positions that an earlier question made"
FOR_EVER = "positions can repeat: with best play nobody wins, and this line of play goes on for ever"
"""Remarks."""


@define(eq=False)
class Retrograde(Hosted):
    """All positions of a problem. Raises `CannotCompile` if the game does not fit the compiled subset."""

    listener: Listener
    root: int = field(default=0, init=False)
    """The number of the position that is asked about."""
    is_recalled: bool = field(default=False, init=False)
    """Whether the positions were kept by an earlier question."""

    kernels: ClassVar[tuple[ModuleType, ...]] = (packed_states, orbits, retrograde_kernel)
    entries: ClassVar[tuple[str, ...]] = (
        *ENTRIES,
        *("enter_first", "explore", "number_kept", "numbers_after", "show", "sweep"),
    )

    @property
    def states(self) -> int:
        return self.positions.count

    @cached_property
    def least(self) -> int:
        """The least value that is wanted."""
        question = self.problem.question
        return question.threshold if question.goal is Goal.REACH else 1

    @cached_property
    def _layout(self) -> PackedLayout:
        problem, compiled = self.problem, self.game
        return PackedLayout(compiled.arrangement, problem.analysis, problem.telling_variables, compiled.counts)

    @cached_property
    def positions(self) -> Positions:
        """Arrays as large as the limits allow."""
        table, size, room = 1 << 12, 8 * self._layout.size + 8 + 4 + 4 + 4 * WAYS, self.limits.measured().room
        while table < NUMBER and 2 * table * 8 + (3 * 2 * table // 4) * size <= room:
            table *= 2
        most = 3 * table // 4
        return Positions(
            **self.in_common(self._machine, table),
            pool=self._layout.states(most),
            known=longs(table),
            first=longs(most + 1),
            after=ints(most * WAYS),
            is_own=ints(most),
            verdicts=ints(most),
            position_words=longs(size_of(Positions, "position_words")),
            room=most,
            way_room=most * WAYS,
            least=self.least,
        )

    def find(self) -> int:
        """Find and decide all positions, or recall them; gives the verdict on the root. Raises `TooLarge`, and any error of
        play."""
        search, began = self.positions, time.process_time()
        if self._recall():
            return self.verdict(self.root)
        self._run.call(self._machine.program.enter_first, search)
        for states in self._run.slices():
            search.done_limit = search.done + states
            match self._run.call(self._machine.program.explore, search):
                case SearchEnd.DONE:
                    verdict = self._decide()
                    if time.process_time() - began >= WORTH_KEEPING:
                        self._keep()
                    return verdict
                case SearchEnd.FAULTED:
                    raise self._fault()
                case SearchEnd.FULL:
                    raise TooLarge
            self.listener.progress(None, None, search.count)
        raise TooLarge

    def _decide(self) -> int:
        level = 1
        while self._run.call(self._machine.program.sweep, self.positions, level):
            if time.monotonic() > self.deadline:
                raise TooLarge
            level += 1
        return self.verdict(self.root)

    def verdict(self, number: int) -> int:
        found: int = self.positions.array_named("verdicts")[number]
        return found

    @cached_property
    def _cache(self) -> Cache | None:
        """None also for searches that are to be the same in every run."""
        rooms = ("rulewright.rules", "rulewright.solver", "rulewright.subset")
        return None if self.limits.is_repeatable else Cache.opened("endgames", *rooms)

    @cached_property
    def _name(self) -> str:
        """The name of the table: a hash of rules and question, of who asks, of what no move changes, and of how often each
        value stands on a board, so that a table of other men does not take its place."""
        problem, told = self.problem, dict[str, Any]()
        for name, column in problem.engine.layout.columns.items():
            if name not in problem.analysis.changing_variables:
                told[name] = problem.root[column.start : column.start + column.count]
            elif column.over_cells:
                told[name] = sorted(problem.root[column.start])
        asked = (problem.player, problem.sign, self.least, told, self.positions.pool.array_named("packing").items.tolist())
        assert self._cache is not None
        return self._cache.name((*self.game.identity(self._machine), repr(asked)))

    def _stored(self) -> tuple[tuple[Array, int], ...]:
        """The arrays that are kept, and their lengths. Where moves lead is found again, which would take most of the room."""
        search, count = self.positions, self.positions.count
        pool = search.pool.array_named("kept"), count * self._layout.size
        return pool, (search.array_named("is_own"), count), (search.array_named("verdicts"), count)

    def _keep(self) -> None:
        views = [array.items[:length] for array, length in self._stored()]
        if self._cache is not None and sum(view.nbytes for view in views) <= MOST_BYTES:
            content = pickle.dumps((self.positions.count, [zlib.compress(view, level=1) for view in views]))
            self._cache.keep(self._name, content, MOST_TABLES)

    def _recall(self) -> bool:
        """Whether a table was kept that fits into memory and has the root."""
        content = None if self._cache is None else self._cache.recall(self._name)
        if content is None:
            return False
        search = self.positions
        count, parts = pickle.loads(content)  # signed by the user's own key, like machine code
        if count > search.room:
            return False
        search.count = count
        states, *verdicts = zip(self._stored(), parts, strict=True)
        _fill(*states)
        number = self._run.call(self._machine.program.number_kept, search)
        self.is_recalled = number >= 0
        if not self.is_recalled:
            search.count = 0
            return False
        for verdict in verdicts:
            _fill(*verdict)
        self.root = number
        return True

    def _fault(self) -> GameFault | TimeUp:
        """The error of the rules that stops play from the position being expanded, by playing it again."""
        engine, machine = self.problem.engine, self._machine
        failure = machine.failure()
        self._run.call(machine.program.show, self.positions, self.positions.done)
        machine.failure()
        for move in engine.legal(machine.state):
            engine.apply(machine.state, move)
        return failure

    def line(self) -> tuple[Move, ...]:
        """Best play from the root: who can force an end takes the shortest way, the other side the longest; it stops where a
        position comes again."""
        plan, here, met, verdict = list[Move](), self.root, {self.root}, self.verdict(self.root)
        while ways := self._ways(here):
            kept = [way for way in ways if (way[0] > 0) == (verdict > 0) and (way[0] < 0) == (verdict < 0)]
            is_own = self.positions.array_named("is_own")[here] == 1
            wants_short = is_own == (verdict > 0)
            _, here, move = (min if wants_short else max)(kept, key=lambda way: abs(way[0]))
            plan.append(move)
            if here in met:
                break
            met.add(here)
        return tuple(plan)

    def _ways(self, number: int) -> list[tuple[int, int, Move]]:
        """The moves of a position, each after the verdict on the position that it leads to, and the number of that."""
        search, machine = self.positions, self._machine
        program, first = machine.program, 0 if self.is_recalled else search.array_named("first")[number]
        end = self._run.call(program.numbers_after if self.is_recalled else program.show, search, number)
        after = search.array_named("after").items[first : first + end // machine.game.width]
        moves = (machine.move_in(machine.moves, at * machine.game.width) for at in range(len(after)))
        return [(self.verdict(there), there, move) for there, move in zip(after, moves, strict=True)]


def _fill(stored: tuple[Array, int], part: bytes) -> None:
    content = zlib.decompress(part)
    stored[0].items.cast("B")[: len(content)] = content


def answer_endless(problem: MinimaxProblem, limits: Limits, listener: Listener, remarks: tuple[str, ...]) -> Result:
    """Who wins, or whether a condition is reached, where play may go on for ever. Raises any error of play."""
    began = time.monotonic()
    search = Retrograde(problem, began + limits.seconds, limits, listener)

    def result(status: Status, bound: int | None, plan: tuple[Move, ...] | None, *more: str) -> Result:
        proof = "" if status is Status.UNKNOWN else "search"
        seconds, said = time.monotonic() - began, (*remarks, *more, *((RECALLED,) if search.is_recalled else ()))
        if plan is None:
            return Result(status, None, bound, (), search.states, seconds, proof, said)
        end = problem.root
        for move in plan:
            end = problem.engine.apply(end, move)
        if not problem.engine.over(end):
            return Result(status, 0, 0, plan, search.states, seconds, proof, (*said, FOR_EVER), is_endless=True)
        return Result(status, problem.value(end), bound, plan, search.states, seconds, proof, said)

    def stopped() -> Result:
        met = f"positions can repeat, and {search.states:,} were met before time or memory ran out"
        return result(Status.UNKNOWN, None, None, met)

    try:
        listener.on_stop(stopped)
        verdict = search.find()
    except TooLarge:
        return stopped()
    except CannotCompile:
        return Result(Status.UNKNOWN, None, None, (), 0, time.monotonic() - began, remarks=(*remarks, NOT_COMPILED))
    if problem.question.goal is Goal.REACH:
        if verdict <= 0:
            return result(Status.IMPOSSIBLE, search.least - 1, None)
        return result(Status.OPTIMAL, search.least, search.line())
    return result(Status.OPTIMAL, (verdict > 0) - (verdict < 0), search.line())


NOT_COMPILED = "positions can repeat, and these rules do not fit the machine code that finds them all"
"""A remark."""
