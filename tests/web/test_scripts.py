"""The scripts of pages, joined into one."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rulewright.web.scripts import PAGE, WORKER, joined, source


@pytest.mark.parametrize("names", [PAGE, WORKER])
def test_no_name_is_declared_twice(names: tuple[str, ...]) -> None:
    declared = re.findall(r"^(?:async )?(?:class|function|const|let) (\w+)", joined(names), re.MULTILINE)
    assert [name for name, count in Counter(declared).items() if count > 1] == []


@pytest.mark.parametrize("names", [PAGE, WORKER])
def test_modules_come_after_those_that_they_import(names: tuple[str, ...]) -> None:
    for at, name in enumerate(names):
        assert set(re.findall(r'from "\./(\w+)\.js"', source(name))) <= set(names[:at])


@pytest.mark.parametrize("names", [PAGE, WORKER])
def test_nothing_of_a_module_is_left(names: tuple[str, ...]) -> None:
    assert not re.search(r"^(?:import|export)\b", joined(names), re.MULTILINE)
    assert "</script" not in joined(names)
