"""The lines that `rulewright review` shows of a group: one row for each puzzle and game; optionally boards, and the full
records."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from rulewright.api.start import viewer_of
from rulewright.base.records import frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, escaped_path, line
from rulewright.cli.views.state_view import turn_line
from rulewright.cli.views.symbols import Symbols
from rulewright.rules.clauses.clause_diff import together
from rulewright.rules.linking.project import Project
from rulewright.studies.records import snapshots
from rulewright.studies.records.expectations import SolvedPuzzle
from rulewright.studies.records.file_review import FileReview
from rulewright.studies.records.rule_changes import Change
from rulewright.studies.records.snapshot_review import GONE, NEW, OUTDATED, ReviewGroup

from .diff import difference_line
from .diff_effects import actions_text, cause, contribution_texts, summary
from .show import board_lines

FEW_ROWS = 40
"""The maximum number of rows shown of a changed text."""


@frozen
class Detail:
    """What to show of each puzzle and game in addition to its row."""

    boards: bool = False
    records: bool = False


def group_lines(group: ReviewGroup, project: Project, detail: Detail) -> Iterator[Line]:
    """The cause with its clauses before and after, then each puzzle and game."""
    yield line()
    yield line(
        Styled(escape(group.title), Style.STRONG), *([f": {', '.join(said)}"] if (said := list(_heading(group))) else [])
    )
    for rules, differences in group.differences:
        for alike in together(differences):
            yield difference_line(alike, rules.old, rules.new)
    width = max((len(found.name) for found in group.files), default=0)
    for found in group.files:
        yield line(f"    {escape(found.name).ljust(width)}  {'; '.join(_row(found, group))}")
        yield from _details(found, project, detail)
    yield from _unlisted(group, detail)


def _heading(group: ReviewGroup) -> Iterator[str]:
    if group.title in (NEW, GONE, OUTDATED):
        return
    if not group.change_sets:
        yield "the puzzle itself changed" if group.puzzles else "the saved game itself changed"
        return
    if not group.files:
        yield "changes no puzzle"
    parts = [(found.impact, part) for found in group.puzzles if found.impact is not None for part in found.impact.contributions]
    if group.puzzles:
        yield counted(len(group.puzzles), "puzzle")
        yield from list(summary(parts))[1:]
    if group.games:
        yield counted(len(group.games), "saved game")


def _row(found: FileReview, group: ReviewGroup) -> Iterator[str]:
    """The changes, before and after; by cause if there are several."""
    if found.impact is not None:
        for part in found.impact.contributions:
            said = ", ".join(contribution_texts(found.impact, part))
            yield f"{cause(part.change_set)}: {said}" if len(group.change_sets) > 1 else said
    else:
        yield from map(change_text, found.changes)
    if found.correction is not None:
        changed = found.correction.changed
        yield "outdated: " + escape(", ".join(changed) if len(changed) <= 2 else counted(len(changed), "recorded score"))


def change_text(change: Change) -> str:
    """A changed snapshot in a few words, with its old and new contents."""
    before, after = ((text or "").splitlines() for text in (change.before, change.after))
    match change.path.stem:
        case snapshots.BEST if before and after:
            return escape(f"answer {before[0]} -> {after[0]}")
        case snapshots.ACTIONS:
            return actions_text([row for row in after if row not in before], [row for row in before if row not in after])
        case snapshots.SCORE | snapshots.GAME if before and after and _score(before[-1]) != _score(after[-1]):
            return f"score {_score(before[-1])} -> {_score(after[-1])}"
        case name:
            return f"{name.replace('_', ' ')} changed"


def _score(last_row: str) -> str:
    """The score in the last row of a snapshot, followed by the rank."""
    return escape(last_row.rpartition("score ")[2])


def _details(found: FileReview, project: Project, detail: Detail) -> Iterator[Line]:
    if detail.boards and found.path.suffix == ".puzzle":
        position = SolvedPuzzle(found.path, project, 0).position
        engine, state = position.engine, position.state
        yield line()
        drawn = board_lines(engine, state, viewer_of(position.puzzle), Symbols.of(engine.game))
        for row in (*drawn, turn_line(engine, state)):
            yield line("      ", *row)
        yield line()
    for change in found.changes if detail.records else ():
        yield line("      ", Styled(change.path.stem.replace("_", " "), Style.STRONG), f"  {escaped_path(change.path)}")
        yield from _rows(change)


def _unlisted(group: ReviewGroup, detail: Detail) -> Iterator[Line]:
    """New and orphaned snapshots, one line for each file."""
    if detail.records:
        for change in group.changes:
            yield line(f"    {escaped_path(change.path)}")
            yield from _rows(change)
        return
    by_file: dict[Path, list[str]] = {}
    for change in group.changes:
        by_file.setdefault(change.path.parent, []).append(change.path.stem.replace("_", " "))
    width = max((len(path.name) for path in by_file), default=0)
    for path, names in by_file.items():
        yield line(f"    {escape(path.name).ljust(width)}  {escape(', '.join(names))}")


def _rows(change: Change) -> Iterator[Line]:
    """The dropped and added lines."""
    before, after = ((text or "").splitlines() for text in (change.before, change.after))
    rows = [row for row in unified_diff(before, after, lineterm="", n=0) if not row.startswith(("---", "+++", "@@"))]
    for row in rows[:FEW_ROWS]:
        yield line("        ", Styled(escape(row), Style.GREEN if row.startswith("+") else Style.RED))
    if len(rows) > FEW_ROWS:
        yield line(f"        … and {len(rows) - FEW_ROWS} more lines")
