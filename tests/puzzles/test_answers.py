"""Expected answers: in a number or a word, of the kind that the question can have, held against what is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.project import Project
from rulewright.studies.records.expectations import ExpectationFailed, Inconclusive, SolvedPuzzle, of_puzzle
from tests.rules.playing import linked

STAIRS = """
module stairs:
    "Up or down, and the trap door at the third step shuts behind you."

state:
    height: 0..9

action climb:
    require open: height != 3 else "the trap door is shut"
    effect climb: height += 1

action descend:
    require above: height > 0 else "this is the ground"
    require open: height != 3 else "the trap door is shut"
    effect descend: height -= 1

flow:
    repeat until height = 5:
        turn: choose climb, descend

score height: height
"""


def text(ask: str, answer: str, start: str = "height: 1") -> str:
    return f"puzzle hall:\n    rules stairs\n\n    {start}\n\n    ask: {ask}\n    answer: {answer}\n"


TRAP = """
module trap:
    "Each in turn takes a step, up to the ninth."

players 1..2

state:
    height of player: 0..9

action climb:
    require below: height of player < 9 else "this is the top"
    effect climb: height of player += 1

flow:
    for player in players:
        turn: choose climb

score heights: sum height of p for p in players
"""

QUESTIONS = {
    "reach score >= 3 until end": ("yes", ("no", "impossible")),
    "reach score >= 4 until end": ("no", ("yes",)),
    "reach score >= 5 until end": ("impossible", ("yes",)),
    "reach height = 3 until end": ("yes", ("no", "impossible")),
    "reach score <= 2 until end": ("no", ("yes",)),
    "fewest moves until height = 3": ("2", ("1", "3", "impossible")),
    "fewest moves until height = 4": ("impossible", ("3",)),
    "count fewest moves until height = 3": ("1", ("0", "2", "impossible")),
    "count fewest moves until height = 4": ("impossible", ("1",)),
    "maximise score until end": ("3", ("2", "4")),
    "minimise score until end": ("3", ("2", "4")),
}


def checked(folder: Path, ask: str, answer: str, seconds: float = 9) -> None:
    folder.joinpath("stairs.rules").write_text(STAIRS)
    path = folder / "hall.puzzle"
    path.write_text(text(ask, answer))
    for expectation in of_puzzle(SolvedPuzzle(path, Project(folder), seconds)):
        expectation.check()


@pytest.mark.parametrize("ask", QUESTIONS)
def test_the_right_answer_holds_and_a_wrong_one_is_told(tmp_path: Path, ask: str) -> None:
    right, wrong = QUESTIONS[ask]
    checked(tmp_path, ask, right)
    for answer in wrong:
        with pytest.raises(ExpectationFailed, match=f"the puzzle expects {answer}, but"):
            checked(tmp_path, ask, answer)


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        ("reach score >= 3 until end", "3"),
        ("maximise score until end", "yes"),
        ("count best until end", "impossible"),
        ("fewest moves until height = 3", "no"),
    ],
)
def test_an_answer_of_another_kind_is_refused(ask: str, answer: str) -> None:
    puzzle = parse_puzzle(text(ask, answer), "hall.puzzle")
    assert print_puzzle(puzzle) == text(ask, answer)
    with pytest.raises(RulesError) as refused:
        set_up_position(puzzle, linked(STAIRS))
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "RW334" and f"`{answer}`" in diagnostic.message and diagnostic.help
    assert diagnostic.span is not None and diagnostic.span.line == 7


def test_what_is_not_proved_may_refute(tmp_path: Path) -> None:
    """Out of time at once: a plan of two moves is not known, and nothing is said."""
    with pytest.raises(Inconclusive):
        checked(tmp_path, "fewest moves until height = 3", "2", seconds=0)


@pytest.mark.parametrize(
    ("players", "ask", "answer"),
    [
        (1, "maximise score until end", "9"),
        (1, "fewest moves until (some p in players: height of p = 8)", "impossible"),
        (1, "fewest moves until (some p in players: height of p = 9)", "0"),
        (1, "maximise score for 1 turn", "9"),
        (2, "maximise score until end", "13"),
        (2, "maximise score for 1 turn", "12"),
        (2, "reach score >= 13 for 2 turns", "yes"),
    ],
)
def test_where_nothing_can_be_done_play_goes_on(tmp_path: Path, players: int, ask: str, answer: str) -> None:
    tmp_path.joinpath("trap.rules").write_text(TRAP)
    path, other = tmp_path / "hall.puzzle", "\n    height 2: 3" if players == 2 else ""
    start = f"players {players}\n    height 1: 9{other}\n    start: turn of 1"
    path.write_text(text(ask, answer, start).replace("stairs", "trap"))
    solved = SolvedPuzzle(path, Project(tmp_path), 9)
    for expectation in of_puzzle(solved):
        expectation.check()
    assert solved.position.legal_actions == ()
