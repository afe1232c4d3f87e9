"""`rulewright mutate`: faults that no puzzle or saved game of a module notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rulewright.base.input_files import is_within
from rulewright.base.records import define
from rulewright.cli.interrupts import noticing_interrupts
from rulewright.cli.limits import limits_of_call
from rulewright.cli.views.output import Exit, Output
from rulewright.cli.views.paths import display_path
from rulewright.cli.views.progress import track
from rulewright.cli.views.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.clauses.mutants import Mutant
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.studies.evidence import Finder
from rulewright.studies.known_gaps import Of, known_gaps
from rulewright.studies.mutation_testing import Fate, Trial, Verdict, verdicts

from .trace import count_evidence, evidence_files, module_names


@define
class Outcome:
    """What became of the mutants of a module; of an interrupted trial, of those that were tried."""

    trial: Trial
    verdicts: Sequence[Verdict]

    @cached_property
    def fates(self) -> Counter[Fate]:
        return Counter(verdict.fate for verdict in self.verdicts)

    @property
    def tried(self) -> int:
        """How many make sense as rules."""
        return len(self.verdicts) - self.fates[Fate.BROKEN]

    @cached_property
    def known(self) -> Mapping[str, str]:
        """Why some are not noticed, as far as somebody has said so."""
        root = SHIPPED if is_within(self.trial.path, SHIPPED) else self.trial.folder
        return known_gaps(self.trial.path, root, Of.MUTATE, self.trial.module)

    @cached_property
    def survivors(self) -> tuple[tuple[Mutant, Fate, str], ...]:
        """What was not noticed, with the reason if there is one."""
        unnoticed = [verdict for verdict in self.verdicts if verdict.fate in (Fate.SURVIVED, Fate.UNDECIDED)]
        mutants = self.trial.mutants
        return tuple((mutants[v.number], v.fate, self.known.get(mutants[v.number].name, "")) for v in unnoticed)

    @property
    def idle(self) -> tuple[str, ...]:
        """The evidence that does not hold itself, as far as that was seen."""
        return tuple(dict.fromkeys(name for verdict in self.verdicts for name in verdict.idle))

    @property
    def outdated(self) -> tuple[str, ...]:
        """What is said not to be noticed and is."""
        return tuple(sorted(set(self.known) - {mutant.name for mutant, _, _ in self.survivors}))


def show_mutants(modules: Sequence[str], on: Sequence[str], seconds: float, workers: int, output: Output) -> int:
    """Print which mutants of each module nothing notices. 1 when there is one without a reason."""
    project = Project(Path.cwd(), limits_of_call())
    files = tuple(path.resolve() for path in evidence_files(on, Finder(project, Catalogue(project))))
    names = [name for said in modules for name in module_names(project, said)]
    outcomes: list[Outcome] = []
    with noticing_interrupts() as interrupted:
        for name in names:
            trial = Trial(project.folder, name, files, seconds)
            found: list[Verdict] = []
            outcomes.append(Outcome(trial, found))
            for verdict in track(verdicts(trial, workers), len(trial.mutants), f"changing {name}", output):
                found.append(verdict)
    output.document({"modules": [_as_json(outcome) for outcome in outcomes]})
    for number, outcome in enumerate(outcomes):
        output.lines([line()] if number else [])
        output.lines(outcome_lines(outcome))
    if interrupted.happened:
        return Exit.INTERRUPTED
    wanting = any(outcome.outdated or not all(reason for _, _, reason in outcome.survivors) for outcome in outcomes)
    return Exit.NO if wanting else Exit.YES


def outcome_lines(outcome: Outcome) -> Iterator[Line]:
    """How many were noticed, and those that were not, what has a reason last."""
    noticed, tried, broken = outcome.fates[Fate.NOTICED], outcome.tried, outcome.fates[Fate.BROKEN]
    share = f" ({100 * noticed / tried:.1f} %)" if tried else ""
    yield line(
        Styled(escape(outcome.trial.module), Style.STRONG),
        f"  {noticed} of {counted(tried, 'mutant')} noticed{share}, by {count_evidence(outcome.trial.evidence)}"
        f"; {broken} more make no rules",
    )
    for mutant, fate, reason in sorted(outcome.survivors, key=lambda survivor: bool(survivor[2])):
        where = f"{Path(mutant.span.source).name}:{mutant.span.line}"
        undecided = " (not all answers were proved in time)" if fate is Fate.UNDECIDED else ""
        yield line(f"  {escape(mutant.name)}  ", Styled(escape(reason or where + undecided), Style.FAINT))
    if outcome.idle:
        yield line(Styled("does not hold without a fault either", Style.WARNING), f": {escape(', '.join(outcome.idle))}")
    if outcome.outdated:
        yield line(Styled("said not to be noticed, and noticed", Style.STRONG))
        yield from (line("  ", escape(name)) for name in outcome.outdated)


def _as_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "module": outcome.trial.module,
        "evidence": [evidence.name for evidence in outcome.trial.evidence],
        "mutants": len(outcome.verdicts),
        "broken": outcome.fates[Fate.BROKEN],
        "noticed": outcome.fates[Fate.NOTICED],
        "survivors": [
            {
                "name": mutant.name,
                "clause": mutant.clause,
                "change": mutant.change,
                "file": display_path(mutant.span.source),
                "line": mutant.span.line,
                "decided": fate is Fate.SURVIVED,
                "reason": reason or None,
            }
            for mutant, fate, reason in outcome.survivors
        ],
        "outdated": list(outcome.outdated),
        "idle": list(outcome.idle),
    }
