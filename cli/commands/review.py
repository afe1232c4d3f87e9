"""`rulewright review`: changed snapshots, grouped by the cause of the change, shown in rows, accepted or rejected."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from rulewright.api.start import start_of_puzzle, viewer_of
from rulewright.base.atomic_write import complete
from rulewright.base.diagnostics import Diagnostic, did_you_mean, usage_error
from rulewright.base.records import frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, escaped_path, line, spaced
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.rules import Review, ReviewedGroup
from rulewright.cli.names import current_project
from rulewright.cli.views.output import Exit, Output, say_diagnostics, track
from rulewright.cli.views.state_view import turn_line
from rulewright.cli.views.tile_view import Symbols
from rulewright.rules.clauses.clause_diff import together
from rulewright.rules.linking.project import Project
from rulewright.studies.records import snapshots
from rulewright.studies.records.expectations import SolvedPuzzle
from rulewright.studies.records.file_checks import PLAY, checked_files
from rulewright.studies.records.file_review import FileReview, FileReviewer, file_reviews
from rulewright.studies.records.snapshot_review import GONE, NEW, OUTDATED, ReviewGroup, SnapshotReview
from rulewright.studies.records.snapshots import Change

from .diff import change_of, difference_line
from .diff_effects import actions_text, cause, contribution_texts, summary
from .show import board_lines

# What is shown of a group ---------------------------------------------------------------------------------------------

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
        viewer = viewer_of(position)
        drawn = board_lines(engine, state, viewer, Symbols.of(engine.game))
        for row in (*drawn, turn_line(engine, state, viewer)):
            yield line("      ", *row)
        yield line()
    for change in found.changes if detail.records else ():
        yield line("      ", Styled(spaced(change.path.stem), Style.STRONG), f"  {escaped_path(change.path)}")
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
        by_file.setdefault(change.path.parent, []).append(spaced(change.path.stem))
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


ALL = "all"
IN_FULL = Detail(boards=True, records=True)


def review(
    accept: Sequence[str],
    correct: bool,
    detail: Detail,
    svg: Path | None,
    dark: bool,
    seconds: float,
    workers: int,
    output: Output,
) -> int:
    """Show the groups of changed snapshots; accept those named, or ask on a terminal, and with `correct` also correct files;
    pictures go to the folder `svg`, and each answer has so many seconds. Exit status 1 if some are left."""
    in_ci = bool(os.environ.get("CI"))
    if accept and in_ci:
        raise usage_error(
            "snapshots cannot be accepted in CI", "run `rulewright review` locally, and commit the accepted snapshots"
        )
    pending = _reviewed(seconds, workers, correct, output)
    groups = pending.groups
    accepted = [group for group in groups if _is_named(group, accept)]
    unknown = [name for name in accept if name != ALL and not any(_is_named(group, [name]) for group in groups)]
    if unknown:
        raise usage_error(f"there is no change `{escape(unknown[0])}` to accept", did_you_mean(unknown[0], _names(groups)))
    output.document(
        Review,
        groups=[_group(group, group in accepted) for group in groups],
        uncorrected=[found.path for found in pending.uncorrected],
        undecided=pending.undecided,
        errors=_faults(pending),
    )
    say_diagnostics(dict.fromkeys(_faults(pending)), output)
    asking = not accept and not in_ci and not output.as_json and _is_interactive()
    left = list(groups)
    for group in groups:
        output.lines(group_lines(group, pending.project, detail))
        if group in accepted:
            pending.accept(group)
            left.remove(group)
            output.line(Styled("accepted", Style.GOOD))
        elif asking:
            answer = _ask(pending, group, output)
            if answer == "quit":
                break
            if answer == "accept":
                left.remove(group)
    if svg is not None:
        _write_pictures(pending, svg, dark, output)
    _conclude(pending, groups, left, output)
    return Exit.WRONG if pending.faults else Exit.NO if left else Exit.YES


def _reviewed(seconds: float, workers: int, correct: bool, output: Output) -> SnapshotReview:
    reviewer = FileReviewer(current_project(), seconds)
    complete(reviewer.project.folder)
    paths = list(checked_files(reviewer.project))
    games = [path for path in paths if path.suffix == PLAY]
    others = [path for path in paths if path.suffix != PLAY]
    reviews = list(track(file_reviews(reviewer, others, workers), len(others), "reviewing", output))
    return SnapshotReview(reviewer, reviews, games, correct)


def _conclude(pending: SnapshotReview, groups: Sequence[ReviewGroup], left: Sequence[ReviewGroup], output: Output) -> None:
    for path, why in pending.undecided.items():
        output.say(Styled("not known", Style.WARNING), f": {escaped_path(path)}: {escape(why)}")
    if not groups:
        output.say("nothing else to review" if pending.faults else "nothing to review")
    elif left:
        names = ", ".join(f"`{group.title}`" for group in left)
        output.say(f"not accepted: {escape(names)}; use `--accept NAME`, or `--accept {ALL}` for everything")
    else:
        output.say(f"accepted: {counted(len(groups), 'group')}")
    if pending.uncorrected:
        files = counted(len(pending.uncorrected), "file expects", "files expect")
        output.say(f"{files} outdated results; `--correct` updates answers and recorded scores on acceptance")


def _write_pictures(pending: SnapshotReview, folder: Path, dark: bool, output: Output) -> None:
    """Write one picture for each listed puzzle."""
    from rulewright.cli.picture_files import PictureFiles, write_position
    from rulewright.pictures.scene import PictureOptions

    folder.mkdir(parents=True, exist_ok=True)
    for found in dict.fromkeys(found for group in pending.groups for found in group.puzzles):
        start = start_of_puzzle(SolvedPuzzle(found.path, pending.project, 0).position, None)
        write_position(start, PictureFiles(folder / f"{found.name}.svg", options=PictureOptions(dark=dark)), output)


# What is accepted -----------------------------------------------------------------------------------------------------


def _is_named(group: ReviewGroup, names: Sequence[str]) -> bool:
    return ALL in names or any(name in _names([group]) for name in names)


def _names(groups: Sequence[ReviewGroup]) -> set[str]:
    """The names that accept a group: its title, its only clause, its only puzzle."""
    found = {group.title for group in groups}
    found |= {str(place) for group in groups if len(group.change_sets) == 1 for place in group.change_sets[0]}
    return found | {group.puzzles[0].name for group in groups if len(group.puzzles) == 1}


def _is_interactive() -> bool:
    return sys.stdin.isatty()


def _ask(pending: SnapshotReview, group: ReviewGroup, output: Output) -> str:
    """Ask what to do with a group, and do it; returns the answer."""
    words = ("accept", "reject", *(("each",) if len(group.files) > 1 else ()), "look", "quit")
    while (answer := _typed(words)) == "look":
        output.lines(group_lines(group, pending.project, IN_FULL))
    if answer == "accept":
        pending.accept(group)
    if answer != "each":
        return answer
    accepted: list[FileReview] = []
    for found in group.files:
        output.line(Styled(found.name, Style.STRONG))
        answer = _typed(("accept", "reject", "quit"))
        if answer == "quit":
            break
        if answer == "accept":
            accepted.append(found)
    if len(accepted) == len(group.files):
        pending.accept(group)
        return "accept"
    pending.accept(group, accepted)
    return "quit" if answer == "quit" else "reject"


def _typed(words: Sequence[str]) -> str:
    """The first of the words that starts with the input; `quit` at the end of input."""
    while True:
        try:
            said = input(f"{', '.join(words)}? ").strip().lower()
        except EOFError:
            return "quit"
        for word in words:
            if said and word.startswith(said):
                return word


def _faults(pending: SnapshotReview) -> list[Diagnostic]:
    """The errors of files. An error in rules concerns every file that names them."""
    return [diagnostic for diagnostics in pending.faults.values() for diagnostic in diagnostics]


# For scripts ----------------------------------------------------------------------------------------------------------


def _group(group: ReviewGroup, accepted: bool) -> ReviewedGroup:
    changes = [change_of(one, rules.old, rules.new) for rules, differences in group.differences for one in differences]
    snapshots = [*(change for found in group.games for change in found.changes), *group.changes]
    return document_of(ReviewedGroup, group, changes=changes, snapshots=snapshots, accepted=accepted)
