"""What ships is formatted."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.grammar.formatter import format_text
from tests.grammar.shipped import GOOD, SHIPPED


@pytest.mark.parametrize("path", [path for path in SHIPPED if path not in GOOD], ids=lambda path: path.name)
def test_shipped_files_are_formatted(path: Path):
    text = path.read_text("utf-8")
    assert format_text(text, path.name) == text
