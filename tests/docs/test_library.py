"""The page on the library: its examples print what it says."""

from __future__ import annotations

import doctest

from tests.paths import ROOT


def test_the_examples_print_what_the_page_says() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert found.attempted > 20
    assert found.failed == 0
