"""The entrance: a question about a position, answered by the exact search with CP-SAT beside it, within limits.

Whoever is first gives the answer; what the other has shown by then is evidence, and must not contradict it.
"""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.bounds.end_reachability import end_is_reachable, end_unreachable
from rulewright.solver.bounds.unboundedness import improving_cycle, value_unbounded
from rulewright.solver.budget import Limits
from rulewright.solver.cpsat.process.co_solver import CoSolver, Disagreement
from rulewright.solver.result import Result, Status
from rulewright.solver.search.incumbent import Listener, Progress
from rulewright.solver.search.problem import Problem

from .schedule import search

__all__ = ["Disagreement", "answer", "check_question"]


def check_question(engine: Engine, state: State, question: Question) -> None:
    """Refuse a question that has no answer, where that can be seen without a search.

    Raises `RulesError`: RW331 (play never comes to the end that is asked about), RW332 (the value grows for ever).
    """
    _check(Problem(engine, state, question))


def _check(problem: Problem) -> None:
    question = problem.question
    if problem.engine.over(problem.root):
        return
    if not end_is_reachable(problem.reachable):
        raise end_unreachable(question)
    growing = () if question.goal is Goal.REACH else improving_cycle(problem.reachable, question)
    if growing:
        raise value_unbounded(question, growing)


def answer(
    engine: Engine, state: State, question: Question, limits: Limits | None = None, progress: Progress | None = None
) -> Result:
    """The best plan with a proof, or the best found in time and what is known above it.

    `progress` is called with the best value, the bound and the number of states. `KeyboardInterrupt` ends the work early, as
    the time limit does; it is not passed on. Raises `Disagreement` when engines contradict each other, `RulesError` as
    `check_question` does, and what stops a game (RW360-RW364).
    """
    problem = Problem(engine, state, question)
    _check(problem)
    limits = limits or Limits()
    sign = -1 if question.goal is Goal.MINIMISE else 1
    began = time.monotonic()
    with CoSolver(engine, state, question, limits, sign) as company:

        def told(best: int | None, bound: int | None, states: int) -> None:
            if progress is not None:
                progress(best, _tighter(bound, company, sign), states)

        left = evolve(limits, seconds=limits.seconds - (time.monotonic() - began))
        found = search(problem, left, Listener(told, company.settled), company.wait_longer)
        result = _together(found, company, question, sign)
    if limits.second and result.proof == "search":
        result = _seconded(result, engine, state, question, limits, limits.seconds - (time.monotonic() - began))
    return evolve(result, seconds=time.monotonic() - began)


def _seconded(result: Result, engine: Engine, state: State, question: Question, limits: Limits, seconds: float) -> Result:
    """What the search alone has proved, shown by CP-SAT too: nothing better can be reached."""
    if question.goal is Goal.REACH:
        goal = question.threshold
        if result.status is Status.OPTIMAL:
            return result  # a plan needs no second proof
    else:
        assert result.score is not None
        goal = (-result.score if question.goal is Goal.MINIMISE else result.score) + 1
    from rulewright.solver.cpsat.process.standalone import refuted

    agreed, remark = refuted(engine, state, question, goal, seconds, limits)
    if agreed is False:
        raise Disagreement(f"the search shows that nothing is beyond {result.bound}; {remark}")
    if agreed:
        return evolve(result, proof="search+cpsat")
    return evolve(result, remarks=(*result.remarks, remark))


def _tighter(bound: int | None, company: CoSolver, sign: int) -> int | None:
    """The better of two bounds, as the question counts."""
    if company.bound is None:
        return bound
    return sign * company.bound if bound is None else sign * min(sign * bound, company.bound)


def _together(found: Result, company: CoSolver, question: Question, sign: int) -> Result:
    """What the search found and what CP-SAT has shown."""
    remarks = (*found.remarks, *company.remarks)
    bound = company.bound
    match found.status:
        case Status.OPTIMAL:
            assert found.score is not None
            best = sign * found.score
            if bound is not None and bound < best:
                raise Disagreement(
                    f"the search has a plan for {found.score}, CP-SAT shows that nothing is beyond {sign * bound}"
                )
            agreed = bound == best and question.goal is not Goal.REACH
            return evolve(found, proof="search+cpsat" if agreed else found.proof, remarks=remarks)
        case Status.IMPOSSIBLE:
            agreed = bound is not None and bound < question.threshold
            return evolve(found, proof="search+cpsat" if agreed else found.proof, remarks=remarks)
        case Status.FEASIBLE | Status.UNKNOWN:
            return _unfinished(found, company, question, sign, remarks)


def _unfinished(found: Result, company: CoSolver, question: Question, sign: int, remarks: tuple[str, ...]) -> Result:
    """The search has not ended: CP-SAT may have settled the question, or know a better plan or bound."""
    score, plan = found.score, found.plan
    if company.plan is not None and (score is None or sign * company.best > sign * score):  # type: ignore[operator]
        score, plan = sign * _best(company), company.plan
    bound = _tighter(found.bound, company, sign)
    if company.refuted is None:
        status = Status.UNKNOWN if score is None else Status.FEASIBLE
        return evolve(found, status=status, score=score, plan=plan, bound=bound, remarks=remarks)
    if question.goal is Goal.REACH and (score is None or score < question.threshold):
        return evolve(
            found,
            status=Status.IMPOSSIBLE,
            score=None,
            plan=(),
            bound=question.threshold - 1,
            proof="cpsat+refuted",
            remarks=remarks,
        )
    return evolve(found, status=Status.OPTIMAL, score=score, plan=plan, bound=score, proof="cpsat+refuted", remarks=remarks)


def _best(company: CoSolver) -> int:
    assert company.best is not None
    return company.best
