"""A run: numbered attempts, distributed by an executor, until there are enough puzzles. The result does not depend on the
workers.

Attempts are processed in order, whichever worker finishes first; duplicates of earlier puzzles are dropped, and the others
selected for a varied set.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import count
from pathlib import Path

from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import define, field
from rulewright.puzzles.share_line import rules_digest, write_share_line
from rulewright.rules.linking.project import Project
from rulewright.workers.executor import Executor, Job

from .commission import Commission
from .journal import ENOUGH, SURE, Entry, Journal, is_hopeless
from .maker import Attempt, MadePuzzle, Maker, lost_attempt
from .proof import Fault
from .variety import WrittenPuzzle
from .wording import MADE_BY, file_text, greedy_text, named, stem_of, worth_text

PATIENCE = 12
"""After this many attempts from the set-up without a puzzle, play starts from known positions."""


@define(eq=False)
class MakingRun:
    """Makes `wanted` puzzles of a commission into a folder, including those already there."""

    project: Project
    commission: Commission
    folder: Path
    wanted: int
    prefix: str = ""
    journal: Journal = field(init=False)
    _digest: bytes = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.journal = Journal.of(self.folder, self.commission)
        self._digest = rules_digest(self.project.modules_of("+".join(self.commission.rules)))

    @property
    def stem(self) -> str:
        """The stem of the puzzles' names."""
        return self.prefix if self.prefix else stem_of(self.commission.rules)

    @property
    def missing(self) -> int:
        """The number of puzzles still wanted."""
        return max(0, self.wanted - len(self.journal.made))

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing has been made, and further attempts are hopeless."""
        sure = ENOUGH if self.commission.elsewhere else SURE
        return not self.journal.made and is_hopeless(self.journal.faults, sure)

    def go(self, executor: Executor, seconds: float) -> Iterator[WrittenPuzzle | None]:
        """Continue until there are enough puzzles, the time is up, or the run is hopeless; yields what each attempt adds so
        far.

        Raises `RulesError` if the rules do not link, and `WorkersLost`.
        """
        deadline = time.monotonic() + seconds
        if not self.missing:
            return
        make = partial(Maker, self.project.portable(), self.commission)
        for is_elsewhere, attempt_of in ((False, Maker.attempt), (True, Maker.attempt_elsewhere)):
            if self._is_elsewhere(len(self.journal.entries)) is not is_elsewhere:
                continue
            job = Job(make, attempt_of, lost_attempt, self.commission.hard_limits, self._maker)
            for attempt in executor.in_order(job, count(len(self.journal.entries))):
                yield self._noted(attempt)
                if not self.missing or time.monotonic() > deadline or self.is_hopeless:
                    return
                if self._is_elsewhere(attempt.number + 1) is not is_elsewhere:
                    break

    @cached_property
    def _maker(self) -> Maker:
        return Maker(self.project, self.commission)

    @cached_property
    def _begins(self) -> bool:
        return self._maker.can_begin

    def _is_elsewhere(self, number: int) -> bool:
        """Whether an attempt starts from a known position: the set-up leaves no choice, or has produced nothing."""
        if not self.commission.elsewhere:
            return False
        return not self._begins or (number >= PATIENCE and not any(one.puzzles for one in self.journal.entries[:PATIENCE]))

    def commission_of(self, number: int) -> Commission:
        """The commission of an attempt."""
        elsewhere = self.commission.elsewhere
        return elsewhere[number % len(elsewhere)] if self._is_elsewhere(number) else self.commission

    def file_of(self, name: str) -> Path:
        """The file of a puzzle of this run."""
        return self.folder / f"{name}.puzzle"

    def _noted(self, attempt: Attempt) -> WrittenPuzzle | None:
        """The puzzle kept now, written to its file; only then is the attempt recorded."""
        puzzles = tuple(self._written(made, attempt.number) for made in self._new(attempt.made))
        fault = attempt.fault if attempt.fault is not None or puzzles else Fault.TWICE
        kept = self.journal.selection.offer(puzzles)
        if kept is not None:
            self._write(kept.puzzle, kept.text)
        self.journal.add(Entry(attempt.number, fault.name if fault is not None else "", puzzles))
        return kept

    def _new(self, made: tuple[MadePuzzle, ...]) -> Iterator[MadePuzzle]:
        return (one for one in made if not self.journal.selection.holds(one.canonical))

    def _written(self, made: MadePuzzle, attempt: int) -> WrittenPuzzle:
        name = f"{self.stem}_{self.commission.seed}_{attempt}"
        commission = self.commission_of(attempt)
        puzzle = named(made, name, commission)
        return WrittenPuzzle(
            attempt,
            name,
            made.canonical,
            made.grade.number,
            worth_text(made, made.proof.optimum),
            f"{greedy_text(made)}, second best key {worth_text(made, made.proof.second)}",
            write_share_line(puzzle, self._digest),
            made.traits,
            file_text(made, puzzle, commission, attempt),
        )

    def _write(self, name: str, text: str) -> None:
        path = self.file_of(name)
        try:
            if path.exists() and not path.read_text("utf-8").startswith(MADE_BY):
                raise OSError("a file with this name already exists and was not made by this run")
            write_atomically(path, text)
        except (OSError, UnicodeDecodeError) as error:
            message = f"`{path}` cannot be written: {error}"
            raise RulesError((Diagnostic("file", message, help="choose another folder with `--out FOLDER`"),)) from error
