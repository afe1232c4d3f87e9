"""The script of pages, joined from modules."""

from __future__ import annotations

import re
import subprocess

import pytest

from rulewright.web.page import SHARED, script, source
from tests.web.in_node import needs_node

MODULES = (*SHARED, "worker", "page")


@pytest.mark.parametrize("name", MODULES)
def test_modules_come_after_those_that_they_import(name: str) -> None:
    before = set(MODULES[: min(MODULES.index(name), len(SHARED))])
    assert set(re.findall(r'^import .* from "[^"]*?(\w+)\.js"', source(name), re.MULTILINE)) <= before


def test_nothing_of_a_module_is_left() -> None:
    assert not re.search(r"^\s*(?:import|export)\b", script(), re.MULTILINE)
    assert "</script" not in script()


@needs_node
def test_it_is_a_script() -> None:
    checked = subprocess.run(["node", "--check", "-"], input=script(), capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
