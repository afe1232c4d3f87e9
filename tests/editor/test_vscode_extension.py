"""The tests of the extension for VS Code, which need Node and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "editors" / "vscode"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_extension_passes_its_own_tests() -> None:
    done = subprocess.run(["node", "--test", "test"], cwd=FOLDER, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
