"""A report of engines that disagree: one file from which the disagreement can be reproduced."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rulewright.api.named import Named
from rulewright.base.atomic_write import write_atomically
from rulewright.base.input_files import display_path, read_text
from rulewright.cli.views.answer_view import SolveOptions
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position


class Contradiction(Exception):
    """Two engines contradict each other, or a plan fails its replay. The message names the report file."""


def contradiction(session: Named, position: Position, options: SolveOptions, error: Exception) -> Contradiction:
    """Write the report into the current folder; returns the exception that names it."""
    path = Path(f"{position.puzzle.name}.disagreement.json")
    write_atomically(path, json.dumps(_bundle(session, position, options, error), indent=1) + "\n")
    return Contradiction(f"{error}; `{display_path(path)}` contains everything needed to reproduce it")


def _bundle(session: Named, position: Position, options: SolveOptions, error: Exception) -> dict[str, object]:
    puzzle, files = position.puzzle, session.project.modules()
    return {
        "disagreement": str(error),
        "seconds": options.seconds,
        "workers": options.workers,
        "variant": options.variant,
        "python": sys.version.split()[0],
        "system": platform.system(),
        "versions": {name: _version(name) for name in ("rulewright", "ortools")},
        "puzzle": puzzle.name,
        "position": write_position(position.engine, position.state, puzzle.name, session.rules, ask=puzzle.ask),
        "modules": {name: read_text(files[name]) for name in position.engine.game.modules if name in files},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
