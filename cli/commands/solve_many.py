"""`rulewright solve --many`: answers many puzzles in parallel, one per worker, each only once over repeated runs.

Every answer is appended to a journal as it is found. A question answered there, under the same rules, is not solved again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.api.named import PUZZLE
from rulewright.base.diagnostics import RulesError, file_error
from rulewright.base.ending import until_stopped
from rulewright.base.input_files import display_path, files_below, read_text
from rulewright.base.records import define, evolve, field
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.answers import SolveMany
from rulewright.cli.names import current_project, is_folder, project_of
from rulewright.cli.option_types import limits_of_call
from rulewright.cli.views.output import Exit, Output, track
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.result import Status
from rulewright.studies import batch_solving
from rulewright.studies.batch_solving import BatchLimits, BatchSolver, KeyMaker, PuzzleAnswer, PuzzleFile, refused
from rulewright.studies.journal import Journal
from rulewright.workers.executor import Executor

from .mutate import open_journal

JOURNAL = "answers.jsonl"
"""The journal's name, in the folder of puzzles."""

MOST_FILES = 1_000_000
"""The maximum number of puzzles named at a time: they are read one by one."""


@define
class BatchRun:
    """The puzzles of a run. `known` are those with valid answers in the journal; puzzles without a key are reported to
    `told` at once."""

    keys: KeyMaker
    paths: Sequence[Path]
    journal: Journal[PuzzleAnswer]
    again: bool
    known: list[PuzzleAnswer] = field(factory=list)
    told: list[PuzzleAnswer] = field(factory=list)
    _asked: set[str] = field(factory=set)

    def to_ask(self) -> Iterator[PuzzleFile]:
        """The puzzles to answer now; files with the same question are solved once."""
        for path in self.paths:
            try:
                file = self.keys.keyed(path, read_text(path, self.keys.project.limits))
            except RulesError as error:
                self.told.append(refused(path, error))
                continue
            answer = self.journal.entries.get(file.key)
            if file.key in self._asked:
                continue
            self._asked.add(file.key)
            if answer is not None and not self.again and answer.stands(self.keys.limits):
                self.known.append(evolve(answer, file=file.path))
            else:
                yield file

    def pending(self) -> list[tuple[PuzzleAnswer, bool]]:
        """The answers that became known without solving since the last call, and whether each was in the journal."""
        found = [(answer, True) for answer in self.known] + [(answer, False) for answer in self.told]
        self.known.clear()
        self.told.clear()
        return found


def solve_many(
    names: Sequence[str], limits: BatchLimits, again: bool, journal: Path | None, executor: Executor, output: Output
) -> int:
    """Answer every named puzzle and those in named folders; print a line for each, with `--json` a document per line."""
    project, paths = _puzzles(names)
    path = journal or next((Path(name) for name in names if is_folder(name)), Path()) / JOURNAL
    solver, counts = BatchSolver(project, limits), Counter[str]()
    with open_journal(path, PuzzleAnswer.from_json, "answers", output) as answers, executor:
        run = BatchRun(KeyMaker(project, limits), paths, answers, again)
        for answer, was_known in until_stopped(track(_told(run, solver, executor), len(paths), "solving", output)):
            _tell(answer, was_known, output)
            counts.update(_kinds(answer, was_known))
    output.say(_summary(counts, display_path(path)))
    return _exit(counts)


def _puzzles(names: Sequence[str]) -> tuple[Project, list[Path]]:
    """The files, each once, and the project for their rules: that of the first folder or file."""
    limits = evolve(limits_of_call(), files=MOST_FILES)
    first = Path(names[0])
    project = project_of(first if is_folder(names[0]) else first.parent) if first.exists() else current_project()
    catalogue = Catalogue(project)
    paths: dict[Path, None] = {}
    for name in names:
        found = list(files_below(Path(name), PUZZLE, limits)) if is_folder(name) else [catalogue.texts.find(name)]
        if not found:
            raise file_error(f"there is no `*{PUZZLE}` file in `{display_path(name)}`")
        paths |= dict.fromkeys(found)
    return project, list(paths)


def _told(run: BatchRun, solver: BatchSolver, executor: Executor) -> Iterator[tuple[PuzzleAnswer, bool]]:
    """The answers as they are found, each written to the journal before it is reported, and whether it was known."""
    for answer in batch_solving.answers(solver, run.to_ask(), executor):
        if answer.is_answer:
            run.journal.append(answer)
        yield from run.pending()
        yield answer, False
    yield from run.pending()


def _tell(answer: PuzzleAnswer, was_known: bool, output: Output) -> None:
    output.document(SolveMany, answer, known=was_known)
    if answer.status != batch_solving.SILENT:
        output.line(*_line(answer, was_known))


def _line(answer: PuzzleAnswer, was_known: bool) -> Line:
    """`narrows  optimal, 8  (16 states, 0.01 s)`"""
    parts: list[str | Styled] = [Styled(escape(answer.puzzle), Style.STRONG), "  "]
    if not answer.is_answer:
        return line(
            *parts, Styled(answer.status, Style.ERROR), f"  {escape(display_path(answer.file))}: {escape(answer.message)}"
        )
    style = Style.GOOD if answer.is_proved else Style.WARNING
    parts.append(Styled(answer.status, style))
    if answer.status == Status.OPTIMAL.value:
        parts.append(f", {answer.answer if answer.answer is not None else answer.score}")
    elif answer.status == Status.FEASIBLE.value:
        parts.append(f", best {answer.score}, bound {'not known' if answer.bound is None else answer.bound}")
    parts.append("  (known)" if was_known else f"  ({counted(answer.states, 'state')}, {answer.seconds:.2f} s)")
    if answer.agrees is False:
        parts.append(Styled(f"  the puzzle expects {answer.expected}", Style.WARNING))
    return line(*parts)


def _kinds(answer: PuzzleAnswer, was_known: bool) -> Iterator[str]:
    """The categories that an answer counts towards."""
    yield answer.status
    if was_known:
        yield "known"
    if answer.agrees is False:
        yield "unexpected"
    if answer.is_answer and answer.answer is None:
        yield "unproved"
    elif answer.agrees is None and answer.expected is None and answer.status == Status.IMPOSSIBLE.value:
        yield "unexpected"


def _summary(counts: Counter[str], journal: str) -> str:
    statuses = [status.value for status in Status]
    total = sum(counts[status] for status in statuses)
    parts = [f"{counts[status]} {status}" for status in statuses if counts[status]]
    said = f"answered {counted(total, 'puzzle')}" + (f": {', '.join(parts)}" if parts else "")
    more = {
        "known": f"already in `{escape(journal)}`",
        "unexpected": "not as expected",
        batch_solving.SILENT: "without a question",
        batch_solving.ERROR: "with errors",
        batch_solving.LOST: "given up",
        batch_solving.INTERNAL: "contradictory",
    }
    return "; ".join([said, *(f"{counts[kind]} {words}" for kind, words in more.items() if counts[kind])])


def _exit(counts: Counter[str]) -> Exit:
    statuses = {
        batch_solving.INTERNAL: Exit.BUG,
        batch_solving.ERROR: Exit.WRONG,
        batch_solving.LOST: Exit.WRONG,
        "unexpected": Exit.NO,
        "unproved": Exit.UNPROVED,
    }
    return Exit.worst(status for kind, status in statuses.items() if counts[kind])
