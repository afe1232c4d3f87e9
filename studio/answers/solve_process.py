"""The process that searches for the best play from the position on the board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.base.host import HAS_THREADS
from rulewright.base.records import evolve
from rulewright.base.refusals import Refused, number_in, object_in, text_in
from rulewright.base.styled_text import plain
from rulewright.grammar.tree.puzzles import Others
from rulewright.rules.linking.questions import Question
from rulewright.solver.result import Limits
from rulewright.studies.verified_plan import told_answer
from rulewright.studio.table.board import Board, Course, Table
from rulewright.workers.line_server import Report, serve_lines

MEMORY_MIB = 4096
"""Most memory of the process; the search keeps to a quarter of it."""

WORKERS = 2
"""Most threads of the search, so that the page stays quick."""

TRIES = 5
"""Most tries shown of a problem."""


def solved(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """The best play found within `seconds`, replayed; proved if possible, and with `checks` certified and checked if that takes
    few states. A problem comes with its keys and variations, as `lines`. Raises `Refused` and `RulesError`."""
    course = Table(Path(text_in(request, "folder"))).course(Board.from_data(object_in(request, "board")))
    seconds = float(number_in(request, "seconds", 1, 500, 60))
    limits = Limits(seconds, WORKERS, MEMORY_MIB // 4) if HAS_THREADS else Limits(seconds)
    asked, checks = _asked(course), request.get("checks") is True
    found = told_answer(*asked, limits, report, checks=checks)
    if checks and asked[2].own_turns is not None and found["plan"]:
        from rulewright.studies.problem_solution import problem_solution, solution_lines

        rest = evolve(limits, seconds=max(1.0, seconds - found["seconds"]))
        found["lines"] = [plain(told) for told in solution_lines(problem_solution(*asked, rest, TRIES))]
    # A proof for a later position is not an answer to its puzzle.
    return {**found, "proved": found["answer"], "answer": None if course.is_begun else found["answer"]}


def _asked(course: Course) -> tuple[Any, Any, Question]:
    """The engine, state and question of the search; for an unplayed puzzle, exactly its own."""
    question, position = course.start.question, course.start.position
    if question is None:
        raise Refused("the game has no score, so there is nothing to optimise", "add a score: `score NAME: …`")
    if course.refused is not None:
        raise Refused("the actions on the board are not legal under these rules", "undo its last actions")
    if not course.is_begun and position is not None and position.question is not None:
        return position.asked, position.root, question
    if question.others is Others.GIVEN:
        raise Refused("the question is asked with given plans, which were not followed", "go back to the start and solve")
    if course.engine.over(course.state):
        raise Refused("the game is over", "undo an action")
    return course.engine, course.state, question


if __name__ == "__main__":
    serve_lines(solved, MEMORY_MIB)
