"""The build back end: setuptools outside of the tree, so that no build finds what another one left.

A wheel and a source archive are built from a copy of the tree that has a folder in place of each link, also where git could not
make links and wrote text files with their targets.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel

__all__ = [
    "build_editable", "build_sdist", "build_wheel", "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel",
]  # fmt: skip

READ = ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")
"""The files at the top that a build reads, if they are there."""

Settings = Mapping[str, Any] | None


def build_wheel(target: str, settings: Settings = None, metadata: str | None = None) -> str:
    target, metadata = str(Path(target).absolute()), metadata and str(Path(metadata).absolute())
    with _in_a_copy():
        return str(build_meta.build_wheel(target, settings, metadata))


def build_sdist(target: str, settings: Settings = None) -> str:
    target = str(Path(target).absolute())
    with _in_a_copy():
        return str(build_meta.build_sdist(target, settings))


def build_editable(target: str, settings: Settings = None, metadata: str | None = None) -> str:
    with TemporaryDirectory() as folder:
        outside = {"--global-option": f"build --build-base={folder} egg_info --egg-base={folder}"}
        return str(build_meta.build_editable(target, {**(settings or {}), **outside}, metadata))


@contextmanager
def _in_a_copy() -> Iterator[None]:
    with TemporaryDirectory() as name:
        folder, links = Path(name), Path("src", "rulewright")
        for file in filter(Path.is_file, map(Path, READ)):
            shutil.copy(file, folder)
        left_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
        for tree in (".ci", "src"):
            shutil.copytree(tree, folder / tree, ignore=left_out)
        for text in [path for path in links.iterdir() if path.is_file() and not path.suffix]:
            (folder / text).unlink()
            shutil.copytree(links / text.read_text("utf-8").strip(), folder / text, ignore=left_out)
        with chdir(folder):
            yield
