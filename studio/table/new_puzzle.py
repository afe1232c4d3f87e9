"""Makes a puzzle from the position on the board, with a question."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from rulewright.api.puzzle import puzzle_at
from rulewright.base.refusals import Refused
from rulewright.editor.features.puzzle_positions import answer_edit
from rulewright.editor.project.workspace import Workspace
from rulewright.grammar.tree.puzzles import Answer
from rulewright.puzzles.catalogue import answer_of
from rulewright.rules.model.game import Game

from .board import Course


def puzzle_text(course: Course, game: Game, name: str, ask: str, text: str) -> str:
    """The text of a puzzle that asks `ask` of the end of a course, under the rules of a game.

    Raises `Refused` and `RulesError` for an invalid name, question or position.
    """
    if "\n" in ask or "\n" in text or '"' in text:
        raise Refused("a question or description must be a single line without quotation marks")
    return str(puzzle_at(course.start, course.state, name, ask, text, game))


def text_with_answer(workspace: Workspace, path: Path, answer: str) -> str:
    """The text of a puzzle, with another expected answer. Raises `Refused` if that is not an answer."""
    text = workspace.text(path)
    edit = answer_edit(workspace, path, _read_answer(answer))
    if edit is None:
        return text
    (span, new), starts = edit, workspace.reading(path).source.line_starts
    first, last = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
    return text[:first] + new + text[last:]


def _read_answer(answer: str) -> Answer:
    with suppress(ValueError):
        if (found := answer_of(answer)) is not None:
            return found
    raise Refused(f"`{answer[:40]}` cannot be the answer to a puzzle")
