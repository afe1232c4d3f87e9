"""`solve --why`: what holds the score down. Each thing that might is made otherwise in turn, and the question asked again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..grammar.classes import frozen
from ..grammar.diagnostics import RulesError
from ..grammar.scenarios import Goal
from ..puzzles.position import Position
from ..rules.loading import Project
from ..rules.questions import Question
from ..solver.limits import Limits
from ..solver.portfolio import answer
from ..solver.result import Result, Status
from .files import shown
from .text import Line, Style, Styled, counted, escape, line
from .verified import verified

if TYPE_CHECKING:
    from ..puzzles.what_if import WhatIf


@frozen
class Reason:
    """What one change comes to; `gain` is 0 when it is proved to gain nothing, None when that is open.

    `problem` is the code of the error when the change makes no game that can be played.
    """

    what_if: WhatIf
    score: int | None = None
    gain: int | None = None
    proved: bool = False
    problem: str = ""


def reasons(project: Project, position: Position, result: Result, limits: Limits) -> Iterator[Reason]:
    """Try every change, each with its share of the time that is left. Ends early at an interrupt."""
    from ..puzzles.what_if import what_ifs

    question = position.question
    assert question is not None
    deadline = time.monotonic() + limits.seconds
    tried = what_ifs(position)
    for at, what_if in enumerate(tried):
        share = max(0.0, deadline - time.monotonic()) / (len(tried) - at)
        if share <= 0:
            yield Reason(what_if)
            continue
        try:
            yield _reason(what_if, project, position, result, evolve(limits, seconds=share))
        except RulesError as error:
            yield Reason(what_if, problem=error.diagnostics[0].code)
        except KeyboardInterrupt:
            return


def _reason(what_if: WhatIf, project: Project, now: Position, result: Result, limits: Limits) -> Reason:
    began = time.monotonic()
    position = what_if.position(project, now)
    question = position.question
    assert question is not None
    engine, state = position.asked, position.state
    if question.goal in (Goal.MAXIMISE, Goal.COUNT_BEST) and result.score is not None:
        # Whether there is any gain is the easier question, and most changes gain nothing.
        more = evolve(question, goal=Goal.REACH, threshold=result.score + 1)
        better = answer(engine, state, more, limits)
        if better.status is Status.IMPOSSIBLE:
            return Reason(what_if, result.score, 0, True)
        left = evolve(limits, seconds=max(0.0, limits.seconds - (time.monotonic() - began)))
        best = answer(engine, state, evolve(question, goal=Goal.MAXIMISE), left)
        if better.score is not None and (best.score is None or better.score > best.score):
            best = evolve(better, status=Status.FEASIBLE)
        verified(engine, state, question, best)
        return _compared(what_if, best, question, result)
    found = answer(engine, state, question, limits)
    verified(engine, state, question, found)
    return _compared(what_if, found, question, result)


def _compared(what_if: WhatIf, found: Result, question: Question, result: Result) -> Reason:
    proved = found.status in (Status.OPTIMAL, Status.IMPOSSIBLE)
    if question.goal is Goal.REACH:
        reached = found.status is Status.OPTIMAL
        return Reason(what_if, found.score, 1 if reached else 0 if proved else None, proved)
    if found.score is None or result.score is None:
        return Reason(what_if, found.score)
    gain = (found.score - result.score) * (-1 if question.goal is Goal.MINIMISE else 1)
    return Reason(what_if, found.score, max(0, gain) if proved or gain > 0 else None, proved)


def reasons_as_json(found: Sequence[Reason]) -> list[dict[str, Any]]:
    return [_as_json(reason) for reason in _sorted(found)]


def reason_lines(found: Sequence[Reason], question: Question) -> Iterator[Line]:
    """What would gain something, the most first; then how many changes gain nothing, and how many are open."""
    gains = [reason for reason in _sorted(found) if reason.gain]
    if not gains:
        yield line("nothing that was tried would do better")
    else:
        yield line(Styled("what would do better", Style.STRONG))
    width = max((len(_said(reason)) for reason in gains), default=0)
    for reason in gains:
        score = _gained(reason, question.goal)
        yield line(f"  {escape(_said(reason)).ljust(width)}  {score}  ", Styled(escape(_place(reason.what_if)), Style.FAINT))
    nothing = sum(reason.gain == 0 for reason in found)
    if nothing and gains:
        yield line(f"  {counted(nothing, 'other change')} would gain nothing")
    unplayable = [f"{_said(reason)} ({reason.problem})" for reason in found if reason.problem]
    unsettled = [_said(reason) for reason in found if reason.gain is None and not reason.problem]
    if unplayable:
        yield line(f"  cannot be played: {', '.join(map(escape, unplayable))}")
    if unsettled:
        yield line(f"  not settled in time: {', '.join(map(escape, unsettled))}")


def _gained(reason: Reason, goal: Goal) -> str:
    """`19, +2`, `at least 19, +2`, or `5, -1` where less is better."""
    match goal:
        case Goal.REACH:
            return "reached"
        case Goal.MINIMISE:
            return f"{'' if reason.proved else 'at most '}{reason.score}, -{reason.gain}"
        case Goal.MAXIMISE | Goal.COUNT_BEST:
            return f"{'' if reason.proved else 'at least '}{reason.score}, +{reason.gain}"


def _said(reason: Reason) -> str:
    return f"{reason.what_if.name} {reason.what_if.change}"


def _place(what_if: WhatIf) -> str:
    place = f"{shown(what_if.span.source)}:{what_if.span.line}" if what_if.span.line else ""
    return f"{place}  {what_if.says}".strip()


def _sorted(found: Sequence[Reason]) -> list[Reason]:
    """The greatest gain first, what is open last."""
    return sorted(found, key=lambda reason: -1 if reason.gain is None else reason.gain, reverse=True)


def _as_json(reason: Reason) -> dict[str, Any]:
    what_if = reason.what_if
    return {
        "name": what_if.name,
        "change": what_if.change,
        "rules": what_if.rules or None,
        "score": reason.score,
        "gain": reason.gain,
        "proved": reason.proved,
        "problem": reason.problem or None,
        "message": what_if.says or None,
        "module": what_if.module or None,
        "file": shown(what_if.span.source) if what_if.span.line else None,
        "line": what_if.span.line or None,
    }
