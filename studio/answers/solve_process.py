"""The process that searches for the best play from the position on the board."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rulewright.grammar.tree.puzzles import Goal, Others, answer_text
from rulewright.rules.linking.questions import Question
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.budget import Limits
from rulewright.studies.verified_plan import proved_answer, verified_steps
from rulewright.studio.processes import Report, serve_lines
from rulewright.studio.refusals import Refused, number_in, text_in
from rulewright.studio.table.board import Board, Course, Table

MEMORY_MIB = 4096
"""What the process may take; the search keeps to a quarter of it."""

WORKERS = 2
PAUSE = 0.2
"""Seconds between two reports."""


def main() -> None:
    """Answer one page."""
    serve_lines(solved, MEMORY_MIB)


def solved(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """The best play found within `seconds`, replayed; proved where it could be. Raises `Refused` and `RulesError`."""
    course = Table(Path(text_in(request, "folder"))).course(Board.from_data(request["board"]))
    engine, state, question = _asked(course)
    engine.compile()
    limits = Limits(float(number_in(request, "seconds", 1, 500, 60)), WORKERS, MEMORY_MIB // 4)
    result = answer(engine, state, question, limits, _Reporter(question, report))
    steps = verified_steps(engine, state, question, result)
    proved = proved_answer(result, question) if not course.is_begun else None
    return {
        "status": result.status.value,
        "value": None if result.value is None else str(result.value),
        "bound": result.bound,
        "answer": None if proved is None else answer_text(proved),
        "plan": [{"text": step.text, "player": step.player, "value": step.value} for step in steps],
        "seconds": round(result.seconds, 2),
    }


def _asked(course: Course) -> tuple[Any, Any, Question]:
    """What the search is about: of a puzzle that nobody has played on, just what it asks."""
    question, position = course.start.question, course.start.position
    if question is None:
        raise Refused("there is nothing to play for: the game has no score", "say what it is worth by `score NAME: …`")
    if course.refused is not None:
        raise Refused("the play on the board does not go on under these rules", "take its last actions back")
    if not course.is_begun and position is not None and position.question is not None:
        return position.asked, position.root, question
    if question.others is Others.GIVEN:
        raise Refused("the plans of other players are given, and nobody has kept to them", "go back to the start and solve")
    if course.engine.over(course.state):
        raise Refused("the game is over", "take an action back")
    return course.engine, course.state, question


class _Reporter:
    """Says from time to time what is known."""

    def __init__(self, question: Question, report: Report) -> None:
        self.report, self.last = report, time.monotonic()
        self.low = question.goal in (Goal.MINIMISE, Goal.LEAST)

    def __call__(self, best: int | None, bound: int | None, states: int) -> None:
        if time.monotonic() - self.last >= PAUSE:
            self.last = time.monotonic()
            gap = None if best is None or bound is None else abs(bound - best)
            self.report({"best": best, "bound": bound, "gap": gap, "states": states})


if __name__ == "__main__":
    main()
