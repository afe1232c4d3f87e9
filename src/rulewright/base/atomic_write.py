"""Atomic replacement of files: a reader sees the old content or the new one, never a mixture."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from .cache import configuration_folder


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file (text as UTF-8) under a temporary name, flush it to disk and rename it into place.

    A replaced file keeps its permissions; a symbolic link is followed and its target replaced. Raises `OSError`.
    """
    temporary, target = _written_beside(path, content)
    try:
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def content_of(path: Path) -> bytes | None:
    """The content of a file; None if there is none. Raises `OSError`."""
    return path.read_bytes() if path.is_file() else None


def write_together(contents: Mapping[Path, str | bytes | None], folder: Path) -> Mapping[Path, bytes | None]:
    """Write several files below a folder as `write_atomically` does, and delete those with content None: all of them or none.

    All are first written under temporary names. If one cannot be moved into place, the others get their old content back. If
    the process is killed meanwhile, `complete` does the rest: the user's configuration folder says what was under way.
    Returns what they had before, by their resolved paths. Raises `OSError`.
    """
    complete(folder)
    before = {path.resolve(): content_of(path) for path in contents}
    with ExitStack() as undo:
        steps: list[_Step] = []
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            target, temporary = path.resolve(), None
            if content is not None:
                temporary, target = _written_beside(path, content)
                undo.callback(temporary.unlink, missing_ok=True)
            steps.append(_Step(target, temporary, _digest(before[target])))
        record = _record_of(folder)
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        undo.callback(record.unlink, missing_ok=True)
        write_atomically(record, json.dumps([[str(part) if part else None for part in step] for step in steps]))
        for step in steps:
            undo.callback(_restore, step.target, before[step.target])
            step.carry_out()
        undo.pop_all()
    record.unlink(missing_ok=True)
    return before


def complete(folder: Path) -> None:
    """Complete what `write_together` began in a folder before it was killed; or leave the files as they are, if one of them
    has been changed since. Raises `OSError`."""
    record = _record_of(folder)
    try:
        steps = [_Step.of(*parts) for parts in json.loads(record.read_bytes())]
    except FileNotFoundError:
        return
    except (ValueError, TypeError):
        steps = []
    if all(step.is_open or step.is_done for step in steps):
        for step in steps:
            step.carry_out()
    for step in steps:
        if step.temporary is not None:
            step.temporary.unlink(missing_ok=True)
    record.unlink(missing_ok=True)


class _Step(NamedTuple):
    """A file to replace by a temporary one, or to delete, and a digest of its content before; empty if there was none."""

    target: Path
    temporary: Path | None
    before: str

    @classmethod
    def of(cls, target: str, temporary: str | None, before: str | None) -> _Step:
        return cls(Path(target), None if temporary is None else Path(temporary), before or "")

    @property
    def is_open(self) -> bool:
        """Whether the file is as it was, and can be replaced."""
        is_ready = self.temporary is None or self.temporary.is_file()
        return is_ready and _digest(self.target.read_bytes() if self.target.is_file() else None) == self.before

    @property
    def is_done(self) -> bool:
        return not (self.target if self.temporary is None else self.temporary).exists()

    def carry_out(self) -> None:
        if self.temporary is None:
            self.target.unlink(missing_ok=True)
        elif self.temporary.exists():
            os.replace(self.temporary, self.target)


def _digest(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()


def _record_of(folder: Path) -> Path:
    """Where what is under way in a folder is recorded: beside its files it might have come with them from a stranger."""
    return configuration_folder() / "under_way" / f"{_digest(str(folder.resolve()).encode())[:32]}.json"


def _restore(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    elif not path.is_file() or path.read_bytes() != content:
        write_atomically(path, content)


def _written_beside(path: Path, content: str | bytes) -> tuple[Path, Path]:
    """Write the content to a temporary file, flushed to disk; returns that file and the one it is to replace."""
    target = path.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _default_mode()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary, target


def _default_mode() -> int:
    """The permissions that the process's umask leaves to a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def append_line(file: int, line: bytes) -> None:
    """Append a line to a file open for appending, flushed to disk. Raises `OSError`, leaving no part of it in the file."""
    length = os.fstat(file).st_size
    rest = line + b"\n"
    try:
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
    except BaseException:
        os.ftruncate(file, length)
        raise


def drop_torn_line(file: int, content: bytes) -> bytes:
    """Remove an incomplete last line, which a killed run has left, from a file with this content; returns the rest."""
    length = content.rfind(b"\n") + 1
    if length < len(content):
        os.ftruncate(file, length)
    return content[:length]
