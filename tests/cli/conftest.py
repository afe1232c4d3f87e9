"""A folder with small games and puzzles to call the command in, and the call itself, in this process."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from rulewright.cli.commands import solve
from rulewright.cli.main import run

HERE = Path(__file__).parent

BESIDE = 60.0
"""Seconds for what comes before and after a search."""


@frozen
class Call:
    """What a call of the command came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.out)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder `project`, made the current one."""
    shutil.copytree(HERE / "project", tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.delenv("RULEWRIGHT_DEBUG", raising=False)
    return tmp_path / "project"


@pytest.fixture
def broken(folder: Path) -> Path:
    """Files with errors, beside the others."""
    shutil.copytree(HERE / "broken", folder, dirs_exist_ok=True)
    return folder


@pytest.fixture
def call(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Call]:
    """Call the command with some arguments and, if it reads any, some input. What is beside a search may take its time."""
    monkeypatch.setattr(solve, "PREPARING", BESIDE)
    monkeypatch.setattr(solve, "LATE", BESIDE)

    def calling(*arguments: str, typed: str = "") -> Call:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = run(arguments)
        out, err = capsys.readouterr()
        return Call(int(status), out, err)

    return calling
