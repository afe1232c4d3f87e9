"""Machine code made by tests is kept in a folder of its own, so that no test depends on what somebody's cache holds. Asserts of
what tests share are told like their own; pytest must know of it before anybody imports that."""

import os
import tempfile
from pathlib import Path

import pytest

os.environ["RULEWRIGHT_CACHE"] = str(Path(tempfile.gettempdir()) / f"rulewright-tests-{getattr(os, 'getuid', lambda: 0)()}")

pytest.register_assert_rewrite("tests.rules.playing", "tests.games.classics.tables")
