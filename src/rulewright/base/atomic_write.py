"""Files replaced atomically: a reader sees the old content or the new one, never a part."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file, of text in UTF-8, under a temporary name, flush it to the disk and rename it into place.

    A file that is replaced keeps its permissions; a symbolic link is followed and its target replaced. Raises `OSError`.
    """
    target = path.resolve()
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _default_mode()
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
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
