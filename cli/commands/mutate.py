"""`rulewright mutate`: the mutants of a module that no puzzle or saved game kills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from rulewright.base.diagnostics import file_error, usage_error
from rulewright.base.ending import is_stopped, until_stopped
from rulewright.base.input_files import display_path
from rulewright.base.records import define, frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.rules import Mutate, MutatedModule, Survivor
from rulewright.cli.names import current_project
from rulewright.cli.views.output import Exit, Output, track
from rulewright.cli.views.paths import check_writable
from rulewright.rules.clauses.mutants import Mutant
from rulewright.studies.evidence import EvidenceFinder
from rulewright.studies.journal import Journal, JournalInUse, Kept, NoJournal
from rulewright.studies.known_gaps import Analysis, known_gaps
from rulewright.studies.mutation.testing import KeptVerdict, KnownVerdicts, MutantStatus, MutationTest, MutationTests, Verdict
from rulewright.workers.executor import Executor

from .trace import count_evidence, evidence_files, module_names

# Journals named on the command line -----------------------------------------------------------------------------------
# Journals named on the command line, opened with errors in the user's words.


@contextmanager
def open_journal(path: Path, from_json: Callable[[dict[str, Any]], Kept], what: str, output: Output) -> Iterator[Journal[Kept]]:
    """A journal of `what`, a word in the plural; skipped lines are mentioned. Raises `RulesError`."""
    check_writable(path)
    try:
        with Journal(path, from_json) as journal:
            yield journal
    except JournalInUse:
        raise usage_error(
            f"another run is writing to `{display_path(path)}`", "wait for it, or use another `--journal`"
        ) from None
    except NoJournal:
        raise file_error(f"`{display_path(path)}` is not a journal of {what}", "choose another file with `--journal`") from None
    if journal.unread:
        output.say(Styled("skipped", Style.WARNING), f" {counted(journal.unread, 'line')} of `{display_path(path)}`: no {what}")


# `rulewright mutate` --------------------------------------------------------------------------------------------------


Numbers = tuple[int, int]
"""A mutant by the numbers of its module and its own."""


@frozen
class Sample:
    """The number of mutants tried of all modules together (None: all), and the seed of the sample.

    A sample contains the smaller ones of the same seed.
    """

    size: int | None = None
    seed: int = 1

    def of(self, tests: Sequence[MutationTest]) -> list[Numbers]:
        """The sampled mutants by the numbers of their tests and their own, in order."""
        every = [(at, number) for at, test in enumerate(tests) for number in range(len(test.mutants))]
        if self.size is None:
            return every
        Random(self.seed).shuffle(every)
        return sorted(every[: self.size])


@define
class MutationReport:
    """The verdicts on the mutants of a module; with a sample or after an interrupt, only on those tried."""

    test: MutationTest
    verdicts: Sequence[Verdict]

    @cached_property
    def statuses(self) -> Counter[MutantStatus]:
        return Counter(verdict.status for verdict in self.verdicts)

    @property
    def tried(self) -> int:
        """The number of tried mutants that are valid rules."""
        return len(self.verdicts) - self.statuses[MutantStatus.INVALID]

    @cached_property
    def known(self) -> Mapping[str, str]:
        """The known reasons of survivors by name."""
        return known_gaps(self.test.project, self.test.module, Analysis.MUTATION)

    @cached_property
    def survivors(self) -> tuple[tuple[Mutant, MutantStatus, str], ...]:
        """The mutants that were not killed, with the known reason, if any."""
        unnoticed = [verdict for verdict in self.verdicts if verdict.status in (MutantStatus.SURVIVED, MutantStatus.UNDECIDED)]
        mutants = self.test.mutants
        return tuple((mutants[v.number], v.status, self.known.get(mutants[v.number].name, "")) for v in unnoticed)

    @property
    def failing(self) -> tuple[str, ...]:
        """The evidence that fails even without a mutation."""
        return tuple(dict.fromkeys(name for verdict in self.verdicts for name in verdict.failing))

    @property
    def outdated(self) -> tuple[str, ...]:
        """The known survivors that are now killed, or no longer mutants."""
        mutants = self.test.mutants
        untried = {mutant.name for mutant in mutants} - {mutants[verdict.number].name for verdict in self.verdicts}
        return tuple(sorted(set(self.known) - untried - {mutant.name for mutant, _, _ in self.survivors}))


def show_mutants(
    modules: Sequence[str],
    on: Sequence[str],
    sample: Sample,
    seconds: float,
    journal: Path | None,
    executor: Executor,
    output: Output,
) -> int:
    """Print the surviving mutants of each module. Exit status 1 if one has no known reason."""
    project = current_project()
    files = tuple(path.resolve() for path in evidence_files(on, EvidenceFinder(project)))
    every = MutationTests(project, tuple(module_names(project, modules)), files, seconds)
    found: list[tuple[Numbers, Verdict]] = []
    with open_journal(journal, KeptVerdict.from_json, "verdicts", output) if journal else nullcontext() as kept, executor:
        chosen = sample.of(every.tests)
        known = None if kept is None else KnownVerdicts(every, kept)
        verdicts = _verdicts(every, chosen, known, executor)
        found += until_stopped(track(verdicts, len(chosen), "mutating the rules", output))
    found.sort(key=lambda one: one[0])
    tried = [(test, [verdict for (of, _), verdict in found if of == at]) for at, test in enumerate(every.tests)]
    reports = [MutationReport(test, verdicts) for test, verdicts in tried if verdicts or not (sample.size or is_stopped())]
    if len(reports) > 1:
        noticed = sum(report.statuses[MutantStatus.KILLED] for report in reports)
        output.say(f"together {noticed} of {counted(sum(report.tried for report in reports), 'mutant')} noticed")
    output.document(Mutate, modules=map(_module, reports))
    output.blocks(map(report_lines, reports))
    wanting = any(report.outdated or not all(reason for _, _, reason in report.survivors) for report in reports)
    return Exit.NO if wanting else Exit.YES


def _verdicts(
    every: MutationTests, chosen: Sequence[Numbers], known: KnownVerdicts | None, executor: Executor
) -> Iterator[tuple[Numbers, Verdict]]:
    """The verdicts on mutants: first the known ones, then the others, each kept as soon as it is found."""
    asked: list[Numbers] = []
    for mutant in chosen:
        verdict = None if known is None else known.find(mutant)
        if verdict is None:
            asked.append(mutant)
        else:
            yield mutant, verdict
    for mutant, verdict in every.verdicts(asked, executor):
        if known is not None:
            known.add(mutant, verdict)
        yield mutant, verdict


def report_lines(report: MutationReport) -> Iterator[Line]:
    """The number of mutants killed, and the survivors, those with a known reason last."""
    noticed, tried, broken = report.statuses[MutantStatus.KILLED], report.tried, report.statuses[MutantStatus.INVALID]
    share = f" ({100 * noticed / tried:.1f} %)" if tried else ""
    yield line(
        Styled(escape(report.test.module), Style.STRONG),
        f"  {noticed} of {counted(tried, 'mutant')} noticed{share}, by {count_evidence(report.test.evidence)}"
        f"; {broken} more do not link",
    )
    for mutant, status, reason in sorted(report.survivors, key=lambda survivor: bool(survivor[2])):
        where = f"{Path(mutant.span.source).name}:{mutant.span.line}"
        undecided = " (some answers were not proved in time)" if status is MutantStatus.UNDECIDED else ""
        yield line(f"  {escape(mutant.name)}  ", Styled(escape(reason or where + undecided), Style.FAINT))
    if report.failing:
        yield line(Styled("fails even without a mutation", Style.WARNING), f": {escape(', '.join(report.failing))}")
    if report.outdated:
        yield line(Styled("listed as unnoticed, but noticed", Style.STRONG))
        yield from (line("  ", escape(name)) for name in report.outdated)


def _module(report: MutationReport) -> MutatedModule:
    return document_of(
        MutatedModule,
        report,
        evidence=[evidence.name for evidence in report.test.evidence],
        mutants=len(report.verdicts),
        broken=report.statuses[MutantStatus.INVALID],
        noticed=report.statuses[MutantStatus.KILLED],
        survivors=[
            document_of(Survivor, mutant, decided=status is MutantStatus.SURVIVED, reason=reason or None)
            for mutant, status, reason in report.survivors
        ],
    )
