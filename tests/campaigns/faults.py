"""Faults injected at the n-th call that touches a file, or at the n-th allocation of an arena, for every n.

A call either fails, as on a full disk or a damaged one, or is where the process is killed.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define

from rulewright.subset import buffers

KILLED = 9
"""The exit status of a process that is killed at a call."""


@define
class Faults:
    """Counts the calls; at number `at` (from 0) it does `harm`. `hit` says whether there were so many."""

    at: int
    harm: Callable[[], None]
    calls: int = 0

    @property
    def hit(self) -> bool:
        return self.calls > self.at

    def count(self) -> None:
        self.calls += 1
        if self.calls == self.at + 1:
            self.harm()

    def faulty(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that counts its calls before it is called."""

        def called(*arguments: Any, **named: Any) -> Any:
            self.count()
            return function(*arguments, **named)

        return called

    def opening(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that opens a file, whose reads and writes are counted too."""

        def called(*arguments: Any, **named: Any) -> Any:
            self.count()
            return _File(function(*arguments, **named), self)

        return called


class _File:
    """A file with counted reads and writes."""

    def __init__(self, file: Any, faults: Faults) -> None:
        self.file, self.faults = file, faults

    def __enter__(self) -> _File:
        self.file.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.file.__exit__(*error)

    def __iter__(self) -> Iterator[Any]:
        self.faults.count()
        return iter(self.file)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.file, name)
        return self.faults.faulty(found) if name in ("read", "write", "readline", "flush", "truncate") else found


def full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def damaged() -> None:
    raise OSError(errno.EIO, "Input/output error")


def killed() -> None:
    os._exit(KILLED)


def no_memory() -> None:
    raise MemoryError


@contextmanager
def in_files(at: int, harm: Callable[[], None]) -> Iterator[Faults]:
    """Harm at the n-th open, read, write, fsync, rename or deletion of a file."""
    faults = Faults(at, harm)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("fsync", "replace", "write", "unlink", "ftruncate", "chmod", "mkdir", "rename"):
            patch.setattr(os, name, faults.faulty(getattr(os, name)))
        patch.setattr(tempfile, "mkstemp", faults.faulty(tempfile.mkstemp))
        patch.setattr(os, "fdopen", faults.opening(os.fdopen))
        patch.setattr(io, "open", faults.opening(io.open))  # of `Path.open`, `read_text` and the like
        patch.setattr(builtins, "open", faults.opening(builtins.open))
        yield faults


@contextmanager
def in_arenas(at: int) -> Iterator[Faults]:
    """Memory runs out at the n-th allocation of an arena."""
    faults = Faults(at, no_memory)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buffers.Array, "of", faults.faulty(buffers.Array.of))
        yield faults


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def in_child(work: Callable[[], object]) -> int:
    """The exit status of a child process that does some work."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
