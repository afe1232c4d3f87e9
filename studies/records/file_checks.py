"""The pytest checks of an author's files: their expectations and snapshots. Review and mutation testing use them too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from rulewright.base.input_files import files_below, first_line
from rulewright.base.records import define
from rulewright.rules.linking.project import Project

from . import expectations, snapshots
from .expectations import Expectation, SolvedPuzzle
from .snapshots import Snapshot

RULES, PUZZLE, PLAY = ".rules", ".puzzle", ".play"
HEADS = {RULES: "module", PUZZLE: "puzzle", PLAY: "play"}
"""The suffixes of the files that are checked, with the word that begins each."""


def is_checked(path: Path) -> bool:
    """Whether a file begins like a module, a puzzle or a saved game; other files may have the same suffix."""
    head = HEADS.get(path.suffix)
    return head is not None and re.match(rf"{head}\s+[A-Za-z_]", first_line(path)) is not None


def checked_files(project: Project) -> Iterator[Path]:
    """The files of a project's folder that are checked: modules, then puzzles, then saved games."""
    for suffix in HEADS:
        yield from filter(is_checked, files_below(project.folder, suffix, project.limits))


@define
class FileChecks:
    """The checks of one file. `seconds` limits the solving of a question. Raises `RulesError` if a puzzle does not parse."""

    path: Path
    project: Project
    seconds: float

    @cached_property
    def solved(self) -> SolvedPuzzle | None:
        """The puzzle with its answer; None for other files."""
        return SolvedPuzzle(self.path, self.project, self.seconds) if self.path.suffix == PUZZLE else None

    @property
    def expectations(self) -> Iterator[Expectation]:
        """The expectations of the file."""
        if self.solved is not None:
            return expectations.of_puzzle(self.solved)
        of_file = expectations.of_rules if self.path.suffix == RULES else expectations.of_play
        return of_file(self.path, self.project)

    @property
    def snapshots(self) -> Iterator[Snapshot]:
        """The snapshots of the file."""
        if self.solved is not None:
            return snapshots.of_puzzle(self.solved)
        of_file = snapshots.of_rules if self.path.suffix == RULES else snapshots.of_play
        return of_file(self.path, self.project)
