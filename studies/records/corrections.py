"""Corrects expectations that no longer hold in the text: the `answer:` of a puzzle, the recorded scores of a saved game.

The rest of the file, including comments and layout, stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rulewright.base.input_files import decoded, read_bytes
from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Span
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import answer_text
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.saved_games import (
    begin_saved_game,
    parse_saved_game,
    replay_saved_game,
)
from rulewright.rules.linking.project import Project
from rulewright.studies.verified_plan import agree

from .expectations import SolvedPuzzle

_ANSWER = re.compile(r"(answer\s*:\s*).*", re.DOTALL)

_SCORE = re.compile(r"(.*=\s*)-?[0-9]+", re.DOTALL)


@frozen
class Correction:
    """The content of a file before and after its correction; `changed` describes the corrections in words."""

    path: Path
    before: bytes
    after: bytes
    changed: tuple[str, ...]


def correct_answer(solved: SolvedPuzzle) -> Correction | None:
    """The correction of a puzzle's `answer:`; None if it is missing or right. Raises `Inconclusive` and `RulesError`."""
    puzzle, found = solved.puzzle, solved.answer
    if found is None or puzzle.answer is None or agree(found, puzzle.answer):
        return None
    source, limits = str(solved.path), solved.project.limits
    before = read_bytes(solved.path, limits)
    after = _replaced(before, [(puzzle.answer_span, _ANSWER, answer_text(found))])
    read = parse_puzzle(decoded(after, source), source, limits)
    assert read == evolve(puzzle, answer=found), "only the answer is to change"
    return Correction(solved.path, before, after, (f"answer: {answer_text(puzzle.answer)} -> {answer_text(found)}",))


def correct_scores(path: Path, project: Project) -> Correction | None:
    """The correction of the scores that a saved game records; None if all are right.

    Raises `RulesError` if an action is no longer legal.
    """
    before = read_bytes(path, project.limits)
    play = parse_saved_game(decoded(before, str(path)), str(path), project.limits)
    engine, state = begin_saved_game(play, Catalogue(project))
    spans = [action.span for action in play.actions]
    steps = replay(engine, state, [action.text for action in play.actions], spans)
    wrong = [
        (action, step.score)
        for action, step in zip(play.actions, steps, strict=True)
        if action.score is not None and action.score != step.score
    ]
    after = _replaced(before, [(action.span, _SCORE, str(score)) for action, score in wrong])
    corrected = parse_saved_game(decoded(after, str(path)), str(path), project.limits)
    replay_saved_game(corrected, engine, state)
    changed = tuple(f"{action.text} = {action.score} -> {score}" for action, score in wrong)
    return Correction(path, before, after, changed) if wrong else None


def _replaced(content: bytes, places: Sequence[tuple[Span, re.Pattern[str], str]]) -> bytes:
    """The content with the text after the first group of a pattern replaced at each place; line endings are kept."""
    text = content.decode("utf-8")
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    for span, pattern, new in reversed(places):
        start, end = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
        kept = pattern.match(text[start:end])
        assert kept is not None, "the place is of another kind"
        text = text[:start] + kept[1] + new + text[end:]
    return text.encode("utf-8")
