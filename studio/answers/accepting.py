"""Accepts the effects of an edit on puzzles, as `rulewright review --correct` does: their answers and their records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.rules.linking.project import Project
from rulewright.studies.records.file_checks import PLAY, checked_files
from rulewright.studies.records.file_review import FileReviewer
from rulewright.studies.records.snapshot_review import GONE, NEW, SnapshotReview
from rulewright.studies.records.snapshots import FOLDER


def accept(folder: Path, paths: Sequence[Path], seconds: float) -> list[Path]:
    """Update puzzles to the rules on disk; returns those updated. Raises `RulesError` if one was edited meanwhile.

    If the folder has snapshots, all of its files are reviewed, so that a clause is accepted once all of its effects are.
    """
    reviewer = FileReviewer(Project(folder), seconds)
    wanted = {path.resolve() for path in paths}
    recorded = next(folder.rglob(FOLDER), None) is not None
    found = list(checked_files(reviewer.project)) if recorded else list(paths)
    games = [path for path in found if path.suffix == PLAY]
    reviews = [reviewer.review(path) for path in found if path.suffix != PLAY]
    if faults := [fault for review in reviews if review.path.resolve() in wanted for fault in review.faults]:
        raise RulesError(tuple(faults))
    pending = SnapshotReview(reviewer, reviews, games, correcting=True)
    for group in pending.groups:
        chosen = [review for review in group.files if review.path.resolve() in wanted]
        if group.title in (NEW, GONE) or not chosen:
            continue
        pending.accept(group, None if len(chosen) == len(group.files) else chosen)
    undecided = {path.resolve() for path in pending.undecided}
    return [path for path in paths if path.resolve() not in undecided]
