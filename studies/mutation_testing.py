"""Faults tried one by one: does any puzzle or saved game come to something else?

What is cheap is tried first (games replayed, plans, legal actions, scores), answers by solving last; the evidence that noticed
the fault before is asked first.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path

from attrs import field

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.clauses.mutants import Mutant, mutants
from rulewright.rules.linking.project import Project

from . import expectations, records
from .evidence import Evidence, Finder
from .expectations import Expectation, Solved, Undecided, Unmet
from .rule_checks import check_rules

ANSWER = "answer"
"""The one expectation that takes solving."""


class Fate(Enum):
    """What becomes of a mutant. `BROKEN` does not link or check; `UNDECIDED` was not noticed, and not all was found out."""

    BROKEN = "broken"
    NOTICED = "noticed"
    UNDECIDED = "undecided"
    SURVIVED = "survived"


@frozen
class Verdict:
    """The fate of the mutant of that number; `by` is what noticed it.

    `idle` is the evidence that can notice nothing, for it does not keep what it promises without a fault either; it is only
    known of what nothing noticed.
    """

    number: int
    fate: Fate
    by: str = ""
    idle: tuple[str, ...] = ()


@define
class Trial:
    """The mutants of a module, and the evidence that is to notice them."""

    folder: Path
    module: str
    files: tuple[Path, ...]
    seconds: float
    _order: list[Evidence] = field(factory=list, init=False, repr=False)
    _before: dict[Path, tuple[str, ...] | None] = field(factory=dict, init=False, repr=False)
    _soon: dict[Path, bool] = field(factory=dict, init=False, repr=False)

    @cached_property
    def project(self) -> Project:
        return Project(self.folder)

    @cached_property
    def path(self) -> Path:
        return self.project.file_of(self.module)

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """All of them, in the order of the text."""
        return tuple(mutants(self.project.parse(self.path)))

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """What names the module first, then what is of rules that extend it; of each, saved games first."""
        found = Finder(self.project, Catalogue(self.project)).of(self.module, self.files)
        return tuple(sorted(found, key=lambda e: (not self._is_named_by(e), isinstance(e.content, Puzzle))))

    def _is_named_by(self, evidence: Evidence) -> bool:
        return self.module in evidence.rules

    @cached_property
    def _whole(self) -> list[Path]:
        """The module; of one that is a part of games and none by itself, the first modules at hand that make one of it."""
        ways = [[self.path], *([self.project.file_of(name) for name in evidence.rules] for evidence in self.evidence)]
        return next((paths for paths in ways if _makes_sense(self.project, paths, may_be_part=False)), [self.path])

    def _tells(self, evidence: Evidence, project: Project) -> bool:
        """Whether evidence comes to something else in a project, without solving; what does not hold itself never does."""
        if evidence.path not in self._before:
            self._before[evidence.path] = _cheap(evidence, self.project)
        before = self._before[evidence.path]
        return before is not None and _cheap(evidence, project) != before

    def verdict(self, number: int) -> Verdict:
        """What becomes of a mutant."""
        mutant = self.mutants[number]
        project = self.project.with_module(self.path, mutant.module)
        if not _makes_sense(project, self._whole):
            return Verdict(number, Fate.BROKEN)
        order = self._order = self._order or list(self.evidence)
        for evidence in order:
            if self._tells(evidence, project):
                return self._noticed(number, evidence)
        fate = Fate.SURVIVED
        for evidence in [e for e in order if self._is_soon_answered(e)]:
            match _answer(evidence, project, self.seconds):
                case False:
                    return self._noticed(number, evidence)
                case None:
                    fate = Fate.UNDECIDED
        return Verdict(number, fate, idle=tuple(e.name for e in self.evidence if self._before.get(e.path, ()) is None))

    def _is_soon_answered(self, evidence: Evidence) -> bool:
        """Whether the question of a puzzle is settled in half the time without a fault; never with no time.

        Where there are puzzles that name the module, only theirs are asked.
        """
        if self.seconds == 0:
            return False
        if evidence.path not in self._soon:
            relevant = self._is_named_by(evidence) or not any(map(self._is_named_by, self.evidence))
            asks = relevant and isinstance(evidence.content, Puzzle) and evidence.content.answer is not None
            self._soon[evidence.path] = asks and _answer(evidence, self.project, self.seconds / 2) is True
        return self._soon[evidence.path]

    def _noticed(self, number: int, evidence: Evidence) -> Verdict:
        self._order = [evidence, *(other for other in self._order if other is not evidence)]
        return Verdict(number, Fate.NOTICED, evidence.name)


def _makes_sense(project: Project, paths: Sequence[Path], may_be_part: bool = True) -> bool:
    """Whether modules link and nothing is wrong with them."""
    load_part = (lambda: project.load_part(paths)) if may_be_part else None
    try:
        return not check_rules(lambda: project.load(paths), load_part, with_search=False).errors
    except RulesError:
        return False


def _cheap(evidence: Evidence, project: Project) -> tuple[str, ...] | None:
    """All that a puzzle or game comes to without solving; None when it does not keep what it promises."""
    path = evidence.path
    try:
        solved = Solved(path, project, 0)
        is_puzzle = isinstance(evidence.content, Puzzle)
        for expectation in expectations.of_puzzle(solved) if is_puzzle else expectations.of_play(path, project):
            if expectation.name != ANSWER:
                expectation.check()
        kept = records.of_puzzle(solved) if is_puzzle else records.of_play(path, project)
        return tuple(record.text() for record in kept if record.name in records.CHEAP)
    except (RulesError, Unmet):
        return None


def _answer(evidence: Evidence, project: Project, seconds: float) -> bool | None:
    """Whether the answer of a puzzle is the one it expects; None where that is not found out."""
    if not isinstance(evidence.content, Puzzle):
        return True
    asked: list[Expectation] = [e for e in expectations.of_puzzle(Solved(evidence.path, project, seconds)) if e.name == ANSWER]
    try:
        for expectation in asked:
            expectation.check()
        return True
    except Undecided:
        return None
    except (RulesError, Unmet):
        return False


def verdicts(trial: Trial, workers: int) -> Iterator[Verdict]:
    """The verdicts on all mutants, as they come, from one process or several."""
    numbers: Sequence[int] = range(len(trial.mutants))
    if workers == 1:
        yield from map(trial.verdict, numbers)
        return
    pool = ProcessPoolExecutor(
        workers, get_context("spawn"), _take_up, (trial.folder, trial.module, trial.files, trial.seconds)
    )
    try:
        yield from pool.map(_verdict, numbers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_taken_up: list[Trial] = []
"""The trial of a worker process."""


def _take_up(folder: Path, module: str, files: tuple[Path, ...], seconds: float) -> None:
    # The parent stops the work when the user interrupts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _taken_up[:] = [Trial(folder, module, files, seconds)]


def _verdict(number: int) -> Verdict:
    return _taken_up[0].verdict(number)
