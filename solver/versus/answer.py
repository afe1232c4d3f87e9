"""Answers a question against best play within limits."""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.machine.machine_game import GameFault
from rulewright.solver.best.incumbent import Listener
from rulewright.solver.budget import Limits
from rulewright.solver.cpsat.process.model_choice import unread
from rulewright.solver.result import Result, Status
from rulewright.subset.refusal import CannotCompile

from .best_play import BestPlay, BestPlaySearch
from .kernel_search import KernelSearch
from .plain_search import PlainSearch
from .problem import DEEPEST, ENDLESS, Judge, MinimaxProblem, OutOfReach


def answer_best_play(problem: MinimaxProblem, limits: Limits, listener: Listener) -> Result:
    """The game value for the player who asks, or the bounds known when time is up.

    Raises `RulesError` RW374 where play repeats, and any error of play.
    """
    began = time.monotonic()
    deadline = began + limits.seconds
    remarks = (how_played(problem), *((unread(problem.question),) if limits.second else ()))
    judge: Judge = KernelSearch(problem, deadline, limits)

    def result(found: BestPlay, more: tuple[str, ...] = ()) -> Result:
        own = judge.remarks if isinstance(judge, KernelSearch) else ()
        answer = _result(problem, found, judge.states, time.monotonic() - began, (*remarks, *own, *more))
        if isinstance(judge, KernelSearch):
            answer = evolve(answer, comparisons=judge.comparisons, is_about=judge.is_about)
        return answer

    def searched() -> Result:
        search = _search(problem, judge, listener)
        listener.on_stop(lambda: result(search.found))
        try:
            return result(search.run())
        except OutOfReach:
            return result(search.found, (f"some lines of play have more than {DEEPEST} moves",))

    try:
        return searched()
    except (CannotCompile, GameFault):
        judge = PlainSearch(problem, deadline, limits)
        return searched()


def how_played(problem: MinimaxProblem) -> str:
    """A sentence naming the player who asks, the aim, and how the others play."""
    players, goal = problem.engine.instance.players, problem.question.goal
    wanted = "a win" if goal is Goal.WIN else "the least" if goal is Goal.MINIMISE else "the most"
    who = f"player {problem.player} plays for {wanted}"
    if players == 1:
        return f"{who}, alone"
    if players == 2:
        return f"{who}, the other player against it"
    return f"{who}, all others together against it (paranoid assumption)"


def _search(problem: MinimaxProblem, judge: Judge, listener: Listener) -> BestPlaySearch:
    question = problem.question

    def report(lower: int, upper: int, states: int) -> None:
        best, bound = (None if abs(value) == ENDLESS else problem.sign * value for value in (lower, upper))
        listener.progress(best, bound, states)

    threshold = question.threshold if question.goal is Goal.REACH else None
    return BestPlaySearch(problem, judge, threshold, report)


def _result(problem: MinimaxProblem, found: BestPlay, states: int, seconds: float, remarks: tuple[str, ...]) -> Result:
    question, sign = problem.question, problem.sign
    if question.goal is Goal.REACH and found.upper < question.threshold:
        return Result(Status.IMPOSSIBLE, None, question.threshold - 1, (), states, seconds, "search", remarks)
    upper = None if found.upper == ENDLESS else sign * found.upper
    if found.plan is not None:
        state = problem.root
        for move in found.plan:
            state = problem.engine.apply(state, move)
        score = sign * problem.value(state)
        best = question.threshold if question.goal is Goal.REACH else score
        return Result(Status.OPTIMAL, score, best, found.plan, states, seconds, "search", remarks)
    if found.lower > -ENDLESS:
        sure = f"player {problem.player} is sure of {sign * found.lower}"
        remarks = (*remarks, sure if upper is None else f"{sure}, but of no better than {upper}")
    return Result(Status.UNKNOWN, None, upper, (), states, seconds, remarks=remarks)
