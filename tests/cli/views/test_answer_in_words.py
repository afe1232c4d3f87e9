"""An answer told to a puzzler: once, in two sentences."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.api.named import Named
from rulewright.cli.names import named
from rulewright.cli.solution_file import answer_in_words, proof_in_words
from rulewright.cli.views.answer_view import Answer
from rulewright.grammar.tree.puzzles import Goal
from rulewright.solver.result import Result, Status

PROVED = Result(Status.OPTIMAL, 7, 7, (), 348, 0.5, "search")


@pytest.fixture(scope="module")
def session() -> Named:
    return named("overboard")


@pytest.mark.parametrize(
    ("result", "found", "proof"),
    [
        (
            PROVED,
            "The best possible: score 7.",
            "Proved: the search left out no line of play that could do better (348",
        ),
        (evolve(PROVED, proof="search+cpsat"), "The best possible: score 7.", "Proved twice: "),
        (evolve(PROVED, proof="search+states"), "The best possible: score 7.", "Proved twice: "),
        (evolve(PROVED, proof="states"), "The best possible: score 7.", "Proved: all positions"),
        (evolve(PROVED, proof="cpsat+refuted"), "The best possible: score 7.", "Proved: CP-SAT refutes anything better"),
        (evolve(PROVED, is_about=True), "The best possible: score 7.", "Proved: the search left out"),
        (
            evolve(PROVED, status=Status.FEASIBLE, bound=9, proof=""),
            "The best plan found: score 7. No plan does better than 9.",
            "Not proved: 348 positions in 0.50 s were searched.",
        ),
        (evolve(PROVED, status=Status.IMPOSSIBLE, score=None), "It cannot be done.", "Proved: "),
        (evolve(PROVED, status=Status.UNKNOWN, score=None, proof=""), "No plan was found in time.", "Not proved: "),
    ],
)
def test_each_kind_of_answer_in_words(session: Named, result: Result, found: str, proof: str):
    question = session.position.question
    assert question is not None
    answer = Answer(session.position, session.rules, result, (), None)
    assert answer_in_words(answer, question) == found
    told = proof_in_words(answer)
    assert told.startswith(proof) and ("about 348" in told) == result.is_about


def test_an_outcome_and_a_goal_have_words_of_their_own(session: Named):
    question = session.position.question
    assert question is not None
    answer = Answer(session.position, session.rules, evolve(PROVED, score=1), (), session.position.puzzle.answer)
    assert answer_in_words(answer, evolve(question, goal=Goal.WIN)).startswith("With best play on all sides, it ends in a win.")
    assert answer_in_words(evolve(answer, expected=None), evolve(question, reaches_condition=True)).startswith("It can be done")
    assert answer_in_words(answer, question) == "The best possible: score 1. The puzzle expects 7."
    seen = evolve(question, open_state=("hand", "draw"))
    assert "With open cards: all players see hand, draw." in answer_in_words(answer, seen)
