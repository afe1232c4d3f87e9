"""Answers that are certified and checked at once: in a process of its own, in a page without one; a wrong answer is noticed."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Result, Status
from rulewright.studies import checked_answer
from tests.solver.certificates.test_parts import position_of

ASKED = "maximise coins of 1 - coins of 2 until end"


def said(ask: str, score: int | None = None) -> str | None:
    position = position_of(ask)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question)
    result = result if score is None else evolve(result, score=score)
    return checked_answer.checked_answer(position.asked, position.root, position.question, result)


@pytest.mark.parametrize("has_threads", [True, False])
def test_what_the_checker_says(has_threads: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_answer, "HAS_THREADS", has_threads)
    assert said(ASKED) == "the greatest value at the end is 5"
    assert said("win for 2") == "the greatest value at the end against best play is 1"
    assert said("fewest moves until heap = 0") == "the least number of moves that reaches the goal is 3"


def test_what_is_not_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_answer, "SMALL", 1000)
    assert said(ASKED) is None


def test_what_is_not_proved() -> None:
    position = position_of(ASKED)
    assert position.question is not None
    unknown = Result(Status.UNKNOWN, None, None, (), 0, 0.0)
    assert checked_answer.checked_answer(position.asked, position.root, position.question, unknown) is None


def test_a_wrong_answer_is_noticed() -> None:
    with pytest.raises(AssertionError):
        said(ASKED, score=4)
    with pytest.raises(AssertionError, match="does not accept"):
        said(ASKED, score=6)
