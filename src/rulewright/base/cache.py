"""The cache: files in the user's cache folder, each signed with a key of the user's own.

A file is used only if its signature holds, for its name and its content: nothing in it is read before. So a cache that came
with a checkout, or that others could write, runs nothing. The key is in the user's configuration folder, never beside the
files that it signs. Where a key cannot be kept, or the folder is not the user's alone, there is no cache.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import pickle
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TypeVar

from .records import frozen
from .version import __version__

Node = TypeVar("Node")

MOST_FILES = 1_000
"""Most files in a folder of the cache, unless it says otherwise; beyond it, the least recently used tenth goes."""

UNFINISHED, HOUR = "unfinished-", 3600
"""Unit: the seconds of an hour. A file being written has this prefix; one older than an hour is abandoned."""

KEY, KEY_BYTES = "cache.key", 32
"""Bytes of the key, in its file."""

PROGRAMS = "programs"
"""The folder of digests of this program, by size and time of its files."""

SIGNATURE_BYTES = 32
"""Bytes of a signature."""

PROGRAM = (".py", ".json", ".lark")
"""The endings of files that results depend on."""

_BEGAN = time.time_ns()


@frozen
class Cache:
    """A folder of signed files, as some program makes them. A failure to write is no error: the file is made again."""

    folder: Path
    key: bytes
    program: str

    @classmethod
    def opened(cls, room: str, *packages: str) -> Cache | None:
        """A folder in the cache, for what these packages of Rulewright make. None if there is no cache, or none that can be
        trusted (`cache_refusal`); that is looked at once."""
        folder = cache_folder()
        return None if folder is None else _opened_in(folder, configuration_folder(), room, packages)

    def name(self, parts: Sequence[str]) -> str:
        """The name of a file: a hash of everything that its content depends on, this program included."""
        return name_of((self.program, *parts))

    def holds(self, beginning: str) -> bool:
        """Whether there is a file whose name begins so, valid or not."""
        return any(self.folder.glob(f"{beginning}*"))

    def recall(self, name: str, private: bool = False) -> bytes | None:
        """The content stored under a name; None if there is none, none that was signed or, if it is private, others could read
        it."""
        try:
            with open(_opened(self.folder / name, private), "rb") as file:
                content = file.read()
            os.utime(self.folder / name)
        except OSError:
            return None
        signature, content = content[:SIGNATURE_BYTES], content[SIGNATURE_BYTES:]
        return content if hmac.compare_digest(signature, self._signature(name, content)) else None

    def keep(self, name: str, content: bytes, most: int = MOST_FILES) -> None:
        """Store content under a name. Of more than `most` files, some are deleted."""
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_private(self.folder / name, self._signature(name, content) + content)
            self._evict(most)

    def _signature(self, name: str, content: bytes) -> bytes:
        return hmac.digest(self.key, name.encode() + b"\n" + content, "sha256")

    def _evict(self, most: int) -> None:
        """Delete what was abandoned, and of too many files a tenth at once, so that a full folder is not sorted each time."""
        names = os.listdir(self.folder)
        left = [self.folder / name for name in names if name.startswith(UNFINISHED)]
        evicted = [path for path in left if time.time() - path.stat().st_mtime > HOUR]
        files = [self.folder / name for name in names if len(name) == 64]
        if len(files) > most:
            files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
            evicted += files[most - most // 10 :]
        for path in evicted:
            path.unlink()


def kept(
    room: str,
    packages: Sequence[str],
    parts: Sequence[str],
    make: Callable[[], Node],
    most: int = MOST_FILES,
    known: Sequence[object] = (),
) -> Node:
    """What `make` gives for these parts: from the cache as a pickle, which is read only once its signature holds, or else made
    and cached if possible. Raises what `make` raises: errors are not cached. Objects that are `known` are not part of the
    pickle, which refers to them by their number."""
    cache = Cache.opened(room, *packages)
    if cache is None:
        return make()
    name = cache.name((*parts, __version__))
    if (found := cache.recall(name)) is None:
        node, content = make(), BytesIO()
        try:
            (_Pickler(content, known) if known else pickle.Pickler(content, pickle.HIGHEST_PROTOCOL)).dump(node)
        except (RecursionError, pickle.PicklingError, AttributeError, TypeError):  # too deep, or with a part that none can keep
            return node
        found = content.getvalue()
        cache.keep(name, found, most)
    # Also what was just made comes from its pickle, so that a `digest_of` it is the same here as in later processes.
    again: Node = _Unpickler(BytesIO(found), known).load()
    return again


def digest_of(value: object, without: type | None = None) -> str:
    """A hash of a value, by its pickle, in which objects of the class `without` are all the same. Equal values may differ in
    it, if they share other parts or hold sets: then what was kept is only made again."""
    content = BytesIO()
    pickler = pickle.Pickler(content, pickle.HIGHEST_PROTOCOL)
    if without is not None:
        pickler.persistent_id = lambda part: "" if type(part) is without else None  # type: ignore[method-assign]
    pickler.dump(value)
    return hashlib.sha256(content.getbuffer()).hexdigest()


class _Pickler(pickle.Pickler):
    def __init__(self, content: BytesIO, known: Sequence[object]) -> None:
        super().__init__(content, pickle.HIGHEST_PROTOCOL)
        self.numbers = {id(one): number for number, one in enumerate(known)}

    def persistent_id(self, value: object) -> int | None:
        return self.numbers.get(id(value))


class _Unpickler(pickle.Unpickler):
    def __init__(self, content: BytesIO, known: Sequence[object]) -> None:
        super().__init__(content)
        self.known = known

    def persistent_load(self, number: int) -> object:
        return self.known[number]


@cache
def _opened_in(folder: Path, configuration: Path, room: str, packages: tuple[str, ...]) -> Cache | None:
    if _flaw(folder) or (key := _key(configuration / KEY)) is None:
        return None
    programs = [_seen_program(folder, key, package) for package in packages]
    return Cache(folder / room, key, name_of(programs)) if all(programs) else None


@cache
def _seen_program(folder: Path, key: bytes, package: str) -> str:
    """The `program_digest` of a package. A file that was not touched since it was last looked at is not read again."""
    try:
        files = [*_files_of(package)]
        looks = [os.stat(path) for path in files]
        if any(look.st_mtime_ns > _BEGAN for look in looks):
            return ""
        seen = Cache(folder / PROGRAMS, key, "")
        name = seen.name([*map(_described, files, looks)])
    except OSError:
        return ""
    if found := seen.recall(name):
        return found.decode()
    if program := program_digest(package):
        seen.keep(name, program.encode())
    return program


def look_of(path: Path | str) -> str:
    """What differs whenever a file's content does, as git goes by it: name, size, times, and number. Raises `OSError`."""
    return _described(path, os.stat(path))


def _described(path: Path | str, look: os.stat_result) -> str:
    return f"{path} {look.st_size} {look.st_mtime_ns} {look.st_ctime_ns} {look.st_ino}"


def name_of(parts: Sequence[str]) -> str:
    """A hash of several texts, in hexadecimal."""
    return hashlib.sha256("".join([f"{len(part)} {part}" for part in parts]).encode()).hexdigest()


@cache
def program_digest(*packages: str) -> str:
    """A digest of the files of some packages of Rulewright, by their contents: what this program makes of its input.

    Empty if they cannot be read, or have changed since this process began, so that it may run others: then nothing is kept.
    """
    digest = hashlib.sha256()
    try:
        for path in (Path(path) for package in packages for path in _files_of(package)):
            if path.stat().st_mtime_ns > _BEGAN:
                return ""
            digest.update(f"{path.name} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    except OSError:
        return ""
    return digest.hexdigest()


def _files_of(package: str) -> Iterator[str]:
    spec = find_spec(package)  # the package itself is not loaded
    for root in (spec and spec.submodule_search_locations) or ():
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
            yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(PROGRAM))


# Folders --------------------------------------------------------------------------------------------------------------


def cache_folder() -> Path | None:
    """The cache folder: `RULEWRIGHT_CACHE`, or the platform's; None (no cache) if the variable is empty."""
    named = os.environ.get("RULEWRIGHT_CACHE")
    if named is not None:
        return Path(named) if named else None
    return _users_folder(("LOCALAPPDATA", "AppData/Local"), "Library/Caches", ("XDG_CACHE_HOME", ".cache"))


def cache_refusal() -> str:
    """Why the cache folder is not used, to be said once; empty if it is used, or none is wanted."""
    folder = cache_folder()
    if folder is None:
        return ""
    return f"the cache `{folder}` is not used: {flaw}" if (flaw := _flaw(folder)) else ""


def _flaw(folder: Path) -> str:
    if not folder.is_absolute():
        return "its path is relative, so that it may come with the files of a stranger"
    try:
        status = folder.lstat()
    except OSError:
        return ""
    return _flaw_of(status)


def _flaw_of(status: os.stat_result) -> str:
    """Why others may have written a file or folder. Where files have no owners, users have separate folders."""
    if stat.S_ISLNK(status.st_mode):
        return "it is a link"
    if not hasattr(os, "getuid"):
        return ""
    if status.st_uid != os.getuid():
        return "it belongs to another user"
    return "others can write to it" if status.st_mode & 0o022 else ""


# The key --------------------------------------------------------------------------------------------------------------


def _key(path: Path) -> bytes | None:
    """The user's key, made on first use; None if it cannot be kept, or others may know it."""
    for _ in range(2):
        with suppress(OSError):
            with open(_opened(path, private=True), "rb") as file:
                key = file.read()
            if len(key) == KEY_BYTES:
                return key
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_private(path, os.urandom(KEY_BYTES))
    return None


def configuration_folder() -> Path:
    """The folder of what is the user's own and never comes with other files."""
    return _users_folder(("APPDATA", "AppData/Roaming"), "Library/Application Support", ("XDG_CONFIG_HOME", ".config"))


def _users_folder(windows: tuple[str, str], mac: str, other: tuple[str, str]) -> Path:
    """Our folder below one of the user: that of a variable of the environment, or of a path below the user's home. A relative
    path in a variable is ignored."""
    variable, below = windows if sys.platform == "win32" else ("", mac) if sys.platform == "darwin" else other
    named = os.environ.get(variable, "")
    return (Path(named) if os.path.isabs(named) else Path.home() / below) / "rulewright"


def _opened(path: Path, private: bool = False) -> int:
    """The descriptor of a file that only this user can have written or, if it is private, read. Raises `OSError`."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    status = os.fstat(number)
    if _flaw_of(status) or (private and sys.platform != "win32" and status.st_mode & 0o077):
        os.close(number)
        raise PermissionError
    return number


def replace_private(path: Path, content: bytes) -> None:
    """Write a file that only this user can read under another name, and rename it. Raises `OSError`."""
    import tempfile  # imports much, needed only to write

    handle, temporary = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
