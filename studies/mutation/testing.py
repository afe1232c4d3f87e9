"""Mutation testing of rules: which mutants would pytest notice?

A mutant is killed by a file whose checks give another result with it than without: an expectation fails, or a snapshot
changes. Only the snapshot of the linked rules does not count: every mutant changes it. Checks without solving run first, and
the evidence that killed the previous mutant is tried first.

The results under a mutant are compared with those under the unmutated rules.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import read_text
from rulewright.base.records import define, field, frozen
from rulewright.base.version import __version__
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.share_line import rules_digest
from rulewright.rules.clauses.mutants import Mutant, mutants
from rulewright.rules.linking.project import Project
from rulewright.studies.evidence import Evidence, EvidenceFinder
from rulewright.studies.journal import Journal
from rulewright.studies.records import snapshots
from rulewright.studies.records.expectations import ExpectationFailed, Inconclusive, linked
from rulewright.studies.records.file_checks import PLAY, FileChecks
from rulewright.studies.rule_checks import OverlapSearch, check_rules
from rulewright.workers.executor import Executor, Job

SUFFIXES = (".rules", ".puzzle", ".play")
"""The files that are modules or evidence."""


class MutantStatus(Enum):
    """`INVALID` mutants fail to link or fail the static checks; `UNDECIDED` ones survived, with some check inconclusive."""

    INVALID = auto()
    KILLED = auto()
    UNDECIDED = auto()
    SURVIVED = auto()


@frozen
class Verdict:
    """The status of mutant `number`; `by` names the evidence that killed it.

    `failing` names the evidence that fails without a mutant too and so kills none; it is empty if the mutant was killed.
    """

    number: int
    status: MutantStatus
    by: str = ""
    failing: tuple[str, ...] = ()


@define
class MutationTest:
    """The mutants of a module, and the evidence that should kill them: that in `files`, by default all evidence."""

    unmutated: Unmutated
    module: str
    files: tuple[Path, ...] = ()
    _order: list[Evidence] = field(factory=list, init=False, repr=False)

    @property
    def project(self) -> Project:
        return self.unmutated.project

    @cached_property
    def path(self) -> Path:
        return self.project.texts.find(self.module)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """The mutants in the order of the text."""
        return tuple(mutants(self.project.parse(self.path)))

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence, ordered: that naming the module first, then by the most frequent rules, and puzzles before games.

        Files about the same rules are adjacent, so these are linked once.
        """
        found = list(self.unmutated.finder.of(self.module, self.files))
        about = [one.rules for one in found]

        def place(one: Evidence) -> tuple[bool, int, tuple[str, ...], bool]:
            return self.module not in one.rules, -about.count(one.rules), one.rules, not isinstance(one.content, Puzzle)

        return tuple(sorted(found, key=place))

    @cached_property
    def dependants(self) -> tuple[Path, ...]:
        """The modules of the folder that extend the module and are not part of rules linked for evidence.

        The others need no test: if one of them does not link, the rules that contain it do not either.
        """
        if self.files:
            return ()
        finder, names = self.unmutated.finder, {name for one in self.evidence for name in one.rules}
        linked = {path for name in names for of in finder.family(name) for path in self.project.found[of]}
        return tuple(path for path in self.unmutated.extensions_of(self.module) if path not in linked)

    @cached_property
    def whole(self) -> list[Path]:
        """The files to link: the module alone or, if it is not a game, the modules of the first evidence that are one."""
        ways = [[self.path], *([self.project.texts.find(name) for name in evidence.rules] for evidence in self.evidence)]
        return next((paths for paths in ways if _is_valid(self.project, paths, may_be_part=False)), [self.path])

    def verdict(self, number: int) -> Verdict:
        """Test one mutant."""
        mutant, known = self.mutants[number], self.unmutated
        project = self.project.with_modules({self.path: mutant.module})
        if not _is_valid(project, self.whole):
            return Verdict(number, MutantStatus.INVALID)
        order = self._order = self._order or list(self.evidence)
        checks = {evidence.path: FileChecks(evidence.path, project, known.seconds) for evidence in order}
        for evidence in order:
            before = known.results(evidence.path)
            if before is not None and results_of(checks[evidence.path], solving=False) != before:
                return self._killed(number, evidence)
        for path in self.dependants:
            if not links(path, project):
                return Verdict(number, MutantStatus.KILLED, path.stem)
        status = MutantStatus.SURVIVED
        for evidence, answered in known.soon_answered(order):
            try:
                if results_of(checks[evidence.path], solving=True) != answered.results:
                    return self._killed(number, evidence)
            except Inconclusive:
                status = MutantStatus.UNDECIDED
        return Verdict(number, status, failing=tuple(e.name for e in self.evidence if e.path in known.failing))

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


@define
class MutationTests:
    """The tests of several modules of a project. Results for the unmutated rules are computed once and shared."""

    project: Project
    modules: tuple[str, ...]
    files: tuple[Path, ...]
    seconds: float

    @cached_property
    def tests(self) -> tuple[MutationTest, ...]:
        unmutated = Unmutated(self.project, self.seconds)
        return tuple(MutationTest(unmutated, module, self.files) for module in self.modules)

    def verdict(self, mutant: tuple[int, int]) -> Verdict:
        """Test a mutant, given the numbers of its module and of the mutant in it."""
        return self.tests[mutant[0]].verdict(mutant[1])

    def verdicts(self, chosen: Sequence[tuple[int, int]], executor: Executor) -> Iterator[tuple[tuple[int, int], Verdict]]:
        """Mutants, given as for `verdict`, with the verdicts on them, in order of completion."""
        own = (path for suffix in SUFFIXES for path in self.project.texts.below(suffix))
        make = partial(MutationTests, self.project.portable((*own, *self.files)), self.modules, self.files, self.seconds)
        return executor.as_completed(Job(make, MutationTests.verdict, opened=self), chosen)


# Without a mutation ---------------------------------------------------------------------------------------------------

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
    _answers: dict[Path, Answered | None] = field(factory=dict, init=False, repr=False)
    _links: dict[Path, bool] = field(factory=dict, init=False, repr=False)

    @cached_property
    def finder(self) -> EvidenceFinder:
        return EvidenceFinder(self.project)

    @cached_property
    def results(self) -> Callable[[Path], Results | None]:
        """The results of those checks of a file that need no solving; None if one fails."""
        return cache(partial(self._found, solving=False))

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


# Verdicts kept in a journal -------------------------------------------------------------------------------------------
# Each with what it depends on, so that a long run can be interrupted and resumed.
#
# A killed mutant stays killed while the rules and its killer are the same; one that survived is tried again after any change
# of the rules or the evidence.


@frozen
class KeptVerdict:
    """A verdict as kept. `key` is a digest of the mutant and the rules by which it is valid, `basis` of all else that the
    verdict depends on."""

    key: str
    module: str
    mutant: str
    status: str
    by: str
    failing: tuple[str, ...]
    basis: str

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> KeptVerdict:
        """The verdict in a JSON document. Raises `TypeError` or `ValueError` for any other document."""
        found = cls(**{**document, "failing": tuple(document.get("failing", ()))})
        if found.status not in MutantStatus.__members__:
            raise ValueError(found.status)
        return found


@define
class _TestDigests:
    """Digests of what the verdicts on the mutants of a module depend on."""

    test: MutationTest
    _rules: dict[tuple[str, ...], bytes] = field(factory=dict, init=False)

    @cached_property
    def whole(self) -> bytes:
        """The rules by which a mutant is found to be valid."""
        return rules_digest(self.test.project.modules_of(self.test.whole))

    @cached_property
    def everything(self) -> str:
        """All evidence, the modules that must link, and the seconds for each question."""
        modules = (rules_digest(self.test.project.modules_of([path])) for path in self.test.dependants)
        return _digest([*map(self._evidence, self.test.evidence), *modules, str(self.test.unmutated.seconds).encode()])

    def key(self, mutant: str) -> str:
        """The key of a mutant."""
        return _digest([__version__.encode(), self.test.module.encode(), mutant.encode(), self.whole])

    def basis(self, verdict: Verdict) -> str:
        """What a verdict depends on besides its key."""
        if verdict.status is MutantStatus.INVALID:
            return ""
        killers = [evidence for evidence in self.test.evidence if evidence.name == verdict.by]
        return _digest(map(self._evidence, killers)) if killers else self.everything

    def _evidence(self, evidence: Evidence) -> bytes:
        """A puzzle or a saved game with its rules."""
        if evidence.rules not in self._rules:
            self._rules[evidence.rules] = rules_digest(self.test.project.modules_of(evidence.rules))
        text = read_text(evidence.path, self.test.project.limits)
        return self._rules[evidence.rules] + hashlib.sha256(text.encode()).digest()


@define
class KnownVerdicts:
    """The verdicts on the mutants of some modules that a journal knows. Mutants are given as for `MutationTests.verdict`."""

    tests: MutationTests
    journal: Journal[KeptVerdict]

    @cached_property
    def _digests(self) -> tuple[_TestDigests, ...]:
        return tuple(map(_TestDigests, self.tests.tests))

    def find(self, mutant: tuple[int, int]) -> Verdict | None:
        """The known verdict on a mutant; None if there is none, or if it may have changed since."""
        at, number = mutant
        digests = self._digests[at]
        kept = self.journal.entries.get(digests.key(digests.test.mutants[number].name))
        if kept is None:
            return None
        verdict = Verdict(number, MutantStatus[kept.status], kept.by, kept.failing)
        return verdict if digests.basis(verdict) == kept.basis else None

    def add(self, mutant: tuple[int, int], verdict: Verdict) -> None:
        """Keep a verdict. Raises `OSError`."""
        digests = self._digests[mutant[0]]
        name = digests.test.mutants[verdict.number].name
        self.journal.append(
            KeptVerdict(
                digests.key(name),
                digests.test.module,
                name,
                verdict.status.name,
                verdict.by,
                verdict.failing,
                digests.basis(verdict),
            )
        )


def _digest(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]
