"""A kernel's search, slice by slice: in baseline code first, then in optimised code if that takes too long.

Slices run in threads, where nothing stops them half way: an interrupt of the main thread waits for their end. Where no thread
can be started, they run on the calling thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any
from weakref import WeakSet

from rulewright.base.host import HAS_THREADS
from rulewright.base.records import define, field
from rulewright.base.thread_pool import Threads
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.solver.result import COMPILING, NO_COMPILER, SOON
from rulewright.subset.program import Program, as_baseline_code, as_machine_code_by
from rulewright.subset.refusal import CannotCompile

from .compiled_game import CompiledGame

IN_PYTHON, BASELINE, OPTIMISED = 1 << 7, 1 << 11, 1 << 13
"""States of a slice by kind of code: some milliseconds, between looks at the clock. Measured on 28 puzzles: an eighth of
BASELINE takes 2.9 times the seconds; eight times as much, and an eighth and eight times of the others, make no difference
beyond noise."""

POLL = 0.05
"""Seconds between looks whether the question is settled, while others work."""


class Here(Executor):
    """Runs each task on the calling thread, when it is submitted."""

    def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(call(*given, **named))
        except Exception as error:
            done.set_exception(error)
        return done


def executor(threads: int) -> Executor:
    """Threads, if the system has any; they end with the last reference to it."""
    return ThreadPoolExecutor(threads) if HAS_THREADS else Here()


class OnCallingThread(Threads):
    """Tasks that run when the block begins; they look at the clock themselves."""

    def __enter__(self) -> OnCallingThread:
        for task in self.tasks:
            task()
        return self


def beside(tasks: Sequence[Callable[[], None]], stop: Callable[[], None]) -> Threads:
    """A block beside which tasks run, each in a thread if the system has any."""
    return Threads(tasks, stop) if HAS_THREADS else OnCallingThread(tasks, stop)


@define(eq=False)
class Run:
    """The code of a search until `time.monotonic()` reaches the deadline.

    Code that is kept is optimised at once. `is_timed`: the clock has decided which code ran when. It does not hold its search:
    in a cycle of references, the memory of a search would outlive it.
    """

    game: CompiledGame
    deadline: float
    threads: Executor
    program: Program
    is_optimised: bool = True
    _baseline_ends: float = field(factory=lambda: time.monotonic() + SOON)
    is_timed: bool = False
    remarks: tuple[str, ...] = ()
    _machines: WeakSet[MachineGame] = field(factory=WeakSet, init=False)

    @classmethod
    def of(cls, game: CompiledGame, deadline: float, threads: int = 1) -> Run:
        """Raises `CannotCompile` if the game does not fit the compiled subset."""
        if game.is_kept:
            with suppress(CannotCompile, ImportError):
                program = game.program(as_machine_code_by(deadline))
                return cls(game, deadline, executor(threads), program, True)
        return cls(game, deadline, executor(threads), game.program(as_baseline_code), False)

    def machine(self) -> MachineGame:
        """The game at the root, for one thread."""
        machine = self.game.machine(self.program)
        self._machines.add(machine)
        return machine

    @property
    def slice(self) -> int:
        """States of a slice in the present code."""
        if self.is_optimised:
            return OPTIMISED
        return BASELINE if self.program.is_compiled else IN_PYTHON

    def slices(self, is_settled: Callable[[], bool] = lambda: False) -> Iterator[int]:
        """The states of each slice until the deadline; code is optimised once baseline code has run for long."""
        while (now := time.monotonic()) < self.deadline:
            if not self.is_optimised and not self.is_timed and now >= self._baseline_ends:
                self.optimise(is_settled)
            yield self.slice

    def call(self, kernel: Callable[..., Any], *given: Any) -> Any:
        """What a kernel returns."""
        return self.wait_for([self.threads.submit(kernel, *given)])[0]

    def wait_for(self, tasks: list[Future[Any]]) -> list[Any]:
        """The results of tasks; an interrupt is delayed until all have returned."""
        try:
            return [task.result() for task in tasks]
        finally:
            wait(tasks)

    def optimise(self, is_settled: Callable[[], bool]) -> bool:
        """Continue in optimised code if it compiles in time and before the question is settled. The search pauses: its threads
        would keep the interpreter's lock from the compiler."""
        self.is_timed = True
        if self.deadline - time.monotonic() < COMPILING:
            return False
        cancelled = threading.Event()
        compiling = executor(1).submit(self.game.program, as_machine_code_by(self.deadline, cancelled))
        try:
            while not wait([compiling], POLL).done and not is_settled():
                pass
        finally:
            cancelled.set()
        try:
            self.program = compiling.result()
        except CannotCompile:
            return False
        except ImportError:
            self.remarks = (NO_COMPILER,)
            return False
        self.is_optimised = True
        for machine in self._machines:
            machine.program = self.program
        return True
