"""Child processes: they converse in messages, never outlive their parent, and keep to limits where the system has such.

A child is a module of Rulewright, run by `python -P -m`: nothing is imported from the working folder, which may be another's.
It has a session of its own, so that the user's interrupt does not reach it. Messages are pickles: both sides are this program.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from rulewright.base.records import define, frozen

MEBIBYTE = 1 << 20
"""Unit of memory, in bytes."""

# Of the parent --------------------------------------------------------------------------------------------------------


def command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of Rulewright."""
    return [sys.executable, "-P", "-m", module, *arguments]


@define(eq=False)
class Child:
    """A process that runs a module; a context manager that ends it."""

    process: subprocess.Popen[bytes]

    @classmethod
    def of(cls, module: str, *arguments: str, shows_errors: bool = False) -> Child:
        """Start a module. What it writes on standard error is lost, unless it `shows_errors`."""
        errors = None if shows_errors else subprocess.DEVNULL
        pipe = subprocess.PIPE
        started = subprocess.Popen(command(module, *arguments), stdin=pipe, stdout=pipe, stderr=errors, start_new_session=True)
        return cls(started)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def send(self, said: object) -> None:
        """Send a message; if the process has ended, `hear` says so."""
        assert self.process.stdin is not None
        message = pickle.dumps(said)
        with suppress(OSError, ValueError):
            self.process.stdin.write(message)
            self.process.stdin.flush()

    def hear(self) -> Any:
        """Wait for a message. Raises `EOFError` if the process ended, perhaps in the middle of one."""
        assert self.process.stdout is not None
        try:
            return pickle.load(self.process.stdout)
        except Exception as error:
            raise EOFError from error

    def end(self, seconds: float = 0.0) -> None:
        """End the process. It may take some seconds to exit by itself, as its input is closed."""
        assert self.process.stdin is not None
        if not seconds:
            self.process.kill()
        with suppress(OSError):  # unread data is lost
            self.process.stdin.close()
        try:
            self.process.wait(seconds or None)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# Of the child ---------------------------------------------------------------------------------------------------------


@frozen
class Parent:
    """The process that started this one."""

    source: IO[bytes]
    answers: IO[bytes]

    @classmethod
    def found(cls) -> Parent:
        """The parent. What is printed from here on goes to standard error, not among the answers."""
        parent = cls(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
        os.dup2(2, 1)
        return parent

    def hear(self) -> Any:
        """Wait for a message; exit if the parent ended, perhaps in the middle of one."""
        try:
            return pickle.load(self.source)
        except (EOFError, pickle.UnpicklingError):
            os._exit(0)

    def say(self, said: object) -> None:
        """Send a message."""
        self.answers.write(pickle.dumps(said))
        self.answers.flush()


def exit_with_parent() -> None:
    """Exit this process when its input is closed. The input must already be read, and the parent must keep it open."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    # Avoids `sys.stdin`: at exit Python waits a second for its readers, and then aborts.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


def limit_memory(mebibytes: int, only_data: bool = False) -> None:
    """Limit the addresses of this process, or only its data: beyond, it gets a `MemoryError`. On Windows there is no limit."""
    try:
        import resource
    except ImportError:
        return
    kind = resource.RLIMIT_DATA if only_data else resource.RLIMIT_AS
    with suppress(ValueError, OSError):  # macOS refuses a limit below what a process has mapped when it starts
        resource.setrlimit(kind, (mebibytes * MEBIBYTE, mebibytes * MEBIBYTE))


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process for schedulers that share by process and for those that share by session (Linux
    autogroups). On Windows it stays."""
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    with suppress(AttributeError, OSError):
        # A session that uses all processors has only a part of its weight on each, so ours is divided likewise: three steps of
        # niceness halve it. 19 is the greatest.
        doublings = len(os.sched_getaffinity(0)).bit_length() - 1
        Path("/proc/self/autogroup").write_text(str(min(19, niceness + 3 * doublings)))
