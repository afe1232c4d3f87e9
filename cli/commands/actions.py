"""`rulewright actions`: the legal actions of a position, or why one is not legal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.api.start import start_of_puzzle
from rulewright.base.diagnostics import usage_error
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, escaped_path, line
from rulewright.cli.documents.positions import Actions, Why
from rulewright.cli.names import named
from rulewright.cli.views.output import Exit, Output
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import parse_attempt
from rulewright.rules.play.why_illegal import Failure, why_not

if TYPE_CHECKING:
    from rulewright.cli.picture_files import PictureFiles


def list_actions(name: str, variant: str, files: PictureFiles | None, output: Output) -> int:
    """Print every legal action of a puzzle's position. A picture exists only for why one is not legal."""
    if files is not None:
        raise usage_error(
            "a picture needs an illegal action", "name one with `--why ACTION`, or draw the position with `rulewright show`"
        )
    position = named(name, variant).position
    legal = position.legal_actions
    output.document(Actions, legal=legal)
    for text in legal:
        output.line(text)
    if position.engine.over(position.state):
        output.say("the game is over")
    return Exit.YES


def explain_action(name: str, text: str, variant: str, files: PictureFiles | None, output: Output) -> int:
    """Print every requirement that an action fails here; with `files`, draw the cells and tiles involved. Exit status 1 if
    there is one."""
    position = named(name, variant).position
    failures = reasons(position.engine, position.state, text)
    output.document(Why, legal=not failures, failed=failures)
    output.lines(reason_lines(text, failures))
    if files is not None:
        from rulewright.cli.picture_files import write_refusal

        write_refusal(start_of_puzzle(position, None), text, failures, files, output)
    return Exit.NO if failures else Exit.YES


def reasons(engine: Engine, state: State, text: str) -> tuple[Failure, ...]:
    """The requirements that an action fails in a state. Raises `RulesError` if the text is not an action."""
    return why_not(engine, state, parse_attempt(engine, state, text))


def reason_lines(text: str, failures: tuple[Failure, ...]) -> Iterator[Line]:
    """The failed requirements with their messages and their places in the rules."""
    if not failures:
        yield line(Styled(f"`{escape(text)}` is legal", Style.GOOD))
        return
    yield line(Styled(f"`{escape(text)}` is not legal", Style.ERROR), f": {counted(len(failures), 'reason')}")
    for failure in failures:
        about = f": {', '.join(failure.unnamed)}" if failure.unnamed else ""
        yield line("  ", Styled(failure.requirement, Style.STRONG), f"  {escape(failure.message)}{about}")
        place = f"{escaped_path(failure.span.source)}:{failure.span.line}"
        origin = "  ".join(part for part in (place, failure.module, f"[{failure.cite}]" if failure.cite else "") if part)
        yield line("      ", Styled(origin, Style.FAINT))
        for part in failure.parts:
            said = f"  {escape(part.text)}{f'  [{part.cite}]' if part.cite else ''}".rstrip()
            yield line("      because of ", Styled(part.name, Style.STRONG), said)
