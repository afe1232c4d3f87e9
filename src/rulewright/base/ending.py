"""How a run ends before its work is done: at Ctrl-C, at SIGTERM, or when it is told to stop.

A signal raises `Stopped` in the main thread, once, and only where nothing is lost by it: as long as nothing has been found, and
within `unless_stopped` and `until_stopped`, which then give what there is. Anywhere else it is only noted. So no result is
half assigned, half counted or half printed, and no code between catches the end of the run for an end of its own.

The main thread may be in compiled code, where Python raises nothing, or busy with a long replay. So a second thread waits for
signals too. If the process still runs `GRACE` seconds later, it says the last word that a command has left and exits.

A time limit may end a run in the same way: `Ending.stop` with another status.
"""

from __future__ import annotations

# Nothing heavy is imported here: signals are taken before anything else of the program is loaded.
import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar

Item = TypeVar("Item")

GRACE = 0.5
"""Most seconds that the main thread has to say what it has found."""

WORD_SECONDS = 0.2
"""Most seconds that the last word may take: its reader may have stalled."""

SIGNALED = 128
"""Code: the exit status of a run ended by a signal, less the number of the signal."""

SHOW_CURSOR = "\x1b[?25h"


class Stopped(KeyboardInterrupt):
    """The run is to end now, with what it has."""


class Ending:
    """The end of one run. `status` is the exit status that a stop asks for; 0 while the run is to go on."""

    def __init__(self) -> None:
        self.status = 0
        self._has_found = False  # or may have: from the first `unless_stopped` or `until_stopped` on
        self._is_open = False
        self._word: Callable[[], None] | None = None
        self._lock = threading.Lock()
        self._main = threading.get_ident()
        self._told = -1

    # Signals ----------------------------------------------------------------------------------------------------------

    def take_signals(self) -> None:
        """Take SIGINT and SIGTERM from now on. In the main thread only."""
        sys.unraisablehook = _unraised
        atexit.register(_take_no_signals)  # the first, so that it runs last
        if sys.platform != "win32":  # there the second thread would need a socket, and nothing sends SIGTERM
            heard, self._told = os.pipe()
            os.set_blocking(self._told, False)
            signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)
            threading.Thread(target=self._attend, args=(heard,), daemon=True).start()
            signal.signal(signal.SIGTERM, self._notice)
        signal.signal(signal.SIGINT, self._notice)

    def stop(self, status: int) -> None:
        """End the run with an exit status, from any thread; only after `take_signals`."""
        self.status = self.status or status
        if sys.platform == "win32":
            signal.raise_signal(signal.SIGINT)
        else:
            signal.pthread_kill(self._main, signal.SIGINT)

    def go_on(self) -> None:
        """Take an interrupt back: it ended a part of the work, and the user goes on. SIGTERM stands."""
        if self.status == SIGNALED + signal.SIGINT:
            self.status = 0

    def _notice(self, number: int, frame: object) -> None:
        self.status = self.status or SIGNALED + number
        if self._is_open or not self._has_found:
            self._is_open, self._has_found = False, True
            raise Stopped

    def _attend(self, heard: int) -> None:
        """End the process in time, whatever the main thread does."""
        while True:
            for number in os.read(heard, 1):
                if number in (signal.SIGINT, signal.SIGTERM):
                    self.status = self.status or SIGNALED + number
                    threading.Event().wait(GRACE)
                    if self.status:
                        self._exit()

    def _exit(self) -> None:
        threading.Timer(WORD_SECONDS, os._exit, (self.status,)).start()
        with suppress(Exception):
            if sys.__stdout__ is not None:
                sys.stdout = sys.__stdout__  # a progress bar has its own, on standard error
            if (word := self._taken()) is not None:
                word()
            if sys.stderr.isatty():
                sys.stderr.write(SHOW_CURSOR)
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(self.status)

    # What may be stopped ----------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether some caller gives what there is when the run is stopped."""
        return self._is_open

    def open(self) -> None:
        """Let signals raise `Stopped` from here on; raises it if there was one."""
        self._is_open = self._has_found = True
        if self.status:
            self._is_open = False
            raise Stopped

    def close(self) -> None:
        """Only note signals from here on."""
        self._is_open = False

    def note(self) -> None:
        """A stop was raised, by a signal or, where no signals are taken, by Python."""
        self._is_open = False
        self.status = self.status or SIGNALED + signal.SIGINT

    # The last word ----------------------------------------------------------------------------------------------------

    def leave(self, word: Callable[[], None]) -> None:
        """Leave a last word, which is said if the main thread does not end the run in time."""
        self._word = word

    def take_back(self) -> None:
        """Take the last word back; if it is being said, this never returns."""
        if self._taken() is None:
            threading.Event().wait()

    def _taken(self) -> Callable[[], None] | None:
        with self._lock:
            word, self._word = self._word, None
            return word


_of_this_run: ContextVar[Ending | None] = ContextVar("_of_this_run", default=None)


@contextmanager
def ended_by(ending: Ending) -> Iterator[None]:
    """Let `ending` be that of the run in this context."""
    token = _of_this_run.set(ending)
    try:
        yield
    finally:
        _of_this_run.reset(token)


def is_stopped() -> bool:
    """Whether the run is to end."""
    ending = _of_this_run.get()
    return ending is not None and ending.status != 0


def go_on() -> None:
    """As `Ending.go_on`."""
    if (ending := _of_this_run.get()) is not None:
        ending.go_on()


def unless_stopped(work: Callable[[], Item], otherwise: Callable[[], Item]) -> Item:
    """What `work` gives; if it is stopped, what `otherwise` gives.

    Inside of work that is to give what there is itself, `Stopped` passes through.
    """
    ending = _of_this_run.get()
    if ending is None:
        with ended_by(Ending()):
            return unless_stopped(work, otherwise)
    if ending.is_open:
        return work()
    try:
        ending.open()
        found = work()
        ending.close()  # within `try`: a signal may come just before
        return found
    except KeyboardInterrupt:
        ending.note()
    finally:
        ending.close()
    return otherwise()


def until_stopped(items: Iterable[Item]) -> Iterator[Item]:
    """The items until the run is stopped, each whole: a stop while it is made leaves it out, one while it is used is noted."""
    rest, end = iter(items), object()
    while (item := unless_stopped(lambda: next(rest, end), lambda: end)) is not end:
        yield item  # type: ignore[misc]


@contextmanager
def last_word(word: Callable[[], None]) -> Iterator[None]:
    """While the block runs, leave a last word."""
    ending = _of_this_run.get()
    if ending is None:
        yield
        return
    ending.leave(word)
    try:
        yield
    finally:
        ending.take_back()


def _take_no_signals() -> None:
    """The run is done: Python gives up its handlers now, and a signal would kill a process that has said all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _unraised(about: Any) -> None:
    """Say nothing of an end raised where Python ignores exceptions: the second thread ends a stopped run."""
    if not isinstance(about.exc_value, Stopped):
        sys.__unraisablehook__(about)
