"""Atomic replacement of files: a reader sees the old content or the new one, never a mixture.

Private files hold secrets of the user: they are in a folder that only the user can open, and never read or written through a
link.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

OTHERS = 0o077
"""The permissions that other users must not have."""


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


def write_together(contents: Mapping[Path, str | bytes | None]) -> None:
    """Write several files as `write_atomically` does, and delete those with content None: all of them or none.

    All are first written under temporary names. If one cannot be moved into place, the others get their old content back.
    Raises `OSError`.
    """
    before = {path: path.read_bytes() if path.is_file() else None for path in contents}
    with ExitStack() as undo:
        staged: list[tuple[Path, Path]] = []
        for path, content in contents.items():
            if content is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                staged.append(_written_beside(path, content))
                undo.callback(staged[-1][0].unlink, missing_ok=True)
        for path, content in contents.items():
            undo.callback(_restore, path, before[path])
            if content is None:
                path.unlink(missing_ok=True)
            else:
                os.replace(*staged.pop(0))
        undo.pop_all()


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


def read_private(path: Path, most: int) -> bytes | None:
    """At most `most` bytes of a file; None if others could have read or written it. Raises `OSError` if there is none."""
    if not _is_private(path.parent.lstat()):
        return None
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        return file.read(most) if stat.S_ISREG(status.st_mode) and _is_private(status) else None


def write_private(path: Path, content: bytes) -> None:
    """Replace a file, or a link in its place, which is not followed. Its folder is made if it is missing.

    Raises `OSError`, also if the folder is a link or another user's.
    """
    folder = path.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_own(folder.lstat()):
        raise PermissionError(f"`{folder}` is not a folder of this user")
    if hasattr(os, "getuid"):
        folder.chmod(0o700)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".new", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _is_own(status: os.stat_result) -> bool:
    # Where files have no owners, users have separate folders.
    return not stat.S_ISLNK(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def _is_private(status: os.stat_result) -> bool:
    return _is_own(status) and (not hasattr(os, "getuid") or not status.st_mode & OTHERS)
