"""What `solve` has found, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..grammar.classes import frozen
from ..grammar.scenarios import Goal
from ..puzzles.position import Position
from ..rules.questions import Question
from ..solver.result import Result, Status
from .opening import asked_value
from .other_plans import Others, only_one_as_json, only_one_lines, plans_as_json
from .output import Exit
from .plan_lines import Step, plan_lines, step_as_json
from .text import Line, Style, Styled, counted, escape, line
from .why import Reason, reason_lines, reasons_as_json


@frozen
class Wish:
    """What the call asks for beside the puzzle: `all` and `hint` are 0 when not asked for."""

    seconds: float
    workers: int
    all: int = 0
    hint: int = 0
    variant: str = ""
    unique: bool = False
    why: bool = False
    second: bool = False
    memory_mib: int = 2048


@frozen
class Answer:
    """What was found. `others` are the other best plans and `reasons` what holds the score down, where they were looked for."""

    position: Position
    rules: tuple[str, ...]
    result: Result
    steps: tuple[Step, ...]
    expected: int | None
    others: Others | None = None
    reasons: tuple[Reason, ...] | None = None

    @property
    def asked(self) -> str:
        """What is asked for, by name."""
        ask = self.position.puzzle.ask
        return asked_value(ask) if ask is not None else "score"

    @property
    def status(self) -> Status:
        return self.result.status

    @property
    def number(self) -> int | None:
        """How many best plans there are, when that is the question and known."""
        return None if self.others is None else self.others.number

    def verdict(self, question: Question) -> int:
        """Whether what was found agrees with what the puzzle expects; without an expectation, whether a plan is possible."""
        expected, score = self.expected, self.result.score
        if expected is None:
            return Exit.NO if self.status is Status.IMPOSSIBLE else Exit.YES
        match question.goal:
            case Goal.REACH:
                proved = self.status in (Status.OPTIMAL, Status.IMPOSSIBLE)
                reached = self.status is Status.OPTIMAL
                return Exit.NO if proved and reached != (expected >= question.threshold) else Exit.YES
            case Goal.COUNT_BEST:
                return Exit.YES if self.number in (None, expected) else Exit.NO
            case Goal.MAXIMISE | Goal.MINIMISE:
                if score is None:
                    return Exit.YES
                if self.status is Status.OPTIMAL:
                    return Exit.YES if score == expected else Exit.NO
                beyond = score < expected if question.goal is Goal.MINIMISE else score > expected
                return Exit.NO if beyond else Exit.YES


def answer_as_json(answer: Answer, question: Question, wish: Wish) -> dict[str, Any]:
    result, others = answer.result, answer.others
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
        "remarks": list(result.remarks),
    }
    if question.goal is Goal.COUNT_BEST:
        document["count"] = answer.number
    if wish.all:
        document |= {"plans": [], "all_plans": False, "count": None} if others is None else plans_as_json(others)
    if wish.unique:
        document["unique"] = None if others is None else only_one_as_json(others.only)
    if wish.why:
        document["why"] = None if answer.reasons is None else reasons_as_json(answer.reasons)
    return document


def answer_lines(answer: Answer, question: Question, wish: Wish) -> Iterator[Line]:
    players, label, others = answer.position.engine.ground.players, answer.asked, answer.others
    yield line(Styled(answer.position.puzzle.name, Style.STRONG), "  ", *_headline(answer, question))
    if wish.all and others is not None and others.plans:
        yield line(_how_many(others))
        for plan in others.plans:
            yield line()
            yield from plan_lines(_hinted(plan, wish), players, label)
    else:
        yield from plan_lines(_hinted(answer.steps, wish), players, label)
    if wish.unique and answer.steps:
        yield line()
        yield from only_one_lines(None if others is None else others.only)
    if answer.reasons is not None:
        yield line()
        yield from reason_lines(answer.reasons, question)
    for remark in answer.result.remarks:
        yield line(Styled(escape(remark), Style.FAINT))


def known(value: int | None) -> str:
    return "not known" if value is None else str(value)


def _hinted(steps: tuple[Step, ...], wish: Wish) -> tuple[Step, ...]:
    return steps[: wish.hint] if wish.hint else steps


def _how_many(others: Others) -> str:
    if others.number == 1:
        return "the only best plan, but for the order of actions that commute"
    if others.every:
        return f"every one of {counted(len(others.plans), 'best plan')}"
    if others.endless:
        return f"the first {len(others.plans)} of best plans without end: some come back to where they were"
    return f"the first {len(others.plans)} of {'' if others.number is None else f'{others.number} '}best plans"


def _headline(answer: Answer, question: Question) -> Iterator[str | Styled]:
    result = answer.result
    found = result.score
    match result.status:
        case Status.OPTIMAL:
            yield Styled("optimal", Style.GOOD)
            yield f", {answer.asked} {result.score}"
            if question.goal is Goal.COUNT_BEST:
                found = answer.number
                yield ", best plans not counted" if found is None else f", {counted(found, 'best plan')}"
        case Status.FEASIBLE:
            yield Styled("not proved", Style.WARNING)
            yield f", best {result.score}, bound {known(result.bound)}"
            found = None if question.goal is Goal.COUNT_BEST else found
        case Status.IMPOSSIBLE:
            yield Styled("impossible", Style.GOOD)
            yield ", proved"
        case Status.UNKNOWN:
            yield Styled("unknown", Style.WARNING)
            yield ", no plan was found"
    yield f"  ({counted(result.states, 'state')}, {result.seconds:.2f} s)"
    if answer.expected is not None and found is not None and found != answer.expected:
        yield Styled(f"  the puzzle expects {answer.expected}", Style.WARNING)
