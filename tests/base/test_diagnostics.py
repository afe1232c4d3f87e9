"""What is suggested for a name that is not known."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import did_you_mean

KNOWN = ["classics.chess", "chess.horde", "overboard", "classics.sudoku", "sudoku_last"]


@pytest.mark.parametrize(
    ("name", "meant"), [("chess", "classics.chess"), ("sudoku", "classics.sudoku"), ("overbord", "overboard"), ("zzzz", "")]
)
def test_a_name_without_its_folder_comes_before_one_that_is_near(name: str, meant: str) -> None:
    assert did_you_mean(name, KNOWN) == (meant and f"did you mean `{meant}`?")
