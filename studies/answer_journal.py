"""A journal of answers: a file with one JSON document per line, to which each answer is appended as it is found.

A killed run leaves whole lines, except possibly the last one, which is then dropped, so that its question is asked again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType

from rulewright.base.records import define, field

from .batch_solving import PuzzleAnswer

_BEGINNING = b'{"key": "'
"""The start of every journal."""


class JournalInUse(Exception):
    """Another run writes to the journal."""


class NoJournal(Exception):
    """The file is not a journal."""


@define(eq=False)
class AnswerJournal:
    """The answers in a file, by key; as a context manager, open for appending. `unread` counts lines without an answer."""

    path: Path
    answers: dict[str, PuzzleAnswer] = field(factory=dict, init=False)
    unread: int = field(default=0, init=False)
    _file: int = field(default=-1, init=False)

    def __enter__(self) -> AnswerJournal:
        """Read the existing answers. Raises `OSError`, `JournalInUse` and `NoJournal`."""
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

    def append(self, answer: PuzzleAnswer) -> None:
        """Append an answer. Raises `OSError`, leaving no part of it in the file."""
        line = json.dumps(answer.as_json(), ensure_ascii=False).encode() + b"\n"
        length = os.fstat(self._file).st_size
        if os.write(self._file, line) != len(line):
            os.ftruncate(self._file, length)
            raise OSError(None, "no room for an answer", str(self.path))
        self.answers[answer.key] = answer

    def _read(self, content: bytes) -> None:
        """Read the answers; an incomplete last line is removed from the file."""
        if content and not content.startswith(_BEGINNING[: len(content)]):
            raise NoJournal
        length = content.rfind(b"\n") + 1
        for line in content[:length].splitlines():
            try:
                answer = PuzzleAnswer.from_json(json.loads(line))
                self.answers[answer.key] = answer
            except (ValueError, TypeError):
                self.unread += 1
        if length < len(content):
            os.ftruncate(self._file, length)


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
