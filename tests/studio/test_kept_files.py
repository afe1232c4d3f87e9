"""Files of the browser's storage that several workers write: none undoes what another has stored."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.web.in_node import needs_node

SCRIPT = Path(__file__).with_name("kept_files.mjs")


@needs_node
@pytest.mark.parametrize(("search", "puzzle"), [("reads", "as it was"), ("writes", "answered")])
def test_what_is_saved_during_a_search_stays(search: str, puzzle: str) -> None:
    done = subprocess.run(["node", SCRIPT, search], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"/files/rules": "saved meanwhile", "/files/shelf/puzzle": puzzle}
