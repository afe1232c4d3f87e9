"""Answers many puzzles independently, by any executor; each result is a plain record, which a journal keeps."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from rulewright.base.cache import program_digest
from rulewright.base.choices import Engines
from rulewright.base.deadline import limited
from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field, frozen
from rulewright.base.version import __version__, installed_version
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Answer, Puzzle, answer_text
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.share_line import rules_digest
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question
from rulewright.solver.answer.portfolio import Disagreement
from rulewright.solver.result import Limits, Result, Status
from rulewright.workers.executor import Executor, HardLimits, Job

from .alternative_plans import alternative_plans
from .verified_plan import REPLAYING, proved_answer, refutes, solve_verified

SILENT, ERROR, INTERNAL, LOST = "silent", "error", "internal", "lost"
"""Statuses without an answer: nothing is asked; the puzzle or its rules have an error; the solver contradicts itself; the
processes working on it died or exceeded their hard limits."""

BESIDES_SECONDS, BESIDES_MIB = 60.0, 512
"""Most seconds and mebibytes for play, linking, compiling and replay besides the solver's; then a process is killed."""


@frozen
class BatchLimits:
    """The limits of each answer, which takes one processor."""

    seconds: float
    memory_mib: int
    engines: Engines = Engines.SOONEST
    variant: str = ""

    @property
    def hard(self) -> HardLimits:
        """The limits at which a process is killed: well beyond those of the solver, which may run twice."""
        return HardLimits(2 * self.seconds + BESIDES_SECONDS, self.memory_mib + BESIDES_MIB)


@frozen
class PuzzleFile:
    """A puzzle as text, its path, and the key of its question under its rules."""

    path: str
    text: str
    key: str


@frozen
class PuzzleAnswer:
    """The result of a puzzle. `answer` is proved, in the notation of puzzles; `agrees` is None if nothing is expected or the
    answer is unknown. The allowed seconds and MiB tell whether more would be worth another try."""

    key: str
    file: str
    puzzle: str
    status: str
    rules: tuple[str, ...] = ()
    score: int | None = None
    bound: int | None = None
    answer: int | str | None = None
    expected: int | str | None = None
    agrees: bool | None = None
    proof: str = ""
    plan: tuple[str, ...] = ()
    states: int = 0
    seconds: float = 0.0
    allowed_seconds: float = 0.0
    allowed_mib: int = 0
    message: str = ""

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> PuzzleAnswer:
        """The answer in a JSON document. Raises `TypeError` for any other document."""
        found = cls(**document)
        return cls(**{**document, "rules": tuple(found.rules), "plan": tuple(found.plan)})

    @property
    def is_proved(self) -> bool:
        return self.status in (Status.OPTIMAL.value, Status.IMPOSSIBLE.value)

    @property
    def is_answer(self) -> bool:
        """Whether the question has an answer, proved or not."""
        return self.status not in (SILENT, ERROR, INTERNAL, LOST)

    def stands(self, limits: BatchLimits) -> bool:
        """Whether solving again would not help: it is proved, or the limits are no larger than before."""
        return self.is_proved or (limits.seconds <= self.allowed_seconds and limits.memory_mib <= self.allowed_mib)


@cache
def solving_program() -> str:
    """What answers depend on besides the question: this program, its compiler and OR-Tools."""
    rooms = ("base", "grammar", "puzzles", "rules", "solver", "subset", "studies")
    own = program_digest(*(f"rulewright.{room}" for room in rooms)) or os.urandom(16).hex()
    return " ".join((__version__, own, *map(installed_version, ("llvmlite", "ortools"))))


@define
class KeyMaker:
    """Keys of questions: digests of the puzzle, of all modules of its rules, and of everything else the answer depends on.

    That includes this program. Comments and layout are no part of a key. Limits are not part of a key either: a proved answer
    does not depend on them.
    """

    project: Project
    limits: BatchLimits
    _rules: dict[tuple[Path | str, ...], bytes] = field(factory=dict, init=False)

    def keyed(self, path: Path, text: str) -> PuzzleFile:
        """A puzzle file with its key. Raises `RulesError`."""
        puzzle = parse_puzzle(text, str(path), self.project.limits)
        digest = hashlib.sha256(print_puzzle(puzzle).encode())
        digest.update(self._digest(puzzle, path))
        digest.update(f"\0{self.limits.engines.value}\0{solving_program()}".encode())
        return PuzzleFile(str(path), text, digest.hexdigest()[:32])

    def _digest(self, puzzle: Puzzle, path: Path) -> bytes:
        named = [self.project.texts.find(name, span, path.parent) for name, span in puzzle.rules]
        more = [name.strip() for name in self.limits.variant.split("+") if name.strip()]
        key: tuple[Path | str, ...] = (*named, *more)
        if key not in self._rules:
            self._rules[key] = rules_digest(self.project.modules_of(key))
        return self._rules[key]


@define
class BatchSolver:
    """Answers puzzles under the rules of a project."""

    project: Project
    limits: BatchLimits

    def answer(self, file: PuzzleFile) -> PuzzleAnswer:
        """The answer, with its plan verified; errors are part of the answer, and never raised."""
        try:
            puzzle = parse_puzzle(file.text, file.path, self.project.limits)
        except RulesError as error:
            return _failed(file, Path(file.path).stem, ERROR, error)
        try:
            with limited(self.limits.seconds + REPLAYING, "the puzzle was set up and answered"):
                return self._answer(file, puzzle)
        except RulesError as error:
            return _failed(file, puzzle.name, ERROR, error)
        except (Disagreement, AssertionError) as error:
            return _failed(file, puzzle.name, INTERNAL, error)

    def _answer(self, file: PuzzleFile, puzzle: Puzzle) -> PuzzleAnswer:
        game = self.project.load_names(puzzle.rules, Path(file.path).parent, self.limits.variant)
        position = set_up_position(puzzle, game)
        question = position.question
        if question is None:
            return PuzzleAnswer(file.key, file.path, puzzle.name, SILENT)
        engine, root = position.asked, position.root
        limits = Limits(self.limits.seconds, 1, self.limits.memory_mib, self.limits.engines)
        result, steps = solve_verified(engine, root, question, limits)
        number = None
        if question.counts_plans and result.status is Status.OPTIMAL:
            others = alternative_plans(engine, root, question, result, 0, limits, False)
            number = others.number
        expected = None if self.limits.variant else puzzle.answer
        return PuzzleAnswer(
            key=file.key,
            file=file.path,
            puzzle=puzzle.name,
            status=result.status.value,
            rules=game.roots,
            score=result.score,
            bound=result.bound,
            answer=_data(proved_answer(result, question, number)),
            expected=_data(expected),
            agrees=_agrees(result, question, expected, number),
            proof=result.proof,
            plan=tuple(step.text for step in steps),
            states=result.states,
            seconds=round(result.seconds, 3),
            allowed_seconds=self.limits.seconds,
            allowed_mib=self.limits.memory_mib,
        )


def answers(solver: BatchSolver, puzzles: Iterable[PuzzleFile], executor: Executor) -> Iterator[PuzzleAnswer]:
    """Yields the answers as they are found."""
    make = partial(BatchSolver, solver.project.portable(), solver.limits)
    job = Job(make, BatchSolver.answer, _lost, solver.limits.hard, solver)
    for _, answer in executor.as_completed(job, puzzles):
        yield answer


def refused(path: Path, error: RulesError) -> PuzzleAnswer:
    """The record of a puzzle without a key, whose text or rules have an error."""
    return _failed(PuzzleFile(str(path), "", ""), path.stem, ERROR, error)


def _failed(file: PuzzleFile, name: str, status: str, error: Exception) -> PuzzleAnswer:
    said = error.summary if isinstance(error, RulesError) else str(error)
    return PuzzleAnswer(file.key, file.path, name, status, message=said or type(error).__name__)


def _lost(file: PuzzleFile, reason: str) -> PuzzleAnswer:
    return PuzzleAnswer(file.key, file.path, Path(file.path).stem, LOST, message=reason)


def _agrees(result: Result, question: Question, expected: Answer | None, number: int | None) -> bool | None:
    if expected is None:
        return None
    if refutes(result, question, expected, number):
        return False
    return None if proved_answer(result, question, number) is None else True


def _data(answer: Answer | None) -> int | str | None:
    return answer if answer is None or isinstance(answer, int) else answer_text(answer)
