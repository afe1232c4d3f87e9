"""The engine of pages tells of each state what Python's does: columns, legal moves, words, scores, reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.api.puzzle import load_puzzle
from tests.rules.playing import MODULES
from tests.web.in_node import needs_node
from tests.web.parity import differences

GAMES = [
    "overboard",
    "fourth_paw",
    "behind_the_prince",
    "red_donkey",
    "hanoi_seven",
    "noughts_draw",
    "pig_ten",
    "go_catch_two",
    "go_two_for_one",
]


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_states_are_told_as_in_python(name: str) -> None:
    assert differences(load_puzzle(name)._start, games=2, seed=1, most=20, refused=2) == []


@needs_node
def test_what_is_required_after_the_effects_is_told(tmp_path: Path) -> None:
    """Of kings and rooks, where attempts also fail for the position that they leave."""
    (tmp_path / "royals.rules").write_text((MODULES / "royals.rules").read_text("utf-8"), "utf-8")
    puzzle = "puzzle kings:\n    rules royals\n    players 2\n    ask: maximise taken of 1 until end\n"
    (tmp_path / "kings.puzzle").write_text(puzzle, "utf-8")
    assert differences(load_puzzle(str(tmp_path / "kings.puzzle"))._start, games=1, seed=2, most=8, refused=12) == []
