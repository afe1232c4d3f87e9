"""Answers a question by listing all states that can be reached: a second proof where they are few."""

from __future__ import annotations

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.shortest.all_states import AllStates

from .job import Job, Report, WorkerStatus
from .model_choice import place_of

MOST_STATES, MOST_MOVES = 60_000, 250_000
"""So many states of the puzzles that ship take at most 3.3 s of processor time to list."""


def listed(job: Job) -> Report:
    """The last report on a job. Raises `Refused` if there are too many states, and errors of play."""
    engine, question, floor = job.engine, job.question, job.floor
    sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
    is_end = engine.over if question.until is None else engine.compile_value(question.until)
    terms = [engine.compile_value(value) for value in question.values]
    states = AllStates(
        engine,
        job.root,
        is_end,
        lambda state: sign * sum(term(state) for term in terms),
        step=int(question.counts_moves),
        most=MOST_STATES,
        most_moves=MOST_MOVES,
        stops_early=question.counts_moves,
    )
    if not states.complete:
        raise Refused(f"more than {MOST_STATES:,} states or {MOST_MOVES:,} moves", place_of(engine, job.root))
    best = states.of(job.root)
    if best is None or (floor is not None and best < floor):
        return Report(status=WorkerStatus.INFEASIBLE)
    return Report(value=best, plan=states.plan, bound=best if floor is None else None, status=WorkerStatus.OPTIMAL)
