"""The files of a folder as texts, for workers that do not see that folder."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import files_below, read_bytes
from rulewright.base.limits import Limits
from rulewright.base.records import frozen


@frozen
class FolderTexts:
    """The contents of files by their paths in the folder."""

    contents: tuple[tuple[str, bytes], ...]

    @classmethod
    def of(cls, folder: Path, suffixes: Iterable[str], limits: Limits) -> FolderTexts:
        """The readable files with the given suffixes in and below a folder."""
        contents: list[tuple[str, bytes]] = []
        for suffix in suffixes:
            for path in files_below(folder, suffix, limits):
                try:
                    contents.append((path.relative_to(folder).as_posix(), read_bytes(path, limits)))
                except (OSError, RulesError):
                    continue
        return cls(tuple(contents))

    def unpacked(self) -> Path:
        """Write the files to a new folder, which is deleted when this process ends."""
        folder = Path(tempfile.mkdtemp(prefix="rulewright-")).resolve()
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for name, content in self.contents:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder
