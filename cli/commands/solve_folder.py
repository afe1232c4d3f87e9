"""`rulewright solve FOLDER`: the answers to all puzzles of a folder, one a line."""

from __future__ import annotations

import time

from rulewright.api.named import PUZZLE
from rulewright.base.deadline import OutOfTime, limited
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.ending import is_stopped
from rulewright.base.styled_text import Style, Styled, counted, escape
from rulewright.cli.documents.answers import SolvedPuzzle, SolveFolder
from rulewright.cli.names import all_named
from rulewright.cli.views.answer_view import Answer, SolveOptions, headline, solved_puzzle
from rulewright.cli.views.output import Exit, Output, say_diagnostics
from rulewright.rules.linking.questions import Question

from .solve import PREPARING, SET_UP, answered


def solve_folder(name: str, options: SolveOptions, output: Output) -> int:
    """Answer every puzzle that has a question. An error in rules is reported once, however many puzzles it affects."""
    documents: list[SolvedPuzzle] = []
    errors: dict[Diagnostic, None] = {}
    statuses: list[Exit] = []
    silent = broken = 0
    for session in all_named(name, (PUZZLE,), options.variant):
        began = time.monotonic()
        try:
            with limited(options.seconds + PREPARING, SET_UP):
                position = session.position
                _ = position.root
            if (question := position.question) is None:
                silent += 1
                continue

            def say(found: Answer, question: Question = question) -> None:
                answers = [*documents, solved_puzzle(found, question, options)]
                output.document(SolveFolder, puzzles=answers, errors=[])
                output.line(*headline(found, question))

            found = answered(session, position, question, options, output, began, say)
        except RulesError as error:
            errors |= dict.fromkeys(error.diagnostics)
            broken += 1
            statuses.append(Exit.UNPROVED if isinstance(error, OutOfTime) else Exit.WRONG)
            output.line(
                Styled(escape(session.name), Style.STRONG), "  ", Styled("error", Style.ERROR), f" {error.diagnostics[0].code}"
            )
            continue
        documents.append(solved_puzzle(found, question, options))
        output.line(*headline(found, question))
        for judgement in found.misjudged:
            output.line(Styled(f"  {escape(judgement)}", Style.ERROR))
        if is_stopped():
            break
        statuses.append(found.exit(question, options))
    output.document(SolveFolder, puzzles=documents, errors=errors)
    say_diagnostics(errors, output)
    rest = [f"{counted(silent, 'puzzle')} without a question"] if silent else []
    rest += [f"{counted(broken, 'puzzle')} with errors"] if broken else []
    output.say(f"solved {counted(len(documents), 'puzzle')}{', not '.join(('', *rest))}")
    return Exit.worst(statuses)
