"""Verified plans as printable steps: each plan of the solver is replayed from its text by the rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from rulewright.base.deadline import TimeUp, deadline
from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.puzzles import OUTCOMES, Answer, Goal, Verdict, answer_text
from rulewright.puzzles.plan_replay import legal_move
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import COUNTED, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import continues_turn, format_move
from rulewright.solver.answer.portfolio import TOO_LONG, answer
from rulewright.solver.result import Limits, Progress, Result, Status


@frozen
class PlanStep:
    """A legal move of a plan: `turn` counts from 1, `value` is the objective's value after the move, and `continues` is set if
    it is written on to the step before it in its turn."""

    turn: int
    player: int
    move: Move
    text: str
    value: int
    after: State = field(eq=False, repr=False)
    continues: bool = False


def plan_steps(engine: Engine, state: State, plan: Sequence[Move], question: Question) -> Iterator[PlanStep]:
    """The steps of a plan from a state, each replayed from its text.

    Raises AssertionError at an illegal move, or one whose text denotes another move.
    """
    engine = engine.counting_turns(state)
    objective = objective_of(engine, question)
    for number, move in enumerate(plan, 1):
        player, text, turn = engine.player(state), format_move(engine, state, move), state[COUNTED] + 1
        try:
            read = legal_move(engine, state, number - 1, text)
        except RulesError as error:
            raise AssertionError("the plan found cannot be replayed") from error
        if read != move:
            raise AssertionError(f"`{text}` is another move than the one found")
        state = engine.apply(state, move)
        cost = number if question.counts_moves else turn if question.counts_turns else objective(state)
        yield PlanStep(turn, player, move, text, cost, state, continues_turn(engine, move))


def verified_steps(
    engine: Engine, state: State, question: Question, result: Result, tell: Callable[[PlanStep], None] = lambda step: None
) -> tuple[PlanStep, ...]:
    """The steps of the plan found; empty if there is none. `tell` is called with each as soon as it is replayed.

    Raises AssertionError if the plan, replayed from its text, is not legal, does not end the game or has another value. In
    expectation a plan ends where chance decides, and without an end where a position comes again.
    """
    if result.score is None and result.expectation is None:
        return ()
    replayed = list[PlanStep]()
    for step in plan_steps(engine, state, result.plan, question):
        tell(step)
        replayed.append(step)
    steps, end = tuple(replayed), replayed[-1].after if replayed else state
    if result.expectation is not None:
        return steps
    if result.is_endless:
        if engine.over(end):
            raise AssertionError("the plan found was to go on for ever, and ends when replayed")
        return steps
    counts = question.counts_moves or question.counts_turns
    value = (steps[-1].value if steps else 0) if counts else sum(engine.value(term, end) for term in question.values)
    is_reached = engine.over(end) if question.until is None else engine.value(question.until, end)
    own = [step.turn for step in steps if step.player == question.player]
    if question.own_turns is not None and len(own if question.horizon is None else set(own)) > question.own_turns:
        raise AssertionError(f"the plan found takes more than {question.own_turns} turns when replayed")
    if not is_reached or value != result.score:
        raise AssertionError(f"the plan found for {result.score} is worth {value} when replayed")
    return steps


REPLAYING = 1.0
"""Most seconds after the time limit for the replay of a plan."""

NOT_REPLAYED = "the plan found is not shown, since replaying it by the rules takes too long"
"""A remark."""


def solve_verified(
    engine: Engine,
    state: State,
    question: Question,
    limits: Limits,
    progress: Progress | None = None,
    tell: Callable[[PlanStep], None] = lambda step: None,
) -> tuple[Result, tuple[PlanStep, ...]]:
    """The answer to a question with the verified steps of its plan, `UNKNOWN` if replaying that takes too long. `tell` is
    called with each step as soon as it is replayed.

    Raises `RulesError` if the question has no answer, and as `verified_steps` and `answer` do.
    """
    result = Result(Status.UNKNOWN, None, None, (), 0, 0.0)
    try:
        with deadline(limits.seconds + REPLAYING):
            engine.compile()
            result = answer(engine, state, question, limits, progress)
            return result, verified_steps(engine, state, question, result, tell)
    except TimeUp:
        remarks = (*result.remarks, NOT_REPLAYED if result.plan else TOO_LONG)
        return Result(Status.UNKNOWN, None, None, (), result.states, result.seconds, remarks=remarks), ()


def objective_of(engine: Engine, question: Question) -> Callable[[State], int]:
    """The objective of a question as a function of the state."""
    values = [engine.compile_value(value) for value in question.values]
    return lambda state: sum(value(state) for value in values)


def proved_answer(result: Result, question: Question, number: int | None = None) -> Answer | None:
    """The answer in the notation of puzzles; None if it is not proved. `number` is the number of optimal plans, if known."""
    if result.expectation is not None:
        return result.expectation.value
    match result.status:
        case Status.OPTIMAL:
            match question.goal:
                case Goal.REACH:
                    return Verdict.YES
                case Goal.COUNT_BEST:
                    return number
                case Goal.LEAST:
                    return number if question.counts else result.score
                case Goal.MAXIMISE | Goal.MINIMISE:
                    return result.score
                case Goal.WIN:
                    return None if result.score is None else OUTCOMES[result.score]
        case Status.IMPOSSIBLE:
            return Verdict.NO if question.goal is Goal.REACH else Verdict.IMPOSSIBLE
        case Status.FEASIBLE | Status.UNKNOWN:
            return None


def agree(one: Answer, other: Answer) -> bool:
    """Whether two answers to a question agree: two words both say that something cannot be reached."""
    return one == other or {one, other} == {Verdict.NO, Verdict.IMPOSSIBLE}


def refutes(result: Result, question: Question, expected: Answer, number: int | None = None) -> bool:
    """Whether a result contradicts the expected answer; `number` is the number of optimal plans, if known."""
    found = proved_answer(result, question, number)
    if found is not None:
        return not agree(found, expected)
    if isinstance(expected, Verdict):
        return question.goal is Goal.LEAST and result.score is not None
    if result.status is Status.OPTIMAL or question.counts_plans:
        return False
    match question.goal:
        case Goal.MAXIMISE:
            return _is_less(expected, result.score) or _is_less(result.bound, expected)
        case Goal.MINIMISE | Goal.LEAST:
            return _is_less(result.score, expected) or _is_less(expected, result.bound)
        case Goal.REACH | Goal.COUNT_BEST | Goal.WIN:
            return False


def _is_less(one: Fraction | int | None, other: Fraction | int | None) -> bool:
    return one is not None and other is not None and one < other


# The answer to a question as plain data for another process -----------------------------------------------------------
# Progress reports, and the result.


PAUSE = 0.2
"""Seconds between two reports."""

Report = Callable[[dict[str, Any]], object]


@define
class Reporter:
    """Reports periodically what a search knows: `best`, `bound`, `gap`, `states`."""

    report: Report
    last: float = field(factory=time.monotonic)

    def __call__(self, best: int | None, bound: int | None, states: int) -> None:
        if time.monotonic() - self.last >= PAUSE:
            self.last = time.monotonic()
            gap = None if best is None or bound is None else abs(bound - best)
            self.report({"best": best, "bound": bound, "gap": gap, "states": states})


def _checked(engine: Engine, state: State, question: Question, result: Result) -> str | None:
    """What the checker says of a small certificate, which is loaded only here: no other answer needs it."""
    from .checked_answer import checked_answer

    return checked_answer(engine, state, question, result)


def told_answer(
    engine: Engine,
    state: State,
    question: Question,
    limits: Limits,
    report: Report,
    checks: bool = False,
) -> dict[str, Any]:
    """The best play found within the limits, replayed; `answer` if it is proved. With `checks`, `checked` says what the
    checker says of a small certificate.

    Raises `RulesError` if the question has no answer.
    """
    result, steps = solve_verified(engine, state, question, limits, Reporter(report))
    proved = proved_answer(result, question)
    return {
        "status": result.status.value,
        "value": None if result.value is None else str(result.value),
        "bound": result.bound,
        "answer": None if proved is None else answer_text(proved),
        "plan": [{"text": step.text, "player": step.player, "value": step.value} for step in steps],
        "seconds": round(result.seconds, 2),
        "checked": _checked(engine, state, question, result) if checks else None,
    }
