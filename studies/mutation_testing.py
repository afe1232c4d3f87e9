"""Mutation testing of rules: which mutants do the puzzles and saved games kill?

Cheap checks (replays, plans, legal actions, scores) come before answers by solving; the evidence that killed the mutant before
is tried first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property, partial
from pathlib import Path

from attrs import field

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, frozen
from rulewright.base.worker_pool import map_in_processes
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.rules.clauses.mutants import Mutant, mutants
from rulewright.rules.linking.project import Project

from . import expectations, snapshots
from .evidence import Evidence, EvidenceFinder
from .expectations import ExpectationFailed, Inconclusive, SolvedPuzzle
from .rule_checks import OverlapSearch, check_rules

ANSWER = "answer"
"""The only expectation that needs solving."""


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


@define
class MutationTest:
    """The mutants of a module, and the evidence that should kill them. `seconds` limits the solving of each question."""

    folder: Path
    module: str
    files: tuple[Path, ...]
    seconds: float
    _order: list[Evidence] = field(factory=list, init=False, repr=False)
    _before: dict[Path, tuple[str, ...] | None] = field(factory=dict, init=False, repr=False)
    _quickly_solved: dict[Path, bool] = field(factory=dict, init=False, repr=False)

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

    def _is_named_by(self, evidence: Evidence) -> bool:
        return self.module in evidence.rules

    @cached_property
    def _whole(self) -> list[Path]:
        """The files to link: the module alone or, where that is no game, the modules of the first evidence that are one."""
        ways = [[self.path], *([self.project.file_of(name) for name in evidence.rules] for evidence in self.evidence)]
        return next((paths for paths in ways if _is_valid(self.project, paths, may_be_part=False)), [self.path])

    def _detects(self, evidence: Evidence, project: Project) -> bool:
        """Whether evidence has other results in a project, without solving; evidence that fails unmutated detects nothing."""
        if evidence.path not in self._before:
            self._before[evidence.path] = _cheap(evidence, self.project)
        before = self._before[evidence.path]
        return before is not None and _cheap(evidence, project) != before

    def verdict(self, number: int) -> Verdict:
        """Test one mutant."""
        mutant = self.mutants[number]
        project = self.project.with_module(self.path, mutant.module)
        if not _is_valid(project, self._whole):
            return Verdict(number, MutantStatus.INVALID)
        order = self._order = self._order or list(self.evidence)
        for evidence in order:
            if self._detects(evidence, project):
                return self._killed(number, evidence)
        status = MutantStatus.SURVIVED
        for evidence in [e for e in order if self._is_quickly_solved(e)]:
            match _answer(evidence, project, self.seconds):
                case False:
                    return self._killed(number, evidence)
                case None:
                    status = MutantStatus.UNDECIDED
        return Verdict(number, status, failing=tuple(e.name for e in self.evidence if self._before.get(e.path, ()) is None))

    def _is_quickly_solved(self, evidence: Evidence) -> bool:
        """Whether the question of a puzzle is solved in half the time without a mutant; never with no time.

        Where some evidence names the module, only questions of such evidence are solved.
        """
        if self.seconds == 0:
            return False
        if evidence.path not in self._quickly_solved:
            relevant = self._is_named_by(evidence) or not any(map(self._is_named_by, self.evidence))
            asks = relevant and isinstance(evidence.content, Puzzle) and evidence.content.answer is not None
            self._quickly_solved[evidence.path] = asks and _answer(evidence, self.project, self.seconds / 2) is True
        return self._quickly_solved[evidence.path]

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


def _cheap(evidence: Evidence, project: Project) -> tuple[str, ...] | None:
    """The snapshots of a puzzle or game that need no solving; None where an expectation fails."""
    path = evidence.path
    try:
        solved = SolvedPuzzle(path, project, 0)
        is_puzzle = isinstance(evidence.content, Puzzle)
        for expectation in expectations.of_puzzle(solved) if is_puzzle else expectations.of_play(path, project):
            if expectation.name != ANSWER:
                expectation.check()
        kept = snapshots.of_puzzle(solved) if is_puzzle else snapshots.of_play(path, project)
        return tuple(record.text() for record in kept if record.name in snapshots.CHEAP)
    except (RulesError, ExpectationFailed):
        return None


def _answer(evidence: Evidence, project: Project, seconds: float) -> bool | None:
    """Whether the answer of a puzzle is the expected one; None where that is inconclusive."""
    if not isinstance(evidence.content, Puzzle):
        return True
    try:
        for expectation in expectations.of_puzzle(SolvedPuzzle(evidence.path, project, seconds)):
            if expectation.name == ANSWER:
                expectation.check()
        return True
    except Inconclusive:
        return None
    except (RulesError, ExpectationFailed):
        return False


def verdicts(test: MutationTest, workers: int) -> Iterator[Verdict]:
    """The verdicts on all mutants, in order, from one process or several."""
    numbers = range(len(test.mutants))
    if workers == 1:
        return map(test.verdict, numbers)
    make = partial(MutationTest, test.folder, test.module, test.files, test.seconds)
    return map_in_processes(make, MutationTest.verdict, numbers, workers)
