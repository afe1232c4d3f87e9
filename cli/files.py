"""Files as people name them, and writing them whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from .text import escape


def shown(path: str | Path) -> str:
    """A file's name for people and scripts: relative to the current folder when it is inside."""
    name = Path(path)
    if name.is_absolute():
        try:
            return name.relative_to(Path.cwd()).as_posix()
        except ValueError:
            return str(name)
    return name.as_posix()


def shown_safely(path: str | Path) -> str:
    """The same, for a terminal."""
    return escape(shown(path))


def write_whole(path: Path, text: str) -> None:
    """Write a text file under a temporary name and move it into place; a file that is replaced keeps its permissions.

    A symbolic link is followed: what it leads to is replaced.
    """
    target = path.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _usual_mode()
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _usual_mode() -> int:
    """The permissions of a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
