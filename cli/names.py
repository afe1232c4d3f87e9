"""From an argument of the command line to what it names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.api.named import PUZZLE, RULES, Named
from rulewright.base.diagnostics import file_error
from rulewright.base.input_files import display_path, files_below, is_within, library_copies
from rulewright.base.named_texts import is_path
from rulewright.cli.views.output import Output
from rulewright.rules.linking.project import Project

from .limits import limits_of_call

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
