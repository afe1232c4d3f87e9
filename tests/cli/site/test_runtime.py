"""Programs that a site needs: what they say when they fail, and that they do not take forever."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.cli.main import run
from rulewright.cli.site import runtime


def test_a_program_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RulesError, match=r"not fetched\s+.*no such package"):
        runtime._run([sys.executable, "-c", "raise SystemExit('no such package')"], "not fetched")
    monkeypatch.setattr(runtime, "MOST_SECONDS", 0.01)
    with pytest.raises(RulesError, match=r"not fetched\s+.*took more than"):
        runtime._run([sys.executable, "-c", "import time; time.sleep(60)"], "not fetched")


def test_without_node_the_command_ends_before_it_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert run(("site", "--output", str(tmp_path / "site"))) == 2
    said = capsys.readouterr().err
    assert "there is no `node`" in said and "--no-studio" in said
    assert not (tmp_path / "site").exists()
