"""`rulewright trace`: traceability from the clauses of a rulebook to rules, and from rules to puzzles and games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from rulewright.api.named import PUZZLE
from rulewright.base.diagnostics import usage_error
from rulewright.base.input_files import display_path, is_within
from rulewright.base.named_texts import is_path
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents import rules as documents
from rulewright.cli.documents.document import document_of
from rulewright.cli.names import PLAY, current_project, named_files
from rulewright.cli.views.output import Exit, Output, say_diagnostics
from rulewright.rules.linking.project import Project
from rulewright.studies.clause_traceability import KINDS, Gap, Row, Trace, traces
from rulewright.studies.evidence import EvidenceFinder

from .tree import origin


def show_traces(modules: Sequence[str], on: Sequence[str], all: bool, output: Output) -> int:
    """Print the gaps of each module, with `all` also every clause of its rulebook. Exit status 1 if a gap has no reason."""
    finder = EvidenceFinder(current_project())
    found = list(traces(module_names(finder.project, modules), finder, evidence_files(on, finder)))
    is_lacking = any(trace.unexplained or trace.outdated for trace in found)  # first: a file of gaps may be refused
    output.document(documents.Trace, modules=map(_module, found), left_out=finder.faults)
    say_diagnostics(finder.faults, output)
    output.blocks(trace_lines(trace, all) for trace in found)
    return Exit.NO if is_lacking else Exit.YES


def module_names(project: Project, arguments: Sequence[str]) -> list[str]:
    """The modules named by arguments, by path or name; `A+B` names two, a folder such as `rules/` all modules in it."""
    return list(dict.fromkeys(name for argument in arguments for name in _modules_of(project, argument)))


def _modules_of(project: Project, argument: str) -> Sequence[str]:
    folder = Path(argument)
    if not (is_path(argument) and folder.is_dir()):
        return project.combine(argument).roots
    found = sorted(name for name, paths in project.found.items() if any(is_within(path, folder) for path in paths))
    if not found:
        raise usage_error(f"there is no module in `{escape(argument)}`")
    return found


def evidence_files(on: Sequence[str], finder: EvidenceFinder) -> list[Path]:
    """The puzzles and saved games that `--on` names; empty without it."""
    paths = list(dict.fromkeys(chain.from_iterable(named_files(on, (PUZZLE, PLAY), finder.catalogue).values())))
    if on and not paths:
        raise usage_error(f"there is no puzzle or saved game in {', '.join(f'`{escape(name)}`' for name in on)}")
    return paths


def count_evidence(found: Sequence[object]) -> str:
    """`1 puzzle or game`, `3 puzzles and games`."""
    return counted(len(found), "puzzle or game", "puzzles and games")


# For people -----------------------------------------------------------------------------------------------------------


def trace_lines(trace: Trace, all: bool) -> Iterator[Line]:
    """The gaps by kind, those with a reason last; before them, with `all`, the clauses of the rulebook."""
    what = [count_evidence(trace.found)]
    if trace.rows:
        what.append(counted(len(trace.rows), "clause") + " of its rulebook")
    yield line(Styled(escape(trace.module), Style.STRONG), f"  {', '.join(what)}")
    if all and trace.rows:
        yield line()
        yield from (_row_line(row) for row in trace.rows)
    for kind, title in KINDS.items():
        gaps = [gap for gap in trace.gaps if gap.kind == kind]
        if gaps:
            yield line()
            yield line(Styled(title, Style.STRONG))
            yield from map(gap_line, sorted(gaps, key=lambda gap: bool(gap.reason)))
    if trace.outdated:
        yield line()
        yield line(Styled("listed as missing, but present", Style.STRONG))
        yield from (line("  ", escape(name)) for name in trace.outdated)
    if not trace.gaps and not trace.outdated:
        yield line("  nothing is missing")


def gap_line(gap: Gap) -> Line:
    """A gap with its place or its reason."""
    name = f"  {escape(gap.name)}  "
    if gap.reason:
        return line(name, Styled(escape(gap.reason), Style.FAINT))
    where = origin(gap.clause) if gap.clause else f"{display_path(gap.entry.path)}:{gap.entry.line}" if gap.entry else ""
    return line(name, Styled(where, Style.FAINT))


def _row_line(row: Row) -> Line:
    """A clause of the rulebook with the rules that cite it and the number of their puzzles and games, or why none does."""
    entry = row.entry
    if row.clauses:
        said = f"{', '.join(clause.name for clause in row.clauses)}  {count_evidence(row.shown_by)}"
    elif entry.no_rule:
        said = f"no rule: {entry.no_rule}"
    elif entry.settles:
        said = f"settles {', '.join(entry.settles)}"
    else:
        said = f"as {', '.join(entry.same)}" if entry.same else "no rule"
    return line(f"  {escape(entry.name)}  ", Styled(escape(said), Style.FAINT))


# For scripts ----------------------------------------------------------------------------------------------------------


def _module(trace: Trace) -> documents.TracedModule:
    return document_of(documents.TracedModule, trace, evidence=[evidence for evidence, _ in trace.found])
