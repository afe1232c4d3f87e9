"""A clock of work for searches that must be the same every time: `install()`, before anything of the solver is imported.

The solver decides by the clock when to derive, compile and give up, so its states differ from run to run. Here a second is a
number of states searched and of readings of the clock, code is compiled in one way only, and threads run at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent import futures
from typing import Any

STATE, READING = 1e-5, 1e-6
"""Seconds for a state searched and for a reading. Measured: baseline code searches 50,000 to 500,000 states a second, and what
is derived from rules reads the clock between steps of microseconds."""

STATES: dict[str, Callable[[Any], int]] = {
    "beam_search": lambda beam: beam.context.progress.nodes,
    "depth_first_search": lambda search: search.context.progress.nodes,
    "minimax_search": lambda search: search.nodes,
    "record_plans": lambda recording: recording.search.expanded,
    "turn_beam_search": lambda beam: beam.context.progress.nodes,
    "best_first_search": lambda search: search.expanded,
}
"""The kernels that search, and how many states they have searched."""


class WorkClock:
    """The seconds of work done; a search in threads ends when they reach `until`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.until = 0.0

    def read(self) -> float:
        self.now += READING
        return self.now

    def measuring(self, name: str, kernel: Callable[..., int]) -> Callable[..., int]:
        """A kernel that moves the clock on."""
        count = STATES.get(name)
        if count is None:
            return kernel

        def measured(search: Any, *more: Any) -> int:
            before = count(search)
            result = kernel(search, *more)
            self.now += STATE * (count(search) - before)
            return result

        return measured


class AtOnce(threading.Thread):
    """A thread that has run when `start` returns."""

    def start(self) -> None:
        self.run()

    def join(self, timeout: float | None = None) -> None:
        pass

    def is_alive(self) -> bool:
        return False


class ExecutorAtOnce(futures.Executor):
    """An executor whose tasks are done when `submit` returns."""

    def __init__(self, workers: int | None = None) -> None:
        pass

    def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> futures.Future[Any]:
        done: futures.Future[Any] = futures.Future()
        try:
            done.set_result(call(*given, **named))
        except Exception as error:
            done.set_exception(error)
        return done


def install() -> None:
    """Replace the clocks, the threads and the compiler of this process; nothing is halted from another thread."""
    clock = WorkClock()
    time.monotonic = time.process_time = time.thread_time = clock.read
    threading.Thread = AtOnce  # type: ignore[misc]
    futures.ThreadPoolExecutor = ExecutorAtOnce  # type: ignore[assignment, misc]

    from rulewright.base.deadline import deadline
    from rulewright.subset import program

    deadline._watch = lambda self: None  # type: ignore[method-assign]
    program.as_machine_code_by = lambda deadline, cancelled=None: program.as_baseline_code
    named = program.Program.__getattr__
    program.Program.__getattr__ = lambda self, name: clock.measuring(name, named(self, name))  # type: ignore[method-assign]

    from rulewright.solver.best import kernel_problem, parallel_search, turn_search

    _end_by(clock, parallel_search.ParallelSearch, kernel_problem, turn_search.TurnSearch)


def _end_by(clock: WorkClock, exact: Any, worker: Any, turns: Any) -> None:
    """End searches that another thread would stop: the exact search at its number of states, that of turns after a beam."""
    work, resume, take = exact._work, worker.Worker.resume, turns._take

    def work_until(self: Any, tasks: Any, deadline: float) -> None:
        clock.until = deadline
        work(self, tasks, deadline)

    def resume_until(self: Any, shared: Any, number: int, states: int = worker.ENDLESS) -> None:
        left = int((clock.until - clock.now) / STATE)
        resume(self, shared, number, max(1, min(states, left)))
        if left <= states and self.status == worker.SearchEnd.PAUSED:
            shared.stop(worker.TIME_UP)

    def take_until(self: Any, found: Any) -> None:
        take(self, found)
        if clock.now >= self.deadline:
            self.beams[0].words.stop = worker.TIME_UP

    exact._work, worker.Worker.resume, turns._take = work_until, resume_until, take_until
