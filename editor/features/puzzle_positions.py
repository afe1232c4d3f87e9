"""The position of a puzzle in its current text: its score, its picture, and the lenses above its lines."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.editor.project.workspace import Workspace
from rulewright.grammar.tree.puzzles import Answer, Puzzle, answer_text
from rulewright.puzzles.position import Position

if TYPE_CHECKING:
    from rulewright.api.puzzle import Puzzle as LoadedPuzzle
    from rulewright.api.state import State


class Offer(Enum):
    """An operation offered for a puzzle."""

    SCORE = "score"
    SHOW = "show"
    SOLVE = "solve"
    ACCEPT_ANSWER = "acceptAnswer"


@frozen
class Lens:
    """An offer above a line, with a title."""

    span: Span
    title: str
    offer: Offer


def lenses(workspace: Workspace, path: Path) -> Iterator[Lens]:
    """The lenses above the lines of a puzzle."""
    puzzle = workspace.reading(path).tree
    if not isinstance(puzzle, Puzzle):
        return
    head = Span(puzzle.span.source, puzzle.span.line, 1, puzzle.span.line, 2)
    yield Lens(head, "score", Offer.SCORE)
    yield Lens(head, "show", Offer.SHOW)
    if puzzle.ask is not None:
        yield Lens(puzzle.ask.span, "solve", Offer.SOLVE)
        place = puzzle.ask.span if puzzle.answer_span is NO_SPAN else puzzle.answer_span
        yield Lens(place, "solve and update the answer", Offer.ACCEPT_ANSWER)


def position_of(workspace: Workspace, path: Path) -> Position:
    """The position of a puzzle. Raises `RulesError` if it has none."""
    from rulewright.puzzles.from_tree import set_up_position

    reading = workspace.reading(path)
    game = workspace.game(path)
    if not isinstance(reading.tree, Puzzle):
        raise RulesError((Diagnostic("RW007", "the file has no `puzzle` line"),))
    return set_up_position(reading.tree, game)


def puzzle_of(workspace: Workspace, path: Path) -> LoadedPuzzle:
    """A puzzle of the library. Raises as `position_of`."""
    from rulewright.api.puzzle import Puzzle as LoadedPuzzle

    return LoadedPuzzle(position_of(workspace, path))


def score_text(state: State) -> str:
    """The score of a position, item by item, a line each."""
    return "\n".join((f"score {state.score}", *(f"  {item}" for item in state.score_items)))


def answer_edit(workspace: Workspace, path: Path, answer: Answer) -> tuple[Span, str] | None:
    """The edit that makes a puzzle expect an answer; None if it already does, or has no question."""
    puzzle = workspace.reading(path).tree
    if not isinstance(puzzle, Puzzle) or puzzle.ask is None or puzzle.answer == answer:
        return None
    said = f"answer: {answer_text(answer)}"
    if puzzle.answer_span is not NO_SPAN:
        return puzzle.answer_span, said
    lines = workspace.text(path).split("\n")
    last = puzzle.ask.span.end_line
    first = lines[puzzle.ask.span.line - 1]
    margin = first[: len(first) - len(first.lstrip())]
    end = len(lines[last - 1]) + 1
    return Span(str(path), last, end, last, end), f"\n{margin}{said}"
