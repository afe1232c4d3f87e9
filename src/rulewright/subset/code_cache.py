"""A persistent cache of object files, in the user's cache folder.

Half a hash of text and version and half a hash of compiler and processor name a file. It is used only if its own hash is right
and nobody but the user can have written it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright.base.records import frozen

MAGIC = b"rulewright machine code 1\n"
MOST_FILES = 1_000
"""Most files in a folder of the cache, unless it says otherwise; beyond it, the least recently used tenth goes."""

UNFINISHED, HOUR = "unfinished-", 3600
"""The prefix of files being written, and the age in seconds after which one counts as abandoned."""


@frozen
class Code:
    """An object file, and the parameter types of each function in it."""

    object: bytes
    signatures: Mapping[str, Sequence[str]]


def cache_folder() -> Path | None:
    """The cache folder: `RULEWRIGHT_CACHE`, or the platform's; None (no cache) if the variable is empty."""
    named = os.environ.get("RULEWRIGHT_CACHE")
    if named is not None:
        return Path(named) if named else None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "rulewright"


def name_of(parts: Sequence[str]) -> str:
    """The name of a file: a hash of everything that its content depends on."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)} ".encode())
        digest.update(part.encode())
    return digest.hexdigest()


def holds(folder: Path, text_name: str) -> bool:
    """Whether there is a file whose name begins with `text_name`, valid or not."""
    return any(folder.glob(f"{text_name}*"))


def recall(folder: Path, name: str) -> Code | None:
    """The code stored under a name; None if there is none, or none that can be trusted."""
    try:
        if not _is_own(folder.lstat()):
            return None
        with open(
            os.open(folder / name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "rb"
        ) as file:
            if not _is_own(os.fstat(file.fileno())):
                return None
            content = file.read()
        os.utime(folder / name)
    except OSError:
        return None
    head, digest, rest = content[: len(MAGIC)], content[len(MAGIC) : len(MAGIC) + 32], content[len(MAGIC) + 32 :]
    if head != MAGIC or hashlib.sha256(rest).digest() != digest:
        return None
    signatures, _, code = rest.partition(b"\n")
    return Code(code, json.loads(signatures))


def keep(folder: Path, name: str, code: Code, most: int = MOST_FILES) -> None:
    """Store code under a name, if the folder is writable. Of more than `most` files, some are deleted."""
    import tempfile  # imports much, needed only to write

    content = json.dumps({name: list(types) for name, types in code.signatures.items()}).encode() + b"\n" + code.object
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(folder.lstat()):
            return
        handle, temporary = tempfile.mkstemp(prefix=UNFINISHED, dir=folder)
        try:
            with open(handle, "wb") as file:
                file.write(MAGIC + hashlib.sha256(content).digest() + content)
            os.replace(temporary, folder / name)
        except OSError:
            os.unlink(temporary)
            raise
        _evict(folder, most)


def _evict(folder: Path, most: int) -> None:
    """Delete what was abandoned, and of too many files a tenth at once, so that a full folder is not sorted each time."""
    names = os.listdir(folder)
    left = [folder / name for name in names if name.startswith(UNFINISHED)]
    evicted = [path for path in left if time.time() - path.stat().st_mtime > HOUR]
    files = [folder / name for name in names if len(name) == 64]
    if len(files) > most:
        files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        evicted += files[most - most // 10 :]
    for path in evicted:
        path.unlink()


def _is_own(status: os.stat_result) -> bool:
    """Whether only this user can have written a file or folder. Where files have no owners, users have separate folders."""
    if not hasattr(os, "getuid"):
        return not stat.S_ISLNK(status.st_mode)
    return not stat.S_ISLNK(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
