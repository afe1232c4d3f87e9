"""Every code of modules, positions and saved games has a page; its bad example has that flaw, its good one has none."""

from __future__ import annotations

import re

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.explain import explanation, titles
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.checks import forgotten_box
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.saved_games import begin_saved_game, parse_saved_game, replay_saved_game
from rulewright.studies.verdicts import check_verdicts
from tests.puzzles.positions import CATALOGUE, PROJECT

NUMBERS = {106, 107, 108, 188, *range(300, 350), *range(366, 380)}
OURS = sorted(code for code in titles() if int(code[2:]) in NUMBERS)
NO_SINGLE_TEXT = {
    "RW107",
    "RW108",
    "RW331",
    "RW332",
    "RW333",
    "RW336",
    "RW347",
    "RW348",
    "RW374",
}  # in tests/solver
FENCE = re.compile(r"^```(puzzle|play) (bad|good)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def codes_of(kind: str, text: str) -> list[str]:
    try:
        if kind == "play":
            play = parse_saved_game(text, "example.play")
            replay_saved_game(play, *begin_saved_game(play, CATALOGUE))
        else:
            puzzle = parse_puzzle(text, "example.puzzle")
            position = set_up_position(puzzle, PROJECT.load_names(puzzle.rules))
            check_verdicts(position)
            return [diagnostic.code for diagnostic in forgotten_box(position)]
    except RulesError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


@pytest.mark.parametrize("code", OURS)
def test_examples_show_the_flaw(code: str) -> None:
    examples = {verdict: (kind, text) for kind, verdict, text in FENCE.findall(explanation(code).page)}
    if code in NO_SINGLE_TEXT:
        assert not examples
        return
    assert codes_of(*examples["bad"]) == [code]
    assert codes_of(*examples["good"]) == []
