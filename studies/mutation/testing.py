"""Mutation testing of rules: which mutants would pytest notice?

A mutant is killed by a file whose checks give another result with it than without: an expectation fails, or a snapshot
changes. Only the snapshot of the linked rules does not count: every mutant changes it. Checks without solving run first, and
the evidence that killed the previous mutant is tried first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property, partial
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.rules.clauses.mutants import Mutant, mutants
from rulewright.rules.linking.project import Project
from rulewright.studies.evidence import Evidence
from rulewright.studies.records.expectations import Inconclusive
from rulewright.studies.records.file_checks import FileChecks
from rulewright.studies.rule_checks import OverlapSearch, check_rules
from rulewright.workers.executor import Executor, Job

from .unmutated import Unmutated, links, results_of

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
        project = self.project.with_module(self.path, mutant.module)
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
