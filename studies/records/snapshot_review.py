"""Review of a folder: changed snapshots, grouped by the changes of the rules that caused them, and their acceptance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from rulewright.base.atomic_write import write_together
from rulewright.base.diagnostics import Diagnostic, file_error
from rulewright.base.input_files import is_within
from rulewright.base.records import define, field, frozen
from rulewright.rules.clauses.clause_diff import Difference
from rulewright.rules.linking.project import Project
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.studies.rule_impact import ChangeSet

from . import snapshots
from .corrections import Correction
from .file_checks import PLAY, PUZZLE
from .file_review import FileReview, FileReviewer
from .snapshots import Change, RulesChange


@frozen(eq=False)
class ReviewGroup:
    """The changes with one cause: the clauses of `change_sets` or, without these, the files themselves.

    `changes` are snapshots that belong to none of `files`: new ones, and those of deleted files.
    """

    title: str
    files: tuple[FileReview, ...] = ()
    changes: tuple[Change, ...] = ()
    change_sets: tuple[ChangeSet, ...] = ()
    rules: tuple[RulesChange, ...] = ()

    @property
    def puzzles(self) -> tuple[FileReview, ...]:
        return tuple(found for found in self.files if found.path.suffix == PUZZLE)

    @property
    def games(self) -> tuple[FileReview, ...]:
        return tuple(found for found in self.files if found.path.suffix == PLAY)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """The corrections of expectations of its files that do not hold."""
        return tuple(found.correction for found in self.files if found.correction is not None)

    @property
    def differences(self) -> tuple[tuple[RulesChange, tuple[Difference, ...]], ...]:
        """The changed clauses, each once, with the rules in which they changed."""
        listed: set[Place] = set()
        found: list[tuple[RulesChange, tuple[Difference, ...]]] = []
        for rules in self.rules:
            fresh = tuple(d for d in rules.differences(self.change_sets) if d.place not in listed)
            listed |= {difference.place for difference in fresh}
            found.append((rules, fresh))
        return tuple(found)


NEW, GONE, OUTDATED = "new", "gone", "outdated"
"""The titles of three groups: snapshots never accepted, snapshots without a file, and files with outdated expectations."""


@define
class SnapshotReview:
    """The review of a folder, from the reviews of its modules and puzzles; saved games are reviewed here.

    If `correcting`, accepting a file also corrects it, and files that only need a correction form a group of their own.
    """

    reviewer: FileReviewer
    found: Sequence[FileReview]
    games: Sequence[Path]
    correcting: bool = False
    _accepted: list[ReviewGroup] = field(factory=list, init=False)

    @property
    def project(self) -> Project:
        return self.reviewer.project

    @cached_property
    def files(self) -> tuple[FileReview, ...]:
        """The reviews of all files."""
        rules = tuple(self._rules.values())
        return (*self.found, *(self.reviewer.review_game(path, rules) for path in self.games))

    @property
    def faults(self) -> dict[Path, tuple[Diagnostic, ...]]:
        """The errors of files, by path."""
        return {found.path: found.faults for found in self.files if found.faults}

    @property
    def undecided(self) -> dict[Path, str]:
        """The reason why a snapshot of a file could not be computed, by path."""
        return {found.path: found.undecided for found in self.files if found.undecided}

    @cached_property
    def _rules(self) -> dict[Path, RulesChange]:
        """The changes of linked rules, by the snapshot that holds them."""
        changes = ((found.rules_change, found.rules) for found in self.found)
        return {
            change.path: RulesChange.of(change, self.project.combine(modules), self.reviewer.seconds)
            for change, modules in changes
            if change is not None
        }

    @cached_property
    def groups(self) -> tuple[ReviewGroup, ...]:
        """The changed snapshots by cause, then the new ones, those of deleted files, and the outdated files."""
        changed = [found for found in self.files if any(_is_of_course(change) for change in found.changes)]
        new = tuple(change for found in self.files for change in found.changes if change.before is None)
        gone = tuple(Change(path, path.read_text("utf-8"), None) for path in self._orphans())
        outdated = tuple(found for found in self.files if found.correction is not None and found not in changed)
        return (
            *_by_cause(changed, tuple(self._rules.values())),
            *([ReviewGroup(NEW, changes=new)] if new else []),
            *([ReviewGroup(GONE, changes=gone)] if gone else []),
            *([ReviewGroup(OUTDATED, outdated)] if outdated and self.correcting else []),
        )

    @property
    def uncorrected(self) -> tuple[FileReview, ...]:
        """The files whose expectations do not hold and are not corrected here."""
        return () if self.correcting else tuple(found for found in self.files if found.correction is not None)

    def accept(self, group: ReviewGroup, files: Sequence[FileReview] | None = None) -> Mapping[Path, bytes | None]:
        """Accept a group, or some files of it; either all of its changes are written or none. Returns what the files written
        had before, None for new ones.

        A change set is accepted once every group that it caused is. Raises `OSError`, and `RulesError` if a file to correct
        was edited meanwhile or a path leads out of the folder.
        """
        chosen = group.files if files is None else files
        changes = [change for found in chosen for change in found.changes if _is_of_course(change)]
        if files is None:
            changes += group.changes
            self._accepted.append(group)
            changes += self._accepted_rules(group)
        corrections = [one.correction for one in chosen if one.correction is not None and self.correcting]
        for correction in corrections:
            if correction.path.read_bytes() != correction.before:
                message = f"`{correction.path}` was edited in the meantime"
                raise file_error(message, "review it again: nothing was accepted")
        contents: dict[Path, str | bytes | None] = {change.path: change.after for change in changes}
        contents |= {correction.path: correction.after for correction in corrections}
        for path in contents:
            if not is_within(path, self.project.folder):
                message = f"`{path}` is a link that leads out of the folder"
                raise file_error(message, "delete the link: nothing was accepted")
        return write_together(contents, self.project.folder)

    def _accepted_rules(self, group: ReviewGroup) -> Iterator[Change]:
        """The snapshots of linked rules with the change sets accepted so far."""
        pending = {change_set for other in self.groups if other not in self._accepted for change_set in other.change_sets}
        for rules in group.rules:
            if (change := rules.with_accepted(set(group.change_sets) - pending)) is not None:
                yield change

    def _orphans(self) -> Iterator[Path]:
        """The snapshots that no longer belong to any file of the folder."""
        kept = {path for found in self.files for path in found.kept}
        faulty = {(path.parent, path.stem) for path in self.faults}
        for path in sorted(self.project.folder.rglob(f"{snapshots.FOLDER}/*/*.txt")):
            beside = path.parents[2], path.parent.name
            if path not in kept and path.stem in snapshots.NAMES and beside not in faulty:
                yield path


def _is_of_course(change: Change) -> bool:
    """Whether a change concerns the course of a puzzle or game: its snapshot is not new, and not the text of the rules."""
    return change.before is not None and change.path.stem != snapshots.RULES


def _by_cause(changed: Sequence[FileReview], rules: Sequence[RulesChange]) -> Iterator[ReviewGroup]:
    """The puzzles and games by the change sets that changed them; then change sets without an impact, and unexplained files."""
    caused: dict[frozenset[ChangeSet], list[FileReview]] = {}
    for found in changed:
        causes = _causes_of(found, rules)
        if causes:
            caused.setdefault(causes, []).append(found)
    noticed = frozenset(change_set for causes in caused for change_set in causes)
    for one in rules:
        caused |= {frozenset({change_set}): [] for change_set in one.change_sets if change_set not in noticed}
    for causes, group in caused.items():
        ordered = tuple(dict.fromkeys(change_set for one in rules for change_set in one.change_sets if change_set in causes))
        title = " + ".join(", ".join(map(str, change_set)) for change_set in ordered)
        yield ReviewGroup(title, tuple(group), (), ordered, tuple(one for one in rules if causes & set(one.change_sets)))
    for found in changed:
        if not _causes_of(found, rules):
            yield ReviewGroup(found.name, (found,))


def _causes_of(found: FileReview, rules: Iterable[RulesChange]) -> frozenset[ChangeSet]:
    """The change sets of the rules that changed a file; empty if they do not explain the change."""
    if found.impact is None:
        return found.causes
    causes = frozenset(contribution.change_set for contribution in found.impact.contributions)
    if () not in causes:
        return causes
    own = next(one for one in rules if one.change.path == found.rules_path)  # only all together
    return frozenset(own.analysis.change_sets)
