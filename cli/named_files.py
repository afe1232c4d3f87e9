"""Resolves `--on`: puzzles by name, files by path, folders and patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright.base.diagnostics import usage_error
from rulewright.base.input_files import files_below, require_regular
from rulewright.base.styled_text import escape
from rulewright.puzzles.catalogue import Catalogue

from .limits import limits_of_call

PUZZLE, PLAY = ".puzzle", ".play"


def named_files(option: Sequence[str], suffixes: Sequence[str], catalogue: Catalogue) -> Mapping[str, list[Path]]:
    """The files with these suffixes that each part of an option names; parts may be separated by commas.

    Raises `RulesError` for an unknown puzzle name and a missing file.
    """
    parts = [part.strip() for text in option for part in text.split(",")]
    return {name: list(_files(name, suffixes, catalogue)) for name in parts}


def _files(name: str, suffixes: Sequence[str], catalogue: Catalogue) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        return [found for suffix in suffixes for found in files_below(path, suffix, limits_of_call())]
    if "*" in name:
        return sorted(found for found in Path.cwd().glob(name) if found.suffix in suffixes)
    if path.suffix != PLAY or PLAY not in suffixes:
        return [catalogue.texts.find(name)]
    require_regular(path)
    if not path.is_file():
        raise usage_error(f"there is no file `{escape(name)}`")
    return [path]
