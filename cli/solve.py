"""`rulewright solve`: the best plan with a proof, or the best found and the bound."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from ..grammar.diagnostics import RulesError
from ..grammar.scenarios import Goal
from ..puzzles.from_tree import set_up_position
from ..puzzles.plans import replay
from ..puzzles.position import Position
from ..rules.engine import Engine, Move, State
from ..rules.questions import Question
from ..solver import result as solver
from ..solver.limits import Limits
from ..solver.portfolio import answer
from .best_plans import BestPlans
from .interrupts import noticing_interrupts
from .opening import asked_value
from .output import Exit, Output
from .plan_lines import Step, plan_lines, step_as_json, steps_of, worth_of
from .progress import status
from .refusals import USAGE, refusal
from .session import Session
from .text import Line, Style, Styled, counted, line

DEEPEST = 20_000
"""How deep the search for all plans may recur."""


@frozen
class Wish:
    """What the call asks for beside the puzzle: `all` and `hint` are 0 when not asked for."""

    seconds: float
    workers: int
    all: int
    hint: int
    variant: str


@frozen
class Answer:
    """What was found. `plans` are other plans as good as the first, all of them if `every`."""

    position: Position
    rules: tuple[str, ...]
    result: solver.Result
    steps: tuple[Step, ...]
    expected: int | None
    plans: tuple[tuple[Step, ...], ...] = ()
    every: bool = False

    @property
    def asked(self) -> str:
        """What is asked for, by name."""
        ask = self.position.puzzle.ask
        return asked_value(ask) if ask is not None else "score"

    @property
    def status(self) -> solver.Status:
        return self.result.status


def solve_puzzle(name: str, wish: Wish, output: Output) -> int:
    """Answer the puzzle's question and print a plan that has been replayed. 1 when the expected answer differs."""
    session = Session(name)
    position, rules = _posed(session, wish.variant)
    question = position.question
    if question is None:
        raise refusal(USAGE, f"`{position.puzzle.name}` asks nothing", "add a line `ask: maximise score until end`")
    engine, state = position.asked, position.state
    with noticing_interrupts() as interrupted, status("searching", output) as report:
        result = answer(
            engine,
            state,
            question,
            Limits(wish.seconds, wish.workers),
            lambda best, bound, states: report(f"best {_known(best)}, bound {_known(bound)}, {states:,} states"),
        )
    expected = None if wish.variant else position.puzzle.answer
    found = Answer(position, rules, result, _verified(engine, state, question, result), expected)
    if wish.all and result.status is solver.Status.OPTIMAL and not interrupted.happened:
        found = _with_all_plans(found, engine, question, wish)
    output.document(_as_json(found, wish))
    output.lines(_lines(found, wish))
    return Exit.INTERRUPTED if interrupted.happened else _verdict(found, question)


def _posed(session: Session, variant: str) -> tuple[Position, tuple[str, ...]]:
    """The position under its own rules, or under those and a variant's; and the modules named."""
    rules = tuple(name for name, _ in session.puzzle.rules)
    if not variant:
        return session.position, rules
    game = session.project.load([*rules, variant])
    return set_up_position(session.puzzle, game), (*rules, *(root for root in game.roots if root not in rules))


def _verified(engine: Engine, state: State, question: Question, result: solver.Result) -> tuple[Step, ...]:
    """The steps of the plan found, replayed. An error in us when a step is not legal or the score is another."""
    if result.score is None:
        return ()
    steps = tuple(steps_of(engine, state, result.plan, question))
    try:
        end = [state, *(step.state for step in replay(engine, state, [step.text for step in steps]))][-1]
    except RulesError as error:
        raise AssertionError("the plan found cannot be replayed") from error
    worth = sum(engine.value(value, end) for value in question.values)
    if not engine.over(end) or worth != result.score:
        raise AssertionError(f"the plan found for {result.score} is worth {worth} when replayed")
    return steps


def _with_all_plans(answer: Answer, engine: Engine, question: Question, wish: Wish) -> Answer:
    """Every plan with the best value, up to the number wished for."""
    score, state = answer.result.score, answer.position.state
    assert score is not None
    best = BestPlans(engine, worth_of(engine, question), score, time.monotonic() + wish.seconds)
    sys.setrecursionlimit(DEEPEST)
    found: list[tuple[Move, ...]] = list(islice(best.plans(state), wish.all + 1))
    plans = tuple(tuple(steps_of(engine, state, plan, question)) for plan in found[: wish.all])
    return evolve(answer, plans=plans, every=best.complete and len(found) <= wish.all)


def _verdict(answer: Answer, question: Question) -> int:
    """Whether what was found agrees with what the puzzle expects; without an expectation, whether a plan is possible."""
    result, expected = answer.result, answer.expected
    if expected is None:
        return Exit.NO if answer.status is solver.Status.IMPOSSIBLE else Exit.YES
    if question.goal is Goal.REACH:
        proved = answer.status in (solver.Status.OPTIMAL, solver.Status.IMPOSSIBLE)
        reached = answer.status is solver.Status.OPTIMAL
        return Exit.NO if proved and reached != (expected >= question.threshold) else Exit.YES
    if result.score is None:
        return Exit.YES
    if answer.status is solver.Status.OPTIMAL:
        return Exit.YES if result.score == expected else Exit.NO
    beyond = result.score < expected if question.goal is Goal.MINIMISE else result.score > expected
    return Exit.NO if beyond else Exit.YES


def _as_json(answer: Answer, wish: Wish) -> dict[str, Any]:
    result = answer.result
    document: dict[str, Any] = {
        "puzzle": answer.position.puzzle.name,
        "rules": list(answer.rules),
        "status": result.status.value,
        "score": result.score,
        "bound": result.bound,
        "verified": result.score is not None,
        "plan": [step_as_json(step) for step in _hinted(answer.steps, wish)],
        "expected": answer.expected,
        "seconds": round(result.seconds, 3),
        "proof": result.proof or None,
        "states": result.states,
    }
    if wish.all:
        document["plans"] = [[step_as_json(step) for step in plan] for plan in answer.plans]
        document["all_plans"] = answer.every
    return document


def _hinted(steps: tuple[Step, ...], wish: Wish) -> tuple[Step, ...]:
    return steps[: wish.hint] if wish.hint else steps


def _lines(answer: Answer, wish: Wish) -> Iterator[Line]:
    players, label = answer.position.engine.ground.players, answer.asked
    yield line(Styled(answer.position.puzzle.name, Style.STRONG), "  ", *_headline(answer))
    if wish.all and answer.plans:
        some = "every one of" if answer.every else "the first"
        yield line(f"{some} {counted(len(answer.plans), 'best plan')}")
        for plan in answer.plans:
            yield line()
            yield from plan_lines(_hinted(plan, wish), players, label)
    else:
        yield from plan_lines(_hinted(answer.steps, wish), players, label)


def _headline(answer: Answer) -> Iterator[str | Styled]:
    result, expected = answer.result, answer.expected
    match result.status:
        case solver.Status.OPTIMAL:
            yield Styled("optimal", Style.GOOD)
            yield f", {answer.asked} {result.score}"
        case solver.Status.FEASIBLE:
            yield Styled("not proved", Style.WARNING)
            yield f", best {result.score}, bound {_known(result.bound)}"
        case solver.Status.IMPOSSIBLE:
            yield Styled("impossible", Style.GOOD)
            yield ", proved"
        case solver.Status.UNKNOWN:
            yield Styled("unknown", Style.WARNING)
            yield ", no plan was found"
    yield f"  ({counted(result.states, 'state')}, {result.seconds:.2f} s)"
    if expected is not None and result.score is not None and result.score != expected:
        yield Styled(f"  the puzzle expects {expected}", Style.WARNING)


def _known(value: int | None) -> str:
    return "not known" if value is None else str(value)
