"""A journal: a file with one JSON document per line, to which each result is appended as it is found.

A killed run leaves whole lines, except possibly the last one, which is then dropped, so that its result is computed again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from attrs import AttrsInstance, asdict

from rulewright.base.atomic_write import append_line, drop_torn_line
from rulewright.base.records import define, field

_BEGINNING = b'{"key": "'
"""The start of every journal."""


class JournalInUse(Exception):
    """Another run writes to the journal."""


class NoJournal(Exception):
    """The file is not a journal."""


class Entry(AttrsInstance, Protocol):
    """A result, with the digest of what was asked as its first field."""

    @property
    def key(self) -> str: ...


Kept = TypeVar("Kept", bound=Entry)


@define(eq=False)
class Journal(Generic[Kept]):
    """The results in a file, by key, the last for each; as a context manager, open for appending.

    `from_json` raises `TypeError` or `ValueError` for a document that is no result. `unread` counts such lines.
    """

    path: Path
    from_json: Callable[[dict[str, Any]], Kept]
    entries: dict[str, Kept] = field(factory=dict, init=False)
    unread: int = field(default=0, init=False)
    _file: int = field(default=-1, init=False)

    def __enter__(self) -> Journal[Kept]:
        """Read the existing results. Raises `OSError`, `JournalInUse` and `NoJournal`."""
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            _lock(self._file)
            self._read(self.path.read_bytes())
        except BaseException:
            os.close(self._file)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._file)

    def append(self, entry: Kept) -> None:
        """Append a result. Raises `OSError`, leaving no part of it in the file."""
        line = json.dumps(asdict(entry), ensure_ascii=False).encode()
        append_line(self._file, line)
        self.entries[entry.key] = entry

    def _read(self, content: bytes) -> None:
        """Read the results; an incomplete last line is removed from the file."""
        if content and not content.startswith(_BEGINNING[: len(content)]):
            raise NoJournal
        for line in drop_torn_line(self._file, content).splitlines():
            try:
                entry = self.from_json(json.loads(line))
                self.entries[entry.key] = entry
            except (ValueError, TypeError):
                self.unread += 1


def _lock(file: int) -> None:
    """Exclude other runs, if the system supports file locks."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalInUse from None
