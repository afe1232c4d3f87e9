"""The results of the checks of files under the unmutated rules, with which those under a mutant are compared."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field, frozen
from rulewright.rules.linking.project import Project
from rulewright.studies.evidence import Evidence, EvidenceFinder
from rulewright.studies.records import snapshots
from rulewright.studies.records.expectations import ExpectationFailed, Inconclusive, linked
from rulewright.studies.records.file_checks import PLAY, FileChecks

Results = tuple[str, ...]
"""The names of a file's expectations, all of which hold, and its snapshots."""


@frozen
class Answered:
    """The results of those checks of a file that need solving, and the seconds they take."""

    results: Results
    seconds: float


@define
class Unmutated:
    """A project as it is: the results of its files, each computed once for the mutants of all its modules.

    `seconds` limits the solving of each question. `failing` are the files found to have a failing check.
    """

    project: Project
    seconds: float
    failing: set[Path] = field(factory=set, init=False)
    _results: dict[Path, Results | None] = field(factory=dict, init=False, repr=False)
    _answers: dict[Path, Answered | None] = field(factory=dict, init=False, repr=False)
    _links: dict[Path, bool] = field(factory=dict, init=False, repr=False)

    @cached_property
    def finder(self) -> EvidenceFinder:
        return EvidenceFinder(self.project)

    def results(self, path: Path) -> Results | None:
        """The results of those checks of a file that need no solving; None if one fails."""
        if path not in self._results:
            self._results[path] = self._found(path, solving=False)
        return self._results[path]

    def answer(self, path: Path) -> Answered | None:
        """The results of solving; None if there is nothing to solve, a check fails, or a question takes over half the time."""
        if path not in self._answers:
            began = time.monotonic()
            try:
                results = self._found(path, solving=True)
            except Inconclusive:
                results = None
            self._answers[path] = Answered(results, time.monotonic() - began) if results else None
        return self._answers[path]

    def soon_answered(self, evidence: Sequence[Evidence]) -> list[tuple[Evidence, Answered]]:
        """The evidence whose questions are answered within half the time, fastest first."""
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
        """The results of a file's checks; a failing file is noted. Raises `Inconclusive`."""
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
    """The results of the checks of a file that need solving, or of the others; None if one fails.

    A saved game is checked by its snapshot alone, which shows all that it expects. Raises `Inconclusive`.
    """
    try:
        expected = [one for one in checks.expectations if one.solves is solving and checks.path.suffix != PLAY]
        for expectation in expected:
            expectation.check()
        kept = [one for one in checks.snapshots if one.solves is solving and one.name != snapshots.RULES]
        return (*(one.name for one in expected), *(f"{one.name}: {one.text()}" for one in kept))
    except (RulesError, ExpectationFailed):
        return None
