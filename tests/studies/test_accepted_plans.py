"""What is recorded of the plans that a puzzle accepts: what its question asks for, after each action."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.studies.records.snapshots import accepted_text
from tests.studies.making.orchard import orchard


@pytest.mark.parametrize(
    ("ask", "plan", "said"),
    [
        ("maximise score until end", "pick, fetch, climb", "pick = 2, fetch = 2, climb = 7\n"),
        ("reach basket > 6 for 3 turns", "pick, fetch, climb", "pick = 0, fetch = 0, climb = 1\n"),
        ("fewest moves until ladder", "pick, fetch", "pick = no, fetch = yes\n"),
        ("least basket until ladder", "pick, fetch", "pick = 2 no, fetch = 2 yes\n"),
        ("maximise score until end", "pick, climb, pick", "pick = 2, refused\n"),
        ("maximise basket for 1 turn with their plans given", "pick, fetch", "pick = 2, fetch = 2\n"),
    ],
)
def test_each_action_has_what_is_asked_for(ask: str, plan: str, said: str, tmp_path: Path) -> None:
    given = "    plan of 1: fetch, pick\n" if "given" in ask else ""
    text = f"puzzle here:\n    rules orchard\n\n    ask: {ask}\n{given}    refuse: climb\n    accept: {plan}\n"
    position = set_up_position(parse_puzzle(text, "here"), orchard(tmp_path).load("orchard"))
    assert accepted_text(position) == said
