"""`rulewright check`: is there anything wrong with these modules and puzzles?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from attrs import evolve, field

from ..grammar.classes import define, frozen
from ..grammar.diagnostics import Diagnostic, RulesError
from ..rules.checks import check_game
from ..rules.clashes import Clash, Suspect, report_clashes, suspects
from ..rules.game import Game
from ..rules.loading import Project
from .output import Exit, Output
from .render_diagnostics import listed, render
from .session import Session
from .text import Style, Styled, counted, escape

NO_FLOW = "RW130"


@frozen
class Checked:
    """What was found of one text; `positions` are puzzles that show some of it."""

    diagnostics: tuple[Diagnostic, ...]
    positions: tuple[str, ...] = ()


@define
class _Findings:
    """What was found, each thing once, errors and warnings apart. `positions` are puzzles that show errors."""

    errors: dict[Diagnostic, None] = field(factory=dict)
    warnings: dict[Diagnostic, None] = field(factory=dict)
    positions: dict[str, None] = field(factory=dict)

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
            found = _check(session)
            findings.add(found.diagnostics)
            findings.positions |= dict.fromkeys(found.positions)
        except RulesError as error:
            findings.add(error.diagnostics)
        if len(findings.errors) == before:
            output.line(Styled("ok", Style.GOOD), f"  {escape(name)}")
    if not output.as_json:
        for diagnostic in findings.warnings:
            for line in render(diagnostic):
                output.say(*line)
    if findings.positions:
        return _show_positions(findings, output)
    if findings.errors:
        raise RulesError(tuple(findings.errors))
    output.document({"errors": [], "warnings": listed(findings.warnings), "checked": list(names)})
    output.say(f"checked {counted(len(names), 'text')}: no errors, {counted(len(findings.warnings), 'warning')}")
    return Exit.YES


def _show_positions(findings: _Findings, output: Output) -> int:
    """The errors, and the puzzles that show some of them."""
    output.document({"errors": listed(findings.errors), "positions": list(findings.positions)})
    if not output.as_json:
        for diagnostic in findings.errors:
            for line in render(diagnostic):
                output.say(*line)
    for text in findings.positions:
        output.line()
        for row in text.splitlines():
            output.line(escape(row))
    return Exit.WRONG


def _check(session: Session) -> Checked:
    """Every finding about what one argument names. Raises `RulesError` with those that stop a pass."""
    if session.is_puzzle:
        from ..puzzles.plans import check_verdicts

        check_verdicts(session.position)
    return check_rules(lambda: session.game, may_be_part=not session.is_puzzle)


def check_rules(load: Callable[[], Game], may_be_part: bool, at_length: bool = True) -> Checked:
    """Every finding about a game; a module without a flow `may_be_part` of one. Raises `RulesError` where it does not link.

    `at_length` the solver is asked, too, for positions in which exceptions clash.
    """
    try:
        game = load()
    except RulesError as error:
        if not may_be_part or any(diagnostic.code != NO_FLOW for diagnostic in error.diagnostics):
            raise
        message = "a part of a game: no module says how it flows"
        return Checked(tuple(evolve(d, message=message, warning=True) for d in error.diagnostics))
    sink = check_game(game)
    open_ones = () if sink.errors else suspects(game)
    if not open_ones:
        return Checked(tuple(sink))
    found = _clashes(game, open_ones, at_length)
    report_clashes(open_ones, found, sink)
    return Checked(tuple(sink), tuple(map(_position, found)))


def _clashes(game: Game, open_ones: Sequence[Suspect], at_length: bool) -> list[Clash]:
    """Positions that show exceptions clash, by play, and by the solver for what play has not come upon."""
    from ..rules.witness import find_by_play

    found = list(find_by_play(game, open_ones))
    left = [suspect for suspect in open_ones if all(clash.suspect is not suspect for clash in found)]
    if left and at_length:
        from ..solver.clashing import find_by_search

        found += find_by_search(game, left)
    return found


def _position(clash: Clash) -> str:
    """The puzzle that shows a clash."""
    from ..puzzles.to_text import write_position

    one, other = clash.suspect.one, clash.suspect.other
    name = f"{one.name}_and_{other.name.rpartition('.')[2]}".replace(".", "_")
    text = f"Here `{one.name}` and `{other.name}` apply at once."
    return write_position(clash.engine, clash.state, name, clash.engine.game.roots, text=text)
