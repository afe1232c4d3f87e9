"""`rulewright solve`: the best plan with a proof, or the best found and the bound."""

from __future__ import annotations

import time

from attrs import evolve

from ..grammar.scenarios import Goal
from ..rules.engine import Engine
from ..rules.questions import Question
from ..solver.limits import Limits
from ..solver.portfolio import Disagreement, answer
from ..solver.result import Status
from .answers import Answer, Wish, answer_as_json, answer_lines
from .interrupts import noticing_interrupts
from .other_plans import other_plans
from .output import Exit, Output
from .progress import watching
from .refusals import USAGE, refusal
from .session import Session
from .verified import verified
from .why import reasons


def solve_puzzle(name: str, wish: Wish, output: Output) -> int:
    """Answer the puzzle's question and print a plan that has been replayed. 1 when the expected answer differs.

    What is wished for beside the answer takes what is left of the time.
    """
    began = time.monotonic()
    session = Session(name, wish.variant)
    position = session.position
    question = position.question
    if question is None:
        raise refusal(USAGE, f"`{position.puzzle.name}` asks nothing", "add a line `ask: maximise score until end`")
    engine, state = position.asked, position.state
    engine.compile()  # the rules made ready: no part of the time that the answer takes
    expected = None if wish.variant else position.puzzle.answer
    try:
        with noticing_interrupts() as interrupted, watching("searching", output) as progress:
            result = answer(engine, state, question, Limits(wish.seconds, wish.workers, wish.memory_mib, wish.second), progress)
        found = Answer(position, session.rules, result, verified(engine, state, question, result), expected)
    except (Disagreement, AssertionError) as error:
        from .bundle import contradiction

        raise contradiction(session, wish, error) from error
    if result.status is Status.OPTIMAL and not interrupted.happened:
        with noticing_interrupts() as interrupted, watching("looking at other plans", output):
            found = _with_others(found, engine, question, wish, _alone(wish, began))
    if wish.why and result.status in (Status.OPTIMAL, Status.IMPOSSIBLE) and not interrupted.happened:
        with noticing_interrupts() as interrupted, watching("asking why", output):
            limits = evolve(_alone(wish, began), workers=wish.workers)
            found = evolve(found, reasons=tuple(reasons(session.project, position, result, limits)))
    output.document(answer_as_json(found, question, wish))
    output.lines(answer_lines(found, question, wish))
    return Exit.INTERRUPTED if interrupted.happened else found.verdict(question)


def _alone(wish: Wish, began: float) -> Limits:
    """What is left, for one processor."""
    return Limits(wish.seconds - (time.monotonic() - began), memory_mib=wish.memory_mib)


def _with_others(found: Answer, engine: Engine, question: Question, wish: Wish, limits: Limits) -> Answer:
    """With the other best plans, where they are wished for or the question is about them."""
    if not (wish.all or wish.unique or question.goal is Goal.COUNT_BEST):
        return found
    result, state = found.result, found.position.state
    goal = question.threshold if question.goal is Goal.REACH else result.score
    assert goal is not None
    return evolve(found, others=other_plans(engine, state, question, result.plan, goal, wish.all, limits))
