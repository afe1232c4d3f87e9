"""`rulewright check`: the static checks of modules and puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.api.named import PUZZLE, RULES, Named
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import evolve
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, escaped_path, line
from rulewright.cli.documents.common import Errors
from rulewright.cli.documents.rules import Check
from rulewright.cli.names import all_named, named
from rulewright.cli.views.output import Exit, Output, say_diagnostics
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import ExpectedWarning
from rulewright.studies.rule_checks import RuleFindings, check_rules


def check_all(names: Sequence[str], with_expected: bool, output: Output) -> int:
    """Check the syntax, links, types, positions and whole game of each file or name."""
    findings: list[RuleFindings] = []
    projects: dict[Path, Project] = {}
    sessions = [session for name in names for session in all_named(name, (RULES, PUZZLE)) or [named(name)]]
    for session in sessions:
        session.project = projects.setdefault(session.project.folder, session.project)
        try:
            found = _check(session)
        except RulesError as error:
            found = RuleFindings(error.diagnostics)
        findings.append(found)
        if not found.errors:
            output.line(Styled("ok", Style.GOOD), f"  {escape(session.name)}")
    errors = dict.fromkeys(error for found in findings for error in found.errors)
    warnings = dict.fromkeys(one for found in findings for one in found.diagnostics if one.warning)
    expected = dict.fromkeys(one for found in findings for one in found.expected)
    say_diagnostics(warnings, output)
    output.lines(map(_expected_line, expected if with_expected else ()))
    if positions := dict.fromkeys(text for found in findings for text in found.positions):
        return _show_positions(errors, positions, output)
    if errors:
        raise RulesError(tuple(errors))
    checked = [session.name for session in sessions]
    output.document(Check, errors=[], warnings=warnings, expected=expected, checked=checked)
    output.say(f"checked {counted(len(sessions), 'text')}: no errors, {counted(len(warnings), 'warning')}")
    return Exit.YES


def _expected_line(one: ExpectedWarning) -> Line:
    where = f"   {escaped_path(one.span.source)}:{one.span.line}"
    return line(
        Styled("expected", Style.FAINT), f"  {one.code} of {escape(one.name)}: {escape(one.reason)}", Styled(where, Style.FAINT)
    )


def _show_positions(errors: Iterable[Diagnostic], positions: Iterable[str], output: Output) -> int:
    """The errors, and the puzzles in which exceptions overlap, which show some of them."""
    output.document(Errors, errors=errors, positions=positions)
    say_diagnostics(errors, output)
    for text in positions:
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
