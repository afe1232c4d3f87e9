"""The engine of pages tells of each state what Python's does: columns, legal moves, words, scores, reasons."""

from __future__ import annotations

import pytest

from rulewright.api.puzzle import load_puzzle
from tests.web.in_node import needs_node
from tests.web.parity import differences

GAMES = ["overboard", "fourth_paw", "behind_the_prince", "red_donkey", "hanoi_seven", "noughts_draw", "pig_ten", "go_catch_two"]


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_states_are_told_as_in_python(name: str) -> None:
    assert differences(load_puzzle(name)._start, games=2, seed=1, most=20, refused=2) == []
