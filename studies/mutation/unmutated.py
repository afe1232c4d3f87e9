"""What the checks of files come to as the rules stand, and what is compared with it under a mutant."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from attrs import field

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, frozen
from rulewright.rules.linking.project import Project
from rulewright.studies.evidence import Evidence, EvidenceFinder
from rulewright.studies.records import snapshots
from rulewright.studies.records.expectations import ExpectationFailed, Inconclusive, linked
from rulewright.studies.records.file_checks import PLAY, FileChecks

Results = tuple[str, ...]
"""The expectations of a file, which hold, and its snapshots."""


@frozen
class Answered:
    """What the checks of a file that need solving come to, and how many seconds they take."""

    results: Results
    seconds: float


@define
class Unmutated:
    """A project as it stands: the results of its files, each found once for the mutants of all its modules.

    `seconds` limits the solving of each question. `failing` are the files that were found not to hold.
    """

    folder: Path
    seconds: float
    failing: set[Path] = field(factory=set, init=False)
    _results: dict[Path, Results | None] = field(factory=dict, init=False, repr=False)
    _answers: dict[Path, Answered | None] = field(factory=dict, init=False, repr=False)
    _links: dict[Path, bool] = field(factory=dict, init=False, repr=False)

    @cached_property
    def project(self) -> Project:
        return Project(self.folder)

    @cached_property
    def finder(self) -> EvidenceFinder:
        return EvidenceFinder(self.project)

    def results(self, path: Path) -> Results | None:
        """What the checks of a file come to that need no solving; None where one fails."""
        if path not in self._results:
            self._results[path] = self._found(path, solving=False)
        return self._results[path]

    def answer(self, path: Path) -> Answered | None:
        """What solving comes to; None where nothing is asked, it fails, or it takes over half the time."""
        if path not in self._answers:
            began = time.monotonic()
            try:
                results = self._found(path, solving=True)
            except Inconclusive:
                results = None
            self._answers[path] = Answered(results, time.monotonic() - began) if results else None
        return self._answers[path]

    def soon_answered(self, evidence: Sequence[Evidence]) -> list[tuple[Evidence, Answered]]:
        """Of evidence, what asks something and is answered in half the time, the soonest first."""
        if self.seconds == 0:
            return []
        found = [(one, answer) for one in evidence if (answer := self.answer(one.path)) is not None]
        return sorted(found, key=lambda one: one[1].seconds)

    def extensions_of(self, module: str) -> Iterator[Path]:
        """The modules of the folder that extend a module, and link."""
        for path in self.finder.extensions_of(module):
            if path not in self._links:
                self._links[path] = links(path, self.project)
            if self._links[path]:
                yield path

    def _found(self, path: Path, solving: bool) -> Results | None:
        """Raises `Inconclusive`."""
        results = results_of(FileChecks(path, self.project, self.seconds / 2), solving)
        if results is None:
            self.failing.add(path)
        return results


def links(path: Path, project: Project) -> bool:
    """Whether a module links, by itself or as a part of games."""
    try:
        linked(path, project)
        return True
    except RulesError:
        return False


def results_of(checks: FileChecks, solving: bool) -> Results | None:
    """What the checks of a file come to, those that need solving or the others; None where an expectation fails.

    The snapshot of a saved game tells all that it expects. Raises `Inconclusive`.
    """
    try:
        expected = [one for one in checks.expectations if one.solves is solving and checks.path.suffix != PLAY]
        for expectation in expected:
            expectation.check()
        kept = [one for one in checks.snapshots if one.solves is solving and one.name != snapshots.RULES]
        return (*(one.name for one in expected), *(f"{one.name}: {one.text()}" for one in kept))
    except (RulesError, ExpectationFailed):
        return None
