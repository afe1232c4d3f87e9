"""Lines of play by first move or turn: few in plain Python, more in machine code."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property

from rulewright.base.deadline import TimeUp
from rulewright.base.deadline import deadline as limit
from rulewright.base.records import define, field, frozen
from rulewright.rules.machine.machine_game import GameFault, MachineGame
from rulewright.rules.model.state import COUNTED, SEED, Horizon, Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.perft import Lines, TooManyStates, lines_of_play
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.game_interface import DEEPEST, SearchEnd
from rulewright.solver.kernel.run import Run
from rulewright.subset.buffers import longs
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from . import kernel
from .kernel import Frame, LineCount

QUICK = 0.1
"""Seconds of processor time in plain Python before anything is compiled. A number of states would not do: 2,048 of one game
took two seconds, in which machine code counts two million lines."""

ENTRIES = ("apply", "begin_count", "count_lines", "legal")


@frozen
class Opening:
    """The lines of play that begin with a move, or with the moves of a turn, from the root on."""

    moves: tuple[Move, ...]
    lines: Lines


def total(rows: Sequence[Opening], length: int) -> tuple[int, ...]:
    """How many lines have 0, 1, …, `length` moves or turns."""
    return (1, *(sum(row.lines.counts[at] for row in rows) for at in range(1, length + 1)))


@define(eq=False)
class LineCounter:
    """Counts lines of up to `length` moves or turns, until `time.monotonic()` reaches the deadline; `by_turn`: those of each
    first turn apart, not those of each first move."""

    engine: Engine
    root: State
    length: int
    deadline: float
    in_turns: bool = False
    by_turn: bool = False
    is_over: bool = field(default=False, init=False)
    """Whether time was up before all lines were counted."""
    remarks: tuple[str, ...] = field(default=(), init=False)
    _quick: float = field(default=QUICK, init=False)
    """Seconds of processor time left in plain Python before anything is compiled."""
    _is_plain: bool = field(default=False, init=False)
    """Whether machine code cannot count these lines."""

    @classmethod
    def of(
        cls, engine: Engine, root: State, length: int, deadline: float, point: str | None = None, by_turn: bool = False
    ) -> LineCounter:
        """The engine of a count in turns ends play after the last."""
        horizon = None if point is None else Horizon(point, root[COUNTED] + length)
        return cls(engine.with_horizon(horizon), root, length, deadline, point is not None, by_turn)

    def rows(self) -> Iterator[Opening]:
        """The lines of each first move or turn. Raises any error of play."""
        for moves in self._first_moves() if self.length else ():
            lines = self._after(moves) if moves else None
            if lines is None:
                self.is_over = True
                return
            yield Opening(moves, lines)

    def _first_moves(self) -> Iterator[tuple[Move, ...]]:
        """Each first move or, by turns, the moves of each first turn; a turn in which play ends is one. Last () if time
        is up."""
        engine = self.engine
        pending: list[tuple[tuple[Move, ...], State]] = [((move,), self.root) for move in reversed(engine.legal(self.root))]
        while pending:
            if time.monotonic() >= self.deadline:
                yield ()
                return
            moves, before = pending.pop()
            after = engine.apply(before, moves[-1]) if self.by_turn else before
            others = engine.legal(after) if self.by_turn and after[COUNTED] == self.root[COUNTED] else []
            if not others:
                yield moves
            pending += [((*moves, move), after) for move in reversed(others)]

    def _after(self, moves: tuple[Move, ...]) -> Lines | None:
        """The lines that begin with some moves; None if time was up before."""
        if self.length == 1 and not self.in_turns:
            return Lines((0, 1))
        after = self.root
        for move in moves:
            after = self.engine.apply(after, move)
        gained = after[COUNTED] - self.root[COUNTED] if self.in_turns else 1
        rest = self._lines(after, self.length - gained)
        if rest is None:
            return None
        counts = (0, *[1] * gained, *rest.counts[1:])
        return Lines(counts, rest.states, rest.has_drawn or after[SEED] != self.root[SEED])

    def _lines(self, state: State, length: int) -> Lines | None:
        """The lines of up to `length` more moves or turns."""
        if not self._is_plain:
            began = time.process_time()
            with suppress(TooManyStates):
                lines = lines_of_play(self.engine, state, length, self.in_turns, until=began + self._quick)
                self._quick -= time.process_time() - began
                return lines
            self._quick = 0.0
            try:
                return self._in_machine_code(state, length)
            except (CannotCompile, GameFault):
                self._is_plain = True
        try:
            with limit(self.deadline - time.monotonic()):
                return lines_of_play(self.engine, state, length, self.in_turns)
        except TimeUp:
            return None

    @cached_property
    def _run(self) -> Run:
        return Run.of(CompiledGame(self.engine, self.root, (), (kernel,), ENTRIES), self.deadline)

    @cached_property
    def _machine(self) -> MachineGame:
        return self._run.machine()

    @cached_property
    def _count(self) -> LineCount:
        deepest = DEEPEST if self.in_turns else self.length
        return LineCount(
            game=self._machine.memory,
            moves=self._machine.moves,
            stack=longs(deepest * size_of(Frame)),
            counts=longs(self.length + 1),
            count_words=longs(size_of(LineCount, "count_words")),
            deepest=deepest,
        )

    def _in_machine_code(self, state: State, length: int) -> Lines | None:
        """As `_lines`. Raises `CannotCompile`, and `GameFault` where machine code does not get on."""
        machine, count = self._machine, self._count
        machine.load(state)
        counts = count.array_named("counts").items
        for at in range(len(counts)):
            counts[at] = 0
        count.length, count.in_turns, count.states, count.has_drawn = length, int(self.in_turns), 0, 0
        end = self._run.call(machine.program.begin_count, count)
        for states in self._run.slices():
            match end:
                case SearchEnd.DONE:
                    return Lines((1, *counts[1 : length + 1]), count.states, bool(count.has_drawn))
                case SearchEnd.FAULTED | SearchEnd.TOO_DEEP:
                    raise machine.failure()
            count.state_limit = count.states + states
            end = self._run.call(machine.program.count_lines, count)
            self.remarks = self._run.remarks
        return None
