"""Text files replaced atomically: a reader sees the old text or the new one, never a part."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write a UTF-8 file under a temporary name, flush it to the disk and rename it into place.

    A file that is replaced keeps its permissions; a symbolic link is followed and its target replaced. Raises `OSError`.
    """
    target = path.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _default_mode()
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


def _default_mode() -> int:
    """The permissions that the process's umask leaves to a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
