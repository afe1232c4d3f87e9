"""Answers beside seconds: taken from the ledger where a table has none, kept where it has."""

from __future__ import annotations

import json

import pytest
from optima import LEDGER, PAGES, answer_of, recorded, summed, with_answers

KNOWN = {"overboard": "7", "lights": "4, 3 plans", "closed": "impossible"}


def test_a_table_of_puzzles_gets_a_column() -> None:
    text = "| puzzle | cold |\n|---|--:|\n| overboard | 0.5 s |\n| the lamps (`lights`), by orbits | 1 s |\n| other | 2 s |\n"
    told = with_answers(text, KNOWN)
    rows = ["| overboard | 7 | 0.5 s |", "| the lamps (`lights`), by orbits | 4, 3 plans | 1 s |", "| other |  | 2 s |"]
    assert told.splitlines() == ["| puzzle | answer | cold |", "|---|--:|--:|", *rows]
    assert with_answers(told, {"overboard": "8"}) == told


def test_the_puzzle_may_stand_in_the_second_column() -> None:
    text = "| question | puzzle | cold |\n|---|---|--:|\n| first | `closed` | 1 s |\n"
    assert with_answers(text, KNOWN).splitlines()[2] == "| first | `closed` | impossible | 1 s |"


def test_the_slowest_puzzle_has_its_answer_with_it() -> None:
    text = "| rules | slowest, s |\n|---|---|\n| sea | 0.5 (overboard) |\n| land | 0.2 (unheard_of) |\n"
    told = with_answers(text, KNOWN)
    assert told == text.replace("(overboard)", "(overboard: 7)") and with_answers(told, KNOWN) == told


@pytest.mark.parametrize("title", ["answer", "best score", "n"])
def test_what_has_answers_keeps_them(title: str) -> None:
    text = f"| puzzle | {title} | s |\n|---|--:|--:|\n| overboard | 9 | 1 |\n"
    assert with_answers(text, KNOWN) == text


def test_the_pages_have_all_answers_of_the_ledger() -> None:
    known = recorded(json.loads(LEDGER.read_text("utf-8")))
    for page in PAGES:
        text = page.read_text("utf-8")
        assert with_answers(text, known) == text, f"{page.name}: run `python bench/optima.py`"


def test_only_proved_answers_are_recorded() -> None:
    entries = {
        "best": {"status": "optimal", "value": "9", "count": 3},
        "none": {"status": "impossible", "value": None},
        "open": {"status": "feasible", "value": "4"},
        "dear": {"skipped": "too long"},
    }
    assert recorded({"answers": entries}) == {"best": "9, 3 plans", "none": "impossible"}


def test_answers_of_documents_and_their_sum() -> None:
    assert answer_of({"status": "optimal", "score": 3, "count": 1}) == "3, 1 plan"
    assert answer_of({"status": "optimal", "score": None, "expectation": {"text": "7/9"}}) == "7/9"
    assert (answer_of({"status": "impossible", "score": None}), answer_of({"status": "feasible", "score": 2})) == (
        "impossible",
        "",
    )
    assert (summed([1200, None, 3]), summed([None])) == ("1,203", "")
