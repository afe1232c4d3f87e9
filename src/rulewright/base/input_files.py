"""Input files: found below a folder, required to be regular, decoded as UTF-8 with the location of an error."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from .diagnostics import Diagnostic, Label, RulesError
from .limits import DEFAULT_LIMITS, Limits
from .spans import Span

MAX_DEPTH = 12
"""Most levels of folders searched below the first."""

SUFFIXES = (".rules", ".puzzle")
"""The ends of the names of files of rules and of puzzles."""

TESTS = "tests"
"""The name of folders with files for tests, including invalid ones."""

LIBRARY = "library"
"""The name of the folders of rules and puzzles that ship, each in its package."""

_KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}


def files_below(folder: Path, suffix: str, limits: Limits = DEFAULT_LIMITS) -> Iterator[Path]:
    """The regular files with a suffix in and below a folder, in a stable order.

    Skips hidden files and folders, virtual environments, build folders of Python projects, other copies of Rulewright
    (`library_copies`) and links that lead out of the folder. Raises `RulesError` RW058 (more than `limits.files`).
    """
    return map(Path, paths_below(folder, suffix, limits))


def paths_below(folder: Path, suffix: str, limits: Limits = DEFAULT_LIMITS) -> Iterator[str]:
    """The same as texts: to make seven hundred `Path`s takes as long as to find them."""
    seen = 0
    for here, files in _walked(folder, []):
        for name in sorted(name for name in files if name.endswith(suffix) and not name.startswith(".")):
            path = os.path.join(here, name)
            try:
                mode = os.lstat(path).st_mode
            except OSError:  # it has gone
                continue
            # `os.walk` does not follow links to folders, so only a link to a file can lead out.
            is_own = os.path.isfile(path) and is_within(Path(path), folder) if stat.S_ISLNK(mode) else stat.S_ISREG(mode)
            if not is_own:
                continue
            seen += 1
            if seen > limits.files:
                message = f"there are more than {limits.files} `*{suffix}` files in `{folder}`"
                raise RulesError((Diagnostic("RW058", message, help="use a folder with fewer files"),))
            yield path


def library_copies(folder: Path) -> list[Path]:
    """The folders below one that are left out of it since they hold a library of Rulewright other than the one that runs: a
    checkout, an installed package."""
    copies: list[Path] = []
    for _ in _walked(folder, copies):
        pass
    return copies


def is_within(path: Path, folder: Path) -> bool:
    """Whether a path, with links followed, is the folder or below it."""
    return path.resolve().is_relative_to(folder.resolve())


def is_for_tests(path: Path, folder: Path) -> bool:
    """Whether a file is below a folder, and there in a folder with files for tests."""
    return path.is_relative_to(folder) and TESTS in path.relative_to(folder).parts[:-1]


def display_path(path: str | Path) -> str:
    """A path for people and scripts: relative to the current folder for files in it, with `/` as the separator."""
    name = Path(path)
    if name.is_absolute():
        try:
            return name.relative_to(Path.cwd()).as_posix()
        except ValueError:
            return str(name)
    return name.as_posix()


def require_regular(path: Path) -> None:
    """Refuse an existing file that is not regular: opening a pipe or device may block or act. Raises `RulesError` RW026."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        message = f"`{path}` is no regular file but a {_KINDS.get(stat.S_IFMT(mode), 'special file')}"
        raise RulesError((Diagnostic("RW026", message, help="choose a text file"),))


def read_text(path: Path, limits: Limits = DEFAULT_LIMITS) -> str:
    """The text of a file, without a byte order mark and with `\\n` as line ending.

    Raises `OSError` and `RulesError`: RW025 (not UTF-8), RW026 (not a regular file), RW050 (too large).
    """
    return decoded(read_bytes(path, limits), str(path))


def read_bytes(path: Path, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The content of a file. Raises `OSError` and `RulesError`: RW026 (not a regular file), RW050 (too large)."""
    require_regular(path)
    with path.open("rb") as file:
        content = file.read(limits.file_bytes + 1)
    if len(content) > limits.file_bytes:
        raise RulesError((file_too_large(str(path), limits),))
    return content


def decoded(content: bytes, source: str) -> str:
    """The text of a file's content, as `read_text` returns it. Raises `RulesError` RW025, with offset, line and column."""
    body = content.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8").split("\n")
        line, column = len(before), len(before[-1]) + 1
        offset = error.start + len(content) - len(body)
        label = Label(Span(source, line, column, line, column + 1))
        is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        help = "save the file as UTF-8" + ("; the file begins with the byte order mark of UTF-16" if is_utf16 else "")
        message = f"the byte 0x{body[error.start]:02X} at offset {offset} is not valid UTF-8"
        raise RulesError((Diagnostic("RW025", message, (label,), help),)) from None


def encoded_as(text: str, before: bytes) -> bytes:
    """A text in UTF-8 with the byte order mark of the content it replaces, and its line ends (those of its first line)."""
    content = text.replace("\r\n", "\n").encode()
    if is_with_returns(before):
        content = content.replace(b"\n", b"\r\n")
    return codecs.BOM_UTF8 + content if before.startswith(codecs.BOM_UTF8) else content


def is_with_returns(content: bytes) -> bool:
    """Whether the lines of a file end with a carriage return and a line feed, as the first one does."""
    return content.partition(b"\n")[0].endswith(b"\r")


def scan_text(path: Path, limits: Limits = DEFAULT_LIMITS) -> str:
    """At most `limits.file_bytes` of a file, with undecodable bytes replaced; empty if it cannot be read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(limits.file_bytes).decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""


def first_line(path: Path, limits: Limits = DEFAULT_LIMITS) -> str:
    """The first line that holds more than a comment, stripped; empty if there is none, or no such file that one may read.

    Raises `OSError` if the disk fails: what is unknown then is not taken as gone.
    """
    try:
        if not os.path.isfile(path):
            return ""
        with path.open("rb") as file:
            lines = iter(lambda: file.readline(limits.line_length), b"")
            return first_line_of(line.decode("utf-8-sig", errors="replace") for line in lines)
    except (FileNotFoundError, PermissionError):
        return ""


def first_line_of(lines: Iterable[str]) -> str:
    """The first of the lines that holds more than a comment, stripped; empty if there is none."""
    contents = (line.split("#")[0].strip() for line in lines)
    return next(filter(None, contents), "")


def file_too_large(source: str, limits: Limits) -> Diagnostic:
    """RW050: a text exceeds the size limit."""
    message = f"the file is larger than {limits.file_bytes} bytes"
    return Diagnostic("RW050", message, (Label(Span(source, 1, 1, 1, 1)),), "split it into several modules")


def _walked(folder: Path, copies: list[Path]) -> Iterator[tuple[str, list[str]]]:
    """Each folder that is searched, with the names of its files; what is left out as a copy is added to `copies`."""
    for here, folders, files in os.walk(folder, onerror=_unless_failed):
        depth = here.count(os.sep, len(str(folder)))
        searched = sorted(name for name in folders if depth < MAX_DEPTH and _is_searched(here, name))
        left_out = {name for name in searched if _is_copy(here, name)}
        copies += (Path(here, name) for name in sorted(left_out))
        folders[:] = (name for name in searched if name not in left_out)
        yield here, files


def _unless_failed(error: OSError) -> None:
    """Pass over a folder that is not there, is none or may not be read."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError | PermissionError):
        raise error


def _is_copy(parent: str, name: str) -> bool:
    """Whether a folder is a copy of Rulewright as a whole, or one of the two folders of its library."""
    package = parent if name == LIBRARY else os.path.join(parent, name, "rules")
    library = os.path.join(package, LIBRARY)
    if not (os.path.isdir(library) and os.path.isfile(os.path.join(package, "__init__.py"))):
        return False
    room = os.path.basename(package)
    own = [os.path.join(folder, room, LIBRARY) for folder in sys.modules["rulewright"].__path__]
    return room in ("puzzles", "rules") and not any(os.path.isdir(one) and os.path.samefile(one, library) for one in own)


def _is_searched(parent: str, name: str) -> bool:
    # `os.path.exists` also covers folders that may not be read.
    if name.startswith((".", "__")) or os.path.exists(os.path.join(parent, name, "pyvenv.cfg")):
        return False
    return name != "build" or not os.path.exists(os.path.join(parent, "pyproject.toml"))
