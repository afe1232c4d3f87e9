"""The files of a folder by their names on the page; outside the folder only the library is read, and nothing is written.

A file is written whole or not at all, and only over the content that the page has seen.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import asdict

from rulewright.base.atomic_write import write_atomically
from rulewright.base.input_files import SUFFIXES, decoded, encoded_as, files_below, is_within, read_bytes
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import define, frozen
from rulewright.base.refusals import Refused
from rulewright.puzzles.catalogue import SHIPPED as SHIPPED_PUZZLES
from rulewright.rules.linking.project import SHIPPED as SHIPPED_RULES

LIBRARY = {":rules/": SHIPPED_RULES, ":puzzles/": SHIPPED_PUZZLES}
"""The read-only library folders, by the prefix of their names on the page."""

LONGEST_NAME = 200
"""The maximum length of a file's name with its folders, in characters."""


@frozen
class FileText:
    """A file as on disk; `version` identifies its content."""

    name: str
    text: str
    version: str
    writable: bool


@define
class StudioFolder:
    """A folder that a page works in; `root` is resolved."""

    root: Path
    limits: Limits = DEFAULT_LIMITS

    @cached_property
    def roots(self) -> dict[str, Path]:
        """The roots of the names on the page; the library is spelled as in the language server."""
        return {"": self.root, **LIBRARY}

    def path_of(self, name: str) -> Path:
        """The path of a file by its name on the page. Raises `Refused` for a path that is outside, hidden or of another
        kind."""
        prefix, parts = _split(name)
        path = self.roots[prefix].joinpath(*parts)
        if not is_within(path, self.roots[prefix]):
            raise Refused(f"`{name}` is outside the folder")
        return path

    def name_of(self, path: Path) -> str | None:
        """The name on the page of a path; None if the page may not see it."""
        for prefix, root in self.roots.items():
            for spelled, start in ((path, root), (path.resolve(), root.resolve())):
                if spelled.is_relative_to(start):
                    name = prefix + spelled.relative_to(start).as_posix()
                    try:
                        self.path_of(name)
                    except Refused:
                        return None
                    return name
        return None

    def with_names(self, refusal: dict[str, Any]) -> dict[str, Any]:
        """A refusal with the files of diagnostics named as on the page."""
        told: list[dict[str, Any]] = refusal.get("diagnostics", [])
        found = [{**one, "file": self.name_of(Path(one["file"]))} if "file" in one else one for one in told]
        return {**refusal, "diagnostics": found} if found else refusal

    def names(self) -> list[str]:
        """The files of the folder. Raises `RulesError` if there are too many."""
        # Links that lead out of the folder are not found, so none has to be resolved here.
        found = (path for suffix in SUFFIXES for path in files_below(self.root, suffix, self.limits))
        return sorted(name for path in found if _is_name(name := path.relative_to(self.root).as_posix()))

    def versions(self) -> dict[str, str]:
        """The versions of files, which show changes on disk without reading them."""
        found = {}
        for name in self.names():
            try:
                status = (self.root / name).stat()
            except OSError:
                continue
            found[name] = f"{status.st_mtime_ns}-{status.st_size}-{status.st_ino}"
        return found

    def read(self, name: str) -> FileText:
        """Read a file. Raises `Refused`, `OSError`, and `RulesError` if it is not readable text."""
        path = self.path_of(name)
        content = read_bytes(path, self.limits)
        return FileText(name, decoded(content, str(path)), _version(content), not name.startswith(":"))

    def write(self, name: str, text: str, version: str) -> FileText:
        """Write a file over the content with this version, or a new file if that is "".

        Raises `Refused` if the content has changed, with the new content as `theirs`; `OSError`.
        """
        path = self.path_of(name)
        if name.startswith(":"):
            raise Refused(f"`{name[1:]}` belongs to the library and cannot be changed", "create a variant of it")
        if not path.parent.is_dir():
            raise Refused(f"there is no folder `{PurePosixPath(name).parent}`")
        before = read_bytes(path, self.limits) if path.exists() else None
        if (_version(before) if before is not None else "") != version:
            theirs = asdict(self.read(name)) if before is not None else None
            what = "was changed by another program or another tab" if version else "already exists"
            if before is None:
                what = "was deleted by another program or another tab"
            raise Refused(f"`{name}` {what}", "nothing was written", theirs=theirs, conflict=True)
        content = encoded_as(text, before or b"")
        if len(content) > self.limits.file_bytes:
            raise Refused(
                f"the file has {len(content)} bytes, but at most {self.limits.file_bytes} are allowed",
                "split it into several modules",
            )
        write_atomically(path, content)
        return FileText(name, text, _version(content), True)


def _split(name: str) -> tuple[str, tuple[str, ...]]:
    """The root of a name on the page, and its folders and file. Raises `Refused` for an invalid name."""
    prefix = next((prefix for prefix in LIBRARY if name.startswith(prefix)), "")
    inner = name.removeprefix(prefix)
    parts = PurePosixPath(inner).parts
    strange = len(name) > LONGEST_NAME or "\\" in inner or "%" in inner or not inner.isprintable() or "//" in inner
    if strange or not parts or any(part.startswith((".", "/", "~")) or ":" in part for part in parts):
        raise Refused(f"`{name[:LONGEST_NAME]}` is not a valid file name", "use letters, as in `mine.rules`")
    if not inner.endswith(SUFFIXES):
        raise Refused(f"`{name}` is neither a `*.rules` nor a `*.puzzle` file")
    return prefix, parts


def _is_name(name: str) -> bool:
    try:
        return not _split(name)[0]
    except Refused:
        return False


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:24]
