"""A time limit on work of any kind, also on work that never looks at a clock.

    with deadline(2.0):
        ...  # raises TimeUp when two seconds have passed

What can end of itself looks at the clock: searches do between states, and code generators by `check_deadline`. Where that is
not enough, `TimeUp` comes between two steps of the main thread, as an interrupt from the keyboard does, and a thread that
watches the clock halts machine code (`halts`).

`TimeUp` never comes while a lock, a file, a process, a module or a `with` block is being opened or closed, so nothing is left
half done (SHELTERED). Outside the main thread, and without POSIX signals, only `check_deadline` raises it; machine code is
halted everywhere there are threads. Where there are none, whoever runs it looks at the clock between its slices, and the
page's worker sends the signal (studio/page/worker.js).
"""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from types import FrameType, TracebackType
from typing import Any, Protocol
from weakref import WeakSet

from .diagnostics import Diagnostic, RulesError
from .host import HAS_THREADS
from .records import define, field

BUSY = 4.0
"""Most times as long: on a busy machine, a block may last by the clock, until it has had its seconds of processor time."""

LATE = 0.25
"""Most seconds after its time limit for work that looks at the clock itself; then it is interrupted."""

AGAIN = 0.5
"""Seconds until `TimeUp` is raised again, after something caught everything and went on."""

KNOCK = 0.005
"""Seconds between attempts to raise it."""

SHELTERED = frozenset((
    __name__, "contextlib", "threading", "weakref", "subprocess", "tempfile", "concurrent.futures.thread",
    "concurrent.futures._base", "importlib._bootstrap", "importlib._bootstrap_external", "rulewright.base.atomic_write",
    "rulewright.base.thread_pool",
))  # fmt: skip
SHELTER = "__is_sheltered__"
"""Modules of whose functions none is ended in the middle; and the name by which another one says that it is such a module."""


class TimeUp(BaseException):
    """The time limit was reached. Nothing that handles errors handles it."""


class Haltable(Protocol):
    """What runs as machine code; `halt` may be called from any thread."""

    def halt(self) -> None: ...


@define(eq=False)
class deadline:
    """A block that lasts no longer than some seconds: `TimeUp` is raised in it when they have passed.

    A block within another one ends with it.
    """

    seconds: float
    _began: tuple[float, float] = field(default=(0.0, 0.0), init=False)
    """By the clock, and in processor time."""
    outer: deadline | None = field(default=None, init=False)
    _running: WeakSet[Any] = field(factory=WeakSet, init=False)
    _ended: threading.Event = field(factory=threading.Event, init=False)
    _next: float = field(default=0.0, init=False)
    _caller: FrameType | None = field(default=None, init=False)
    _hook: Callable[[Any], object] = field(default=sys.__unraisablehook__, init=False)
    _token: Token[deadline | None] | None = field(default=None, init=False)

    def __enter__(self) -> deadline:
        self.outer = _current.get()
        self._began = time.monotonic(), time.process_time()
        self._token = _current.set(self)
        if hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread():
            self._caller = sys._getframe(1)
            signal.signal(signal.SIGALRM, _raise)  # stays: a signal that comes late would end the process
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraised
        if HAS_THREADS:
            threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        if self._caller is not None:
            sys.unraisablehook = self._hook
        self._caller = None
        assert self._token is not None
        _current.reset(self._token)

    @property
    def left(self) -> float:
        """Seconds by the clock."""
        return self._began[0] + self.seconds - time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the time limit of the block has passed, or that of a block around it."""
        clock, processor = time.monotonic() - self._began[0], time.process_time() - self._began[1]
        is_own = clock >= self.seconds and (processor >= self.seconds or clock >= BUSY * self.seconds)
        return is_own or (self.outer is not None and self.outer.is_over)

    def _watch(self) -> None:
        """The thread that watches the clock."""
        while not self.is_over:
            if self._ended.wait(min(max(self.left, KNOCK), threading.TIMEOUT_MAX)):
                return
        for running in list(self._running):
            running.halt()
        main = threading.main_thread().ident
        while self._caller is not None and main is not None and not self._ended.wait(KNOCK):
            signal.pthread_kill(main, signal.SIGALRM)

    def ends_at(self, frame: FrameType | None) -> bool:
        """Whether `TimeUp` is to be raised now, at a frame of the main thread."""
        if not self.is_over or time.monotonic() < self._next or self._is_sheltered(frame):
            return False
        self._next = time.monotonic() + AGAIN
        return True

    def _unraised(self, about: Any) -> None:
        """Raise `TimeUp` again at once where Python ignored it, as in the callback of a weak reference."""
        if isinstance(about.exc_value, TimeUp):
            self._next = 0.0
        else:
            self._hook(about)

    def _is_sheltered(self, frame: FrameType | None) -> bool:
        while frame is not None and frame is not self._caller:
            if (
                frame.f_globals.get("__name__") in SHELTERED
                or SHELTER in frame.f_globals
                or frame.f_code.co_name in ("__exit__", "__del__")
            ):
                return True
            frame = frame.f_back
        return False


_current: ContextVar[deadline | None] = ContextVar("_current", default=None)


def _raise(number: int, frame: FrameType | None) -> None:
    """The handler of the signal, in the main thread."""
    current = _current.get()
    if current is not None and current.ends_at(frame):
        raise TimeUp


class OutOfTime(RulesError):
    """Time ran out before anything could be found."""


@contextmanager
def limited(seconds: float, what: str) -> Iterator[None]:
    """A block that raises `OutOfTime` if it lasts longer; `what` says what was not done by then."""
    try:
        with deadline(seconds):
            yield
    except TimeUp:
        help = "allow more with `--time`"
        raise OutOfTime((Diagnostic("time", f"the time limit was reached before {what}", help=help),)) from None


def check_deadline(ahead: float = 0.0) -> None:
    """Raise `TimeUp` if the time limit of the block has passed, or passes before something ends that takes `ahead` seconds and
    cannot be interrupted."""
    if _is_over() or (ahead > 0 and seconds_left() < ahead):
        raise TimeUp


def seconds_left() -> float:
    """Seconds by the clock until the time limit of the block; infinite if it has none."""
    current, left = _current.get(), math.inf
    while current is not None:
        left, current = min(left, current.left), current.outer
    return left


def _is_over() -> bool:
    current = _current.get()
    return current is not None and current.is_over


def halts(running: Haltable) -> None:
    """Halt something when the time limit of the block has passed. It is not kept alive."""
    current = _current.get()
    while current is not None:
        current._running.add(running)
        current = current.outer
    if _is_over():
        running.halt()
