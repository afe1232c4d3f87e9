"""The puzzles of a project by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import rulewright.puzzles as p

from ..rules.loading import Project, files_below, first_line

_HEADER = re.compile(r"puzzle\s+([A-Za-z_][A-Za-z0-9_.]*)\s*:")


def puzzle_files(project: Project) -> Mapping[str, Path]:
    found = {}
    for folder in (Path(p.__file__).parent / "library", project.folder):
        for f in files_below(folder, ".puzzle"):
            if m := _HEADER.match(first_line(f)):
                found[m[1]] = f
    return found
