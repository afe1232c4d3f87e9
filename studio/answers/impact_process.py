"""The process that computes the effects of edits on the puzzles of a folder, accepts them, and makes variants."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rulewright.base.atomic_write import content_of, write_together
from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field, frozen
from rulewright.base.refusals import Refused, number_in, refusal_of, text_in
from rulewright.base.spans import NO_SPAN
from rulewright.editor.project.workspace import Workspace
from rulewright.grammar.tree.puzzles import Puzzle, answer_text
from rulewright.rules.clauses.clause_diff import Order
from rulewright.rules.clauses.clause_text import clause_of
from rulewright.rules.linking.project import Combination, Project
from rulewright.studies.making.starting_folder import changes_to_try, make_folder
from rulewright.studies.records.file_checks import PLAY, checked_files
from rulewright.studies.records.file_review import FileReviewer
from rulewright.studies.records.snapshot_review import GONE, NEW, SnapshotReview
from rulewright.studies.records.snapshots import FOLDER
from rulewright.studies.rule_impact import Contribution, Impact, ImpactAnalysis, Outcome
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.workers.line_server import Report, serve_lines

# The effects of an edit on the puzzles of a folder --------------------------------------------------------------------
# The answers before and after, and the responsible clauses; and how they
# are accepted, as by `rulewright review --correct`.


@define(eq=False)
class Effects:
    """The effects of edited texts. `seconds` limits the search for each answer."""

    folder: Path
    before: Mapping[Path, str]
    after: Mapping[Path, str]
    seconds: float
    _changed: frozenset[Path] = field(init=False)
    _old: Workspace = field(init=False)
    _new: Workspace = field(init=False)
    _analyses: dict[tuple[str, ...], ImpactAnalysis] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._old = Workspace(self.folder, open=dict(self.before))
        self._new = Workspace(self.folder, open=dict(self.after))

        texts = {**self.before, **self.after}
        self._changed = frozenset(path for path in texts if self.before.get(path) != self.after.get(path))

    def in_order(self, first: Sequence[Path]) -> list[Path]:
        """The puzzles of the folder: open ones first, then the most recently written. None is read for this."""
        rank = {path: place for place, path in enumerate(first)}
        return sorted(self._new.puzzles(), key=lambda path: (rank.get(path, len(rank)), -_written(path)))

    def reaches(self, path: Path) -> bool:
        """Whether an edited text is among those a puzzle depends on."""
        return not self._changed.isdisjoint(self._new.closure([path]).readings)

    def effect(self, path: Path) -> dict[str, Any]:
        """The effect on one puzzle."""
        try:
            puzzle = self._new.reading(path).tree
            if not isinstance(puzzle, Puzzle) or not self._new.reading(path).is_whole:
                return {"puzzle": path.stem, "refused": "the puzzle has errors"}
            analysis = self._analysis(puzzle)
            impact = analysis.impact(puzzle)
        except (RulesError, OSError) as error:
            return {"puzzle": path.stem, "refused": refusal_of(error)["message"]}
        expected = None if puzzle.answer is None else answer_text(puzzle.answer)
        return {**impact_data(impact, analysis), "expects": expected}

    def _analysis(self, puzzle: Puzzle) -> ImpactAnalysis:
        names = tuple(name for name, _ in puzzle.rules)
        if names not in self._analyses:
            one, other = (_combined(workspace, names) for workspace in (self._old, self._new))
            self._analyses[names] = ImpactAnalysis(one, other, self.seconds)
        return self._analyses[names]


def _written(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _combined(workspace: Workspace, names: tuple[str, ...]) -> Combination:
    """The modules merged, in a workspace's versions."""
    closure = workspace.closure([workspace.texts.find(name) for name in names])
    for reading in closure.readings.values():
        reading.refuse_errors()
    return workspace.project(closure).combine("+".join(names))


def impact_data(impact: Impact, analysis: ImpactAnalysis) -> dict[str, Any]:
    """An impact for the page; clauses with their places."""
    return {
        "puzzle": impact.puzzle,
        "changed": not impact.is_nothing,
        "refused": impact.refused,
        "before": _outcome_data(impact.before),
        "after": _outcome_data(impact.after),
        "legal": dict(zip(("new", "gone"), impact.legal_changes, strict=True)),
        "causes": [_contribution_data(part, analysis) for part in impact.contributions],
    }


def _outcome_data(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    answer = None if outcome.answer is None else str(outcome.answer)
    return {"answer": answer, "status": outcome.status.value if outcome.status else None}


def _contribution_data(part: Contribution, analysis: ImpactAnalysis) -> dict[str, Any]:
    return {
        "clauses": [str(place) for place in part.change_set],
        "spans": _spans(part, analysis),
        "answer": str(part.answer) if part.answer else "",
        "score": part.score,
        "reached": part.reached,
        "legal": part.legal,
        "items": part.items,
    }


def _spans(part: Contribution, analysis: ImpactAnalysis) -> list[dict[str, Any]]:
    """The places of the clauses, in the newer rules or else in the older."""
    found = []
    for difference in analysis.comparison.differences:
        sides = (difference.after, analysis.other.family), (difference.before, analysis.one.family)
        said = [(side, family) for side, family in sides if side is not None and not isinstance(side, Order)]
        if difference.place in part.change_set and said:
            span = clause_of(difference.place, *said[0]).span
            if span is not NO_SPAN:
                found.append({"file": span.source, "line": span.line})
    return found


@frozen
class Acceptance:
    """What was accepted: the puzzles updated, and all files that were written, before and after; None where there was none."""

    puzzles: tuple[Path, ...]
    before: Mapping[Path, bytes | None]
    after: Mapping[Path, bytes | None]

    def take_back(self, folder: Path) -> None:
        """Write what there was before. Raises `Refused` if a file has changed since."""
        for path, content in self.after.items():
            if content_of(path) != content:
                raise Refused(f"`{path.name}` was changed after its answer was accepted", "nothing was taken back")
        write_together(self.before, folder)


def accept(folder: Path, paths: Sequence[Path], seconds: float) -> Acceptance:
    """Update puzzles to the rules on disk. Raises `RulesError` if one was edited meanwhile.

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
    before: dict[Path, bytes | None] = {}
    for group in pending.groups:
        chosen = [review for review in group.files if review.path.resolve() in wanted]
        if group.title in (NEW, GONE) or not chosen:
            continue
        before = {**pending.accept(group, None if len(chosen) == len(group.files) else chosen), **before}
    undecided = {path.resolve() for path in pending.undecided}
    puzzles = tuple(path for path in paths if path.resolve() not in undecided)
    return Acceptance(puzzles, before, {path: content_of(path) for path in before})


# The process that computes the effects of edits on the puzzles of a folder --------------------------------------------


MOST_SECONDS = 60


def answered(done: dict[str, Acceptance], request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Make a variant, find changes of it to try, accept some puzzles, take that back, or report the effect of an edit on each
    puzzle that it reaches. `done` keeps what was accepted."""
    folder = StudioFolder(Path(text_in(request, "folder")))
    if request["do"] == "new_variant":
        return {"files": make_folder(folder.root / text_in(request, "name"), text_in(request, "of"), folder.root)}
    if request["do"] == "changes_to_try":
        return {"text": changes_to_try(folder.root / text_in(request, "name"), folder.root)}
    seconds = float(number_in(request, "seconds", 1, MOST_SECONDS, 10))
    if request["do"] == "accept":
        paths = [Path(path) for path in request.get("files", ())]
        accepted, key = accept(folder.root, paths, seconds), secrets.token_hex(8)
        done[key] = accepted
        return {"accepted": [folder.name_of(path) for path in accepted.puzzles], "key": key}
    if request["do"] == "take_back":
        key = text_in(request, "key")
        if key not in done:
            raise Refused("what there was before is not known any more", "the process that accepted it has ended")
        done[key].take_back(folder.root)
        del done[key]
        return {}
    before, after = ({Path(path): text for path, text in request.get(key, {}).items()} for key in ("texts_before", "texts"))
    effects = Effects(folder.root, before, after, seconds)
    paths = effects.in_order([Path(path) for path in request.get("files", ())])
    for seen, path in enumerate(paths):
        report({"seen": seen, "all": len(paths)})
        if effects.reaches(path):
            report({**_named(effects.effect(path), folder), "file": folder.name_of(path)})
    return {"all": len(paths)}


def _named(effect: dict[str, Any], folder: StudioFolder) -> dict[str, Any]:
    """An effect with files named as on the page."""
    for cause in effect.get("causes", ()):
        cause["spans"] = [{**span, "file": folder.name_of(Path(span["file"]))} for span in cause["spans"]]
    return effect


if __name__ == "__main__":
    serve_lines(partial(answered, {}))
