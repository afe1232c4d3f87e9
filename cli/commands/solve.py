"""`rulewright solve`: the best plan with a proof, or the best found and the bound."""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.cli.interrupts import InterruptGuard
from rulewright.cli.session import Session
from rulewright.cli.usage_errors import usage_error
from rulewright.cli.views.answer_view import Answer, SolveOptions, answer_as_json, answer_lines
from rulewright.cli.views.output import Exit, Output
from rulewright.cli.views.progress import watching
from rulewright.grammar.tree.puzzles import Others
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine
from rulewright.solver.answer.portfolio import Disagreement, answer
from rulewright.solver.budget import Limits
from rulewright.solver.result import Status
from rulewright.studies.alternative_plans import alternative_plans
from rulewright.studies.sensitivity import sensitivities
from rulewright.studies.verified_plan import verified_steps


def solve_puzzle(name: str, options: SolveOptions, output: Output) -> int:
    """Answer the puzzle's question and print a verified plan. Exit status 1 where the expected answer differs.

    Other plans and the sensitivity analysis use the time that is left.
    """
    if options.html is not None:
        from rulewright.cli.solution_file import check_writable

        check_writable(options.html)
    began = time.monotonic()
    session = Session(name, options.variant)
    position = session.position
    question = position.question
    if question is None:
        raise usage_error(f"`{position.puzzle.name}` asks nothing", "add a line `ask: maximise score until end`")
    if question.in_expectation and (options.unique or options.why):
        raise usage_error(f"`{position.puzzle.name}` asks what is to be expected", "leave out `--unique` and `--why`")
    if not question.in_expectation and question.others is Others.AGAINST and (options.all or options.unique):
        raise usage_error(f"`{position.puzzle.name}` is asked against best play", "leave out `--all` and `--unique`")
    engine, state = position.asked, position.root
    engine.compile()  # the rules made ready: no part of the time that the answer takes
    expected = None if options.variant else position.puzzle.answer
    try:
        with InterruptGuard() as interrupted, watching("searching", output) as progress:
            result = answer(
                engine,
                state,
                question,
                Limits(options.seconds, options.workers, options.memory_mib, options.second_opinion),
                progress,
            )
        found = Answer(position, session.rules, result, verified_steps(engine, state, question, result), expected)
    except (Disagreement, AssertionError) as error:
        from rulewright.cli.disagreement_report import contradiction

        raise contradiction(session, options, error) from error
    if result.status is Status.OPTIMAL and not interrupted.happened:
        with InterruptGuard() as interrupted, watching("looking at other plans", output):
            found = _with_others(found, engine, question, options, _alone(options, began))
    if options.why and result.status in (Status.OPTIMAL, Status.IMPOSSIBLE) and not interrupted.happened:
        with InterruptGuard() as interrupted, watching("asking why", output):
            limits = evolve(_alone(options, began), workers=options.workers)
            found = evolve(found, sensitivities=tuple(sensitivities(session.project, position, result, limits)))
    output.document(answer_as_json(found, question, options))
    output.lines(answer_lines(found, question, options))
    if options.html is not None:
        from rulewright.cli.solution_file import write_solution

        write_solution(options.html, found, question, output)
    return Exit.INTERRUPTED if interrupted.happened else found.exit(question)


def _alone(options: SolveOptions, began: float) -> Limits:
    """The limits that are left, for one processor."""
    return Limits(options.seconds - (time.monotonic() - began), memory_mib=options.memory_mib)


def _with_others(found: Answer, engine: Engine, question: Question, options: SolveOptions, limits: Limits) -> Answer:
    """The answer with other optimal plans, where the options or the question ask for them."""
    if question.in_expectation or not (options.all or options.unique or question.counts_plans):
        return found
    return evolve(found, others=alternative_plans(engine, found.position.root, question, found.result, options.all, limits))
