"""The pages on the library: their examples print what it says."""

from __future__ import annotations

import doctest

import pytest

from tests.paths import ROOT


@pytest.mark.parametrize(("page", "least"), [("README.md", 4), ("docs/library.md", 20)])
def test_the_examples_print_what_the_page_says(page: str, least: int) -> None:
    found = doctest.testfile(str(ROOT / page), module_relative=False)
    assert found.attempted > least
    assert found.failed == 0
