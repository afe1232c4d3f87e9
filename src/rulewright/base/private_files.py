"""Files with secrets of the user: in a folder that only the user can open, and never read or written through a link."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

OTHERS = 0o077
"""The permissions that other users must not have."""


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
