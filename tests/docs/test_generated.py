"""The parts of the documentation that are read off the program are current."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.pages import DOCS


def test_generated_parts_are_current() -> None:
    run = subprocess.run([sys.executable, DOCS / "generate.py", "--check"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, f"{run.stdout}{run.stderr}\nrun `python docs/generate.py`"
