"""Sensitivity analysis: which requirement, limit or resource bounds the optimum.

The question is solved again under one perturbation at a time (`puzzles/perturbations.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status

from .verified_plan import verified_steps

if TYPE_CHECKING:
    from rulewright.puzzles.perturbations import Perturbation


@frozen
class Sensitivity:
    """The effect of one perturbation on the optimum.

    `gain` is 0 if there is provably no gain, None if that is open. `problem` is the code of the error if the perturbed rules
    cannot be played.
    """

    perturbation: Perturbation
    score: int | None = None
    gain: int | None = None
    proved: bool = False
    problem: str = ""


def sensitivities(project: Project, position: Position, result: Result, limits: Limits) -> Iterator[Sensitivity]:
    """Solve the question under every perturbation, each within an equal share of the time left."""
    from rulewright.puzzles.perturbations import perturbations

    deadline = time.monotonic() + limits.seconds
    tried = perturbations(position)
    for index, perturbation in enumerate(tried):
        share = max(0.0, deadline - time.monotonic()) / (len(tried) - index)
        if share <= 0:
            yield Sensitivity(perturbation)
            continue
        try:
            yield _solved(perturbation, project, position, result, evolve(limits, seconds=share))
        except RulesError as error:
            yield Sensitivity(perturbation, problem=error.diagnostics[0].code)


def _solved(perturbation: Perturbation, project: Project, now: Position, result: Result, limits: Limits) -> Sensitivity:
    began = time.monotonic()
    position = perturbation.position(project, now)
    question = position.question
    assert question is not None
    engine, state = position.asked, position.root
    if question.goal in (Goal.MAXIMISE, Goal.COUNT_BEST, Goal.WIN) and result.score is not None:
        # Whether there is any gain is easier to decide, and most perturbations gain nothing.
        more = evolve(question, goal=Goal.REACH, threshold=result.score + 1)
        better = answer(engine, state, more, limits)
        if better.status is Status.IMPOSSIBLE:
            return Sensitivity(perturbation, result.score, 0, True)
        left = evolve(limits, seconds=max(0.0, limits.seconds - (time.monotonic() - began)))
        found = answer(engine, state, evolve(question, goal=Goal.MAXIMISE), left)
        if better.score is not None and (found.score is None or better.score > found.score):
            found = evolve(better, status=Status.FEASIBLE)
    else:
        found = answer(engine, state, question, limits)
    verified_steps(engine, state, question, found)
    return _compared(perturbation, found, question, result)


def _compared(perturbation: Perturbation, found: Result, question: Question, result: Result) -> Sensitivity:
    proved = found.status in (Status.OPTIMAL, Status.IMPOSSIBLE)
    if question.goal is Goal.REACH:
        reached = found.status is Status.OPTIMAL
        return Sensitivity(perturbation, found.score, 1 if reached else 0 if proved else None, proved)
    if found.score is None or result.score is None:
        return Sensitivity(perturbation, found.score)
    gain = (found.score - result.score) * (1 if question.goal in (Goal.MAXIMISE, Goal.COUNT_BEST, Goal.WIN) else -1)
    return Sensitivity(perturbation, found.score, max(0, gain) if proved or gain > 0 else None, proved)
