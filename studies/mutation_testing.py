"""Mutation testing of rules: which mutants would pytest notice?

A mutant is killed by a file whose checks come to another result with it than without: an expectation that fails, or a snapshot
that changes. Of snapshots only that of the linked rules does not count: every mutant changes it. Checks that need no solving
come first, and the evidence that killed the mutant before is tried first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property, partial
from pathlib import Path

from attrs import field

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import is_within
from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.catalogue import SHIPPED
from rulewright.rules.clauses.mutants import Mutant, mutants
from rulewright.rules.linking.project import Project
from rulewright.workers.executor import Executor, Job
from rulewright.workers.folder_texts import FolderTexts

from .evidence import Evidence, EvidenceFinder
from .records import snapshots
from .records.expectations import ExpectationFailed, Inconclusive
from .records.file_checks import FileChecks
from .rule_checks import OverlapSearch, check_rules

SUFFIXES = (".rules", ".puzzle", ".play")
"""The files that are modules or evidence."""

Results = tuple[str, ...]
"""The expectations of a file, which hold, and its snapshots."""


class MutantStatus(Enum):
    """`INVALID` mutants do not link or pass the static checks; `UNDECIDED` ones survived, but some check was inconclusive."""

    INVALID = auto()
    KILLED = auto()
    UNDECIDED = auto()
    SURVIVED = auto()


@frozen
class Verdict:
    """The status of the mutant of that number; `by` names the evidence that killed it.

    `failing` names the evidence that fails without a mutant too and so kills none; it is known only where no evidence killed.
    """

    number: int
    status: MutantStatus
    by: str = ""
    failing: tuple[str, ...] = ()


@frozen
class Answered:
    """What the checks of a file that need solving come to without a mutant, and how many seconds they take."""

    results: Results
    seconds: float


@define
class MutationTest:
    """The mutants of a module, and the evidence that should kill them. `seconds` limits the solving of each question."""

    folder: Path
    module: str
    files: tuple[Path, ...]
    seconds: float
    _order: list[Evidence] = field(factory=list, init=False, repr=False)
    _before: dict[Path, Results | None] = field(factory=dict, init=False, repr=False)
    _answers: dict[Path, Answered | None] = field(factory=dict, init=False, repr=False)
    _failing: set[Path] = field(factory=set, init=False, repr=False)

    @cached_property
    def project(self) -> Project:
        return Project(self.folder)

    @cached_property
    def path(self) -> Path:
        return self.project.file_of(self.module)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The mutants in the order of the text."""
        return tuple(mutants(self.project.parse(self.path)))

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """Evidence that names the module first, then that of modules that extend it; saved games before puzzles."""
        found = EvidenceFinder(self.project).of(self.module, self.files)
        return tuple(sorted(found, key=lambda one: (not self._is_named_by(one), isinstance(one.content, Puzzle))))

    @cached_property
    def dependants(self) -> tuple[Path, ...]:
        """The modules of the folder that extend the module, and are without errors. None where `files` are named."""
        if self.files:
            return ()
        found = EvidenceFinder(self.project).extensions_of(self.module)
        return tuple(path for path in found if _results(FileChecks(path, self.project, 0), solving=False) is not None)

    def _is_named_by(self, evidence: Evidence) -> bool:
        return self.module in evidence.rules

    @cached_property
    def _whole(self) -> list[Path]:
        """The files to link: the module alone or, where that is no game, the modules of the first evidence that are one."""
        ways = [[self.path], *([self.project.file_of(name) for name in evidence.rules] for evidence in self.evidence)]
        return next((paths for paths in ways if _is_valid(self.project, paths, may_be_part=False)), [self.path])

    def verdict(self, number: int) -> Verdict:
        """Test one mutant."""
        mutant = self.mutants[number]
        project = self.project.with_module(self.path, mutant.module)
        if not _is_valid(project, self._whole):
            return Verdict(number, MutantStatus.INVALID)
        order = self._order = self._order or list(self.evidence)
        checks = {evidence.path: FileChecks(evidence.path, project, self.seconds) for evidence in order}
        for evidence in order:
            if self._is_detected(evidence, checks[evidence.path]):
                return self._killed(number, evidence)
        for path in self.dependants:
            if _results(FileChecks(path, project, 0), solving=False) is None:
                return Verdict(number, MutantStatus.KILLED, path.stem)
        status = MutantStatus.SURVIVED
        for evidence, answered in self._soon_answered(order):
            try:
                if _results(checks[evidence.path], solving=True) != answered.results:
                    return self._killed(number, evidence)
            except Inconclusive:
                status = MutantStatus.UNDECIDED
        return Verdict(number, status, failing=tuple(e.name for e in self.evidence if e.path in self._failing))

    def _is_detected(self, evidence: Evidence, checks: FileChecks) -> bool:
        """Whether a file has other results with a mutant, without solving; one that fails unmutated detects nothing."""
        path = evidence.path
        if path not in self._before:
            self._before[path] = self._unmutated(path, solving=False)
        before = self._before[path]
        return before is not None and _results(checks, solving=False) != before

    def _soon_answered(self, order: Sequence[Evidence]) -> list[tuple[Evidence, Answered]]:
        """The evidence that asks something and is answered in half the time without a mutant, the soonest first."""
        if self.seconds == 0:
            return []
        found = [(evidence, answer) for evidence in order if (answer := self._answer(evidence.path)) is not None]
        return sorted(found, key=lambda one: one[1].seconds)

    def _answer(self, path: Path) -> Answered | None:
        """What solving comes to without a mutant; None where nothing is asked, it fails, or it takes over half the time."""
        if path not in self._answers:
            began = time.monotonic()
            try:
                results = self._unmutated(path, solving=True)
            except Inconclusive:
                results = None
            self._answers[path] = Answered(results, time.monotonic() - began) if results else None
        return self._answers[path]

    def _unmutated(self, path: Path, solving: bool) -> Results | None:
        """The results of a file without a mutant. Raises `Inconclusive`."""
        results = _results(FileChecks(path, self.project, self.seconds / 2), solving)
        if results is None:
            self._failing.add(path)
        return results

    def _killed(self, number: int, evidence: Evidence) -> Verdict:
        self._order = [evidence, *(other for other in self._order if other is not evidence)]
        return Verdict(number, MutantStatus.KILLED, evidence.name)


def _is_valid(project: Project, paths: Sequence[Path], may_be_part: bool = True) -> bool:
    """Whether modules link and pass the static checks."""
    load_part = (lambda: project.load_part(paths)) if may_be_part else None
    try:
        return not check_rules(lambda: project.load(paths), load_part, OverlapSearch.PLAYOUTS).errors
    except RulesError:
        return False


def _results(checks: FileChecks, solving: bool) -> Results | None:
    """What the checks of a file come to, those that need solving or the others; None where an expectation fails.

    Raises `Inconclusive`.
    """
    try:
        expected = [one for one in checks.expectations if one.solves is solving]
        for expectation in expected:
            expectation.check()
        kept = [one for one in checks.snapshots if one.solves is solving and one.name != snapshots.RULES]
        return (*(one.name for one in expected), *(f"{one.name}: {one.text()}" for one in kept))
    except (RulesError, ExpectationFailed):
        return None


def verdicts(test: MutationTest, numbers: Sequence[int], executor: Executor) -> Iterator[Verdict]:
    """The verdicts on the mutants of these numbers, in order."""
    if executor.shares_files:
        make = partial(MutationTest, test.folder, test.module, test.files, test.seconds)
    else:
        texts = FolderTexts.of(test.folder, SUFFIXES, test.project.limits)
        files = tuple(_travelling(path, test.folder) for path in test.files)
        make = partial(_unpacked, texts, test.module, files, test.seconds)
    return executor.in_order(Job(make, MutationTest.verdict, opened=test), numbers)


def _unpacked(texts: FolderTexts, module: str, files: tuple[tuple[bool, str], ...], seconds: float) -> MutationTest:
    """The test where the folder is not."""
    folder = texts.unpacked()
    return MutationTest(folder, module, tuple((SHIPPED if ships else folder) / name for ships, name in files), seconds)


def _travelling(path: Path, folder: Path) -> tuple[bool, str]:
    """Whether a file ships, and its path among those that do, or in the folder."""
    ships = is_within(path, SHIPPED)
    return ships, path.resolve().relative_to((SHIPPED if ships else folder).resolve()).as_posix()
