"""`rulewright solve FOLDER`: the answers to all puzzles of a folder, one a line."""

from __future__ import annotations

import time
from typing import Any

from rulewright.base.deadline import limited
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.cli.session import PUZZLE, sessions_in
from rulewright.cli.views.answer_view import SolveOptions, answer_as_json, headline
from rulewright.cli.views.output import Exit, Output
from rulewright.cli.views.render_diagnostics import diagnostics_as_json, say_diagnostics
from rulewright.cli.views.styled_text import Style, Styled, counted, escape

from .solve import PREPARING, SET_UP, answered


def solve_folder(name: str, options: SolveOptions, output: Output) -> int:
    """Answer every puzzle that has a question. An error in rules is reported once, however many puzzles it affects."""
    documents: list[dict[str, Any]] = []
    errors: dict[Diagnostic, None] = {}
    status, silent, broken = Exit.YES, 0, 0
    for session in sessions_in(name, (PUZZLE,), options.variant):
        began = time.monotonic()
        try:
            with limited(options.seconds + PREPARING, SET_UP):
                position = session.position
                _ = position.root
            if (question := position.question) is None:
                silent += 1
                continue
            found, interrupted = answered(session, position, question, options, output, began)
        except RulesError as error:
            errors |= dict.fromkeys(error.diagnostics)
            broken += 1
            output.line(
                Styled(escape(session.name), Style.STRONG), "  ", Styled("error", Style.ERROR), f" {error.diagnostics[0].code}"
            )
            continue
        documents.append(answer_as_json(found, question, options))
        output.line(*headline(found, question))
        for judgement in found.misjudged:
            output.line(Styled(f"  {escape(judgement)}", Style.ERROR))
        if interrupted:
            status = Exit.INTERRUPTED
            break
        status = max(status, found.exit(question))
    output.document({"puzzles": documents, "errors": diagnostics_as_json(errors)})
    say_diagnostics(errors, output)
    rest = [f"{counted(silent, 'puzzle')} without a question"] if silent else []
    rest += [f"{counted(broken, 'puzzle')} with errors"] if broken else []
    output.say(f"solved {counted(len(documents), 'puzzle')}{', not '.join(('', *rest))}")
    return max(status, Exit.WRONG) if errors and status is not Exit.INTERRUPTED else status
