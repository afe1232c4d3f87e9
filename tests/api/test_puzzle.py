"""Puzzles of the library: loaded by name, path, share line and text; asked, changed and solved."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.studies.alternative_plans import AlternativePlans


@pytest.mark.parametrize(
    ("name", "value"),
    [("overboard", 7), ("connect_four_red", "win"), ("fifteen_swapped", "impossible"), ("four_by_four", "draw")],
)
def test_answers_are_those_of_the_files(name: str, value: object) -> None:
    puzzle = rw.load_puzzle(name)
    answer = puzzle.solve(seconds=20)
    assert (answer.value, answer.is_proved) == (value, True) and answer.value == puzzle.expected


def test_a_plan_is_played_to_its_value() -> None:
    puzzle = rw.load_puzzle("overboard")
    answer, state = puzzle.solve(seconds=20), puzzle.start
    for action in answer.plan:
        assert action in state.legal
        state = state.play(action)
    assert state.is_over and state.score == answer.value == answer.bound
    assert str(answer).splitlines()[0] == "optimal, 7"


def test_what_is_expected_is_a_fraction() -> None:
    answer = rw.load_puzzle("pig_ten").solve(seconds=20)
    assert isinstance(answer.value, Fraction | int) and answer.value == rw.load_puzzle("pig_ten").expected


def test_without_time_nothing_is_proved() -> None:
    answer = rw.load_puzzle("rush_hour_hardest").solve(seconds=0)
    assert (answer.status, answer.value, answer.plan, answer.is_proved) == ("unknown", None, (), False)


def test_a_text_a_path_and_a_line_are_the_same_puzzle(tmp_path: Path) -> None:
    puzzle = rw.load_puzzle("overboard")
    (tmp_path / "mine.puzzle").write_text(str(puzzle))
    for other in (
        rw.load_puzzle(text=str(puzzle)),
        rw.load_puzzle(tmp_path / "mine.puzzle"),
        rw.load_puzzle(str(tmp_path / "mine.puzzle")),
    ):
        assert other.start.values == puzzle.start.values
        assert (other.name, other.question, other.modules) == (puzzle.name, puzzle.question, puzzle.modules)


def test_a_question_of_any_state() -> None:
    state = rw.load_game("classics.noughts_and_crosses").start
    for text in ("place (0,0)", "place (0,1)"):
        state = state.play(text)
    puzzle = state.ask("win for 1")
    answer = puzzle.solve(seconds=20)
    assert (answer.value, puzzle.expected) == ("win", None)
    assert rw.load_puzzle(text=str(puzzle)).solve(seconds=20).value == "win"
    with pytest.raises(rw.RulesError, match="RW"):
        state.ask("win for 3")
    with pytest.raises(rw.RulesError, match="asks no question"):
        rw.load_puzzle(text=str(state)).solve()


def test_a_changed_rule_changes_the_answer(tmp_path: Path) -> None:
    change = 'change sail:\n    require calm: no else "no wind"\n'
    (tmp_path / "calm.rules").write_text(f"module calm:\n    extends beacon_patrol\n\n{change}")
    by_text = rw.load_puzzle("overboard", changes=change)
    by_file = rw.load_puzzle("overboard", variant=str(tmp_path / "calm.rules"))
    assert by_text.solve(seconds=20).value == by_file.solve(seconds=20).value == 3
    refusal = by_text.start.why_not("sail west")
    assert refusal is not None and "no wind" in str(refusal)


def test_an_error_of_a_text_shows_its_place() -> None:
    with pytest.raises(rw.RulesError) as caught:
        rw.load_puzzle("overboard", changes="change sail:\n    require calm no\n")
    assert "RW0" in str(caught.value) and "changes:2:" in str(caught.value)


def test_a_wrong_answer_of_the_file_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.studies.verified_plan.PAUSE", 0.0)
    puzzle, known = rw.load_puzzle("overboard"), list[dict[str, object]]()
    assert not puzzle.solve(seconds=20).refutes_expected
    wrong = rw.load_puzzle(text=str(puzzle).replace("answer: 7", "answer: 8"))
    assert wrong.solve(seconds=20, progress=known.append).refutes_expected
    assert known and known[-1].keys() == {"best", "bound", "gap", "states"}


def test_plans_that_were_not_counted_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = rw.load_puzzle("pentominoes_strip")
    assert puzzle.question.startswith("count best")
    uncounted = AlternativePlans((), None, None, None, None)
    monkeypatch.setattr("rulewright.studies.alternative_plans.alternative_plans", lambda *_: uncounted)
    answer = puzzle.solve(seconds=20)
    assert (answer.status, answer.value, answer.is_proved) == ("unknown", None, False)
