"""A folder as an author has it, and pytest run in it as an author runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

from attrs import frozen

PLUGIN = "rulewright.cli.testing.pytest_plugin"


@frozen
class Run:
    """What a run of pytest came to: the number of tests by outcome, and all it said."""

    status: int
    said: str

    @property
    def counts(self) -> dict[str, int]:
        last = self.said.strip().splitlines()[-1]
        return {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|errors?|warnings?)", last)}

    @property
    def failed(self) -> set[str]:
        return set(re.findall(r"^(?:FAILED|ERROR) (\S+)", self.said, re.MULTILINE))


def pytest_arguments() -> list[str]:
    """What loads the plugin where this project is not installed with its entry point."""
    named = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
    return [] if named else ["-p", PLUGIN]


def run_pytest(folder: Path, *arguments: str, ci: bool = False) -> Run:
    """Run pytest in a folder."""
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *pytest_arguments(), "-p", "no:cacheprovider", "-q", "-rfEs", *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**environment, "NO_COLOR": "1", "COLUMNS": "200", **({"CI": "1"} if ci else {})},
        check=False,
        timeout=300,
    )
    return Run(done.returncode, done.stdout + done.stderr)
