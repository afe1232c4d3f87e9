"""The build back end: setuptools with its build folders outside of the tree, so that no build finds what another one left."""

from __future__ import annotations

from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel

__all__ = [
    "build_editable", "build_sdist", "build_wheel", "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel",
]  # fmt: skip

Settings = Mapping[str, Any] | None


def _in(folder: str, settings: Settings) -> dict[str, Any]:
    return {**(settings or {}), "--global-option": f"build --build-base={folder} egg_info --egg-base={folder}"}


def build_wheel(target: str, settings: Settings = None, metadata: str | None = None) -> str:
    with TemporaryDirectory() as folder:
        return str(build_meta.build_wheel(target, _in(folder, settings), metadata))


def build_editable(target: str, settings: Settings = None, metadata: str | None = None) -> str:
    with TemporaryDirectory() as folder:
        return str(build_meta.build_editable(target, _in(folder, settings), metadata))


def build_sdist(target: str, settings: Settings = None) -> str:
    with TemporaryDirectory() as folder:
        return str(build_meta.build_sdist(target, _in(folder, settings)))
