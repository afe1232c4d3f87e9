"""From an argument or an option of the command line to what it names: puzzles by name, files by path, folders and patterns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.api.named import PUZZLE, RULES, Named
from rulewright.base.diagnostics import file_error, usage_error
from rulewright.base.input_files import display_path, files_below, is_within, library_copies, require_regular
from rulewright.base.named_texts import is_path
from rulewright.base.styled_text import escape
from rulewright.rules.linking.project import Project

from .option_types import limits_of_call
from .views.output import Output

if TYPE_CHECKING:
    from rulewright.puzzles.catalogue import Catalogue

PLAY = ".play"
"""The suffix of saved games."""

OLD_LINE = "the share line has a short digest of its rules (64 bits), easy to forge: `rulewright share` writes a new one"


def named(name: str, variant: str = "", folder: Path | None = None) -> Named:
    """What a name stands for, within the limits of this call. A share line whose rules are not known for sure is said to be
    one."""
    if ":" in name:
        from rulewright.puzzles.share_line import is_old_share_line

        if is_old_share_line(name):
            Output().say(OLD_LINE)
    return Named(name, variant, folder or Path.cwd(), limits_of_call())


def all_named(name: str, suffixes: Sequence[str], variant: str = "") -> list[Named]:
    """What stands in each file with these suffixes in a folder and its subfolders, all of one project; empty if it is not a
    folder.

    The project is that of the current folder, or, of a folder elsewhere, its own. Raises `RulesError` if there is no such file.
    """
    if not is_folder(name):
        return []
    folder = Path(name)
    limits = limits_of_call()
    say_left_out(folder)
    paths = [display_path(path) for suffix in suffixes for path in files_below(folder, suffix, limits)]
    if not paths:
        raise file_error(f"there is no {' or '.join(f'`*{suffix}`' for suffix in suffixes)} file in `{display_path(name)}`")
    found = [named(path, variant, _root(folder)) for path in paths]
    for each in found:
        each.project = found[0].project
    return found


def say_left_out(folder: Path) -> None:
    """Say which copies of the library a folder holds besides its own files."""
    for copy in library_copies(folder):
        Output().say(f"left out: `{display_path(copy)}` is another copy of Rulewright and its library")


def is_folder(name: str) -> bool:
    """Whether an argument is a folder rather than a file or a name.

    The name of a puzzle or module takes precedence over a folder of that name without rules or puzzles.
    """
    if not os.path.isdir(name) or name.endswith((PUZZLE, RULES)):  # `Path.is_dir` fails where many modules are named
        return False
    return is_path(name) or any(_rules_and_puzzles(Path(name))) or not _is_known(name)


def _rules_and_puzzles(folder: Path) -> Iterator[Path]:
    return (path for suffix in (RULES, PUZZLE) for path in files_below(folder, suffix, limits_of_call()))


def _is_known(name: str) -> bool:
    """Whether a puzzle or module has this name."""
    found = named(name)
    return name in found.project.found or name in found.catalogue.names


def current_project() -> Project:
    """The project of the current folder."""
    return Project(Path.cwd(), limits_of_call())


def project_of(folder: Path) -> Project:
    """The project of a folder."""
    return Project(_root(folder), limits_of_call())


def _root(folder: Path) -> Path:
    return Path.cwd() if is_within(folder, Path.cwd()) else folder.resolve()


# Several files --------------------------------------------------------------------------------------------------------


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
