"""Rulewright and what it imports in a page, as one archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

OTHERS = ("attr", "attrs", "cattr", "cattrs", "lark", "lsprotocol", "pygls", "typing_extensions")
"""The packages that Rulewright imports in a page: Python alone, as they are installed here."""

ABSENT = ("rulewright/adapters/", "rulewright/cli/", "rulewright/pictures/fonts/", "rulewright/studio/page/")
"""What a page needs not."""

DATED = (2020, 1, 1, 0, 0, 0)
"""The date of all files, so that the same files make the same archive."""


def archive() -> bytes:
    """The packages as a ZIP archive; the same bytes for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, path in sorted(_files()):
            packed.writestr(zipfile.ZipInfo(name, DATED), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _files() -> Iterator[tuple[str, Path]]:
    for package in ("rulewright", *OTHERS):
        module = import_module(package)
        if not hasattr(module, "__path__"):
            yield f"{package}.py", Path(str(module.__file__))
            continue
        for folder in module.__path__:
            yield from _below(Path(folder), package)


def _below(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """The files below a folder; links to folders are followed, as those of a checkout are."""
    for path in folder.iterdir():
        inner = f"{name}/{path.name}"
        if path.name == "__pycache__" or any(f"{inner}/".startswith(absent) for absent in ABSENT):
            continue
        if path.is_dir():
            yield from _below(path, inner)
        elif not (inner.endswith((".pyc", ".so")) or (path.is_symlink() and not path.exists())):
            yield inner, path
