"""`rulewright check`: is there anything wrong with these modules and puzzles?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import define, evolve, field

from ..grammar.diagnostics import Diagnostic, RulesError
from ..rules.checks import check_game
from ..rules.loading import Project
from .output import Exit, Output
from .render_diagnostics import listed, render
from .session import Session
from .text import Style, Styled, counted, escape

NO_FLOW = "RW130"


@define
class _Findings:
    """What was found, each thing once, errors and warnings apart."""

    errors: dict[Diagnostic, None] = field(factory=dict)
    warnings: dict[Diagnostic, None] = field(factory=dict)

    def add(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            (self.warnings if diagnostic.warning else self.errors)[diagnostic] = None


def check_all(names: Sequence[str], output: Output) -> int:
    """Check each file or name: text, links, types, positions, and what a look at the whole game finds."""
    findings = _Findings()
    projects: dict[Path, Project] = {}
    for name in names:
        before = len(findings.errors)
        session = Session(name)
        session.project = projects.setdefault(session.project.folder, session.project)
        try:
            findings.add(_check(session))
        except RulesError as error:
            findings.add(error.diagnostics)
        if len(findings.errors) == before:
            output.line(Styled("ok", Style.GOOD), f"  {escape(name)}")
    if not output.as_json:
        for diagnostic in findings.warnings:
            for line in render(diagnostic):
                output.say(*line)
    if findings.errors:
        raise RulesError(tuple(findings.errors))
    output.document({"errors": [], "warnings": listed(findings.warnings), "checked": list(names)})
    output.say(f"checked {counted(len(names), 'text')}: no errors, {counted(len(findings.warnings), 'warning')}")
    return Exit.YES


def _check(session: Session) -> Iterable[Diagnostic]:
    """Every finding about what one argument names. Raises `RulesError` with those that stop a pass."""
    if session.is_puzzle:
        from ..puzzles.plans import check_verdicts

        check_verdicts(session.position)
    try:
        return check_game(session.game)
    except RulesError as error:
        if session.is_puzzle or any(diagnostic.code != NO_FLOW for diagnostic in error.diagnostics):
            raise
        return [evolve(d, message="a part of a game: no module says how it flows", warning=True) for d in error.diagnostics]
