"""Shell completion: what may stand at the cursor. Loaded only when a shell asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.api.named import PUZZLE, RULES
from rulewright.base.diagnostics import RulesError
from rulewright.cli.names import current_project
from rulewright.grammar.explain import titles
from rulewright.puzzles.catalogue import Catalogue


def complete(command: Any, instruction: str, variable: str) -> int:
    """Answer a shell, which has put the line into the environment; the exit status."""
    from typer.completion import shell_complete

    return shell_complete(command, {}, "rulewright", variable, instruction)


def puzzles(incomplete: str) -> list[str]:
    """Puzzles by name or path."""
    return [*_beginning(incomplete, Catalogue(current_project()).names), *_paths(incomplete, (PUZZLE,))]


def modules(incomplete: str) -> list[str]:
    """Modules by name or path; behind `+`, one more."""
    before, plus, last = incomplete.rpartition("+")
    found = (*_beginning(last, set(current_project().found)), *_paths(last, (RULES,)))
    return [before + plus + name for name in found]


def names(incomplete: str) -> list[str]:
    """Puzzles and modules."""
    return list(dict.fromkeys((*puzzles(incomplete), *modules(incomplete))))


def codes(incomplete: str) -> list[str]:
    """The codes of errors and warnings."""
    return _beginning(incomplete, set(titles()))


def _beginning(incomplete: str, known: set[str]) -> list[str]:
    try:
        return sorted(name for name in known if name.startswith(incomplete))
    except RulesError:  # too many files
        return []


def _paths(incomplete: str, suffixes: tuple[str, ...]) -> list[str]:
    """Files with one of the suffixes, and folders, that begin as what was typed does."""
    folder, slash, start = incomplete.rpartition("/")
    try:
        entries = sorted(Path(folder + slash).iterdir())
    except OSError:
        return []
    fitting = [entry for entry in entries if entry.name.startswith(start) and (start or not entry.name.startswith("."))]
    here = {entry.name: entry.is_dir() for entry in fitting if entry.is_dir() or entry.suffix in suffixes}
    return [folder + slash + name + ("/" if is_folder else "") for name, is_folder in here.items()]
