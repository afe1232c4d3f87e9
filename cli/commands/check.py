"""`rulewright check`: the static checks of modules and puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.api.named import PUZZLE, RULES, Named
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import define, evolve, field
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, escaped_path, line
from rulewright.cli.documents.common import Errors
from rulewright.cli.documents.rules import Check
from rulewright.cli.names import all_named, named
from rulewright.cli.views.output import Exit, Output, say_diagnostics
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import ExpectedWarning
from rulewright.studies.rule_checks import RuleFindings, check_rules


@define
class _Findings:
    """The findings without duplicates. `positions` are puzzles in which exceptions overlap; `expected` are expected
    warnings."""

    errors: dict[Diagnostic, None] = field(factory=dict)
    warnings: dict[Diagnostic, None] = field(factory=dict)
    positions: dict[str, None] = field(factory=dict)
    expected: dict[ExpectedWarning, None] = field(factory=dict)

    def add(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            (self.warnings if diagnostic.warning else self.errors)[diagnostic] = None


def check_all(names: Sequence[str], with_expected: bool, output: Output) -> int:
    """Check the syntax, links, types, positions and whole game of each file or name."""
    findings = _Findings()
    projects: dict[Path, Project] = {}
    sessions = [session for name in names for session in all_named(name, (RULES, PUZZLE)) or [named(name)]]
    for session in sessions:
        session.project = projects.setdefault(session.project.folder, session.project)
        try:
            found = _check(session)
            diagnostics = found.diagnostics
            findings.positions |= dict.fromkeys(found.positions)
            findings.expected |= dict.fromkeys(found.expected)
        except RulesError as error:
            diagnostics = error.diagnostics
        findings.add(diagnostics)
        if all(one.warning for one in diagnostics):
            output.line(Styled("ok", Style.GOOD), f"  {escape(session.name)}")
    say_diagnostics(findings.warnings, output)
    output.lines(map(_expected_line, findings.expected if with_expected else ()))
    if findings.positions:
        return _show_positions(findings, output)
    if findings.errors:
        raise RulesError(tuple(findings.errors))
    checked = [session.name for session in sessions]
    output.document(Check, errors=[], warnings=findings.warnings, expected=findings.expected, checked=checked)
    output.say(f"checked {counted(len(sessions), 'text')}: no errors, {counted(len(findings.warnings), 'warning')}")
    return Exit.YES


def _expected_line(one: ExpectedWarning) -> Line:
    where = f"   {escaped_path(one.span.source)}:{one.span.line}"
    return line(
        Styled("expected", Style.FAINT), f"  {one.code} of {escape(one.name)}: {escape(one.reason)}", Styled(where, Style.FAINT)
    )


def _show_positions(findings: _Findings, output: Output) -> int:
    """The errors, and the puzzles that show some of them."""
    output.document(Errors, errors=findings.errors, positions=findings.positions)
    say_diagnostics(findings.errors, output)
    for text in findings.positions:
        output.line()
        output.text(text)
    return Exit.WRONG


def _check(session: Named) -> RuleFindings:
    """All findings for one argument. Raises `RulesError` with errors that stop a pass."""
    if not session.is_puzzle:
        return check_rules(lambda: session.game, lambda: session.part)
    from rulewright.puzzles.checks import warnings_of
    from rulewright.studies.verdicts import check_verdicts

    check_verdicts(session.position)
    found = check_rules(lambda: session.game, None)
    return evolve(found, diagnostics=(*found.diagnostics, *warnings_of(session.position)))
