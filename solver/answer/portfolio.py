"""The entry point of the solver: answers a question about a position by exact search, with CP-SAT beside it, within limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from rulewright.base.choices import Engines
from rulewright.base.deadline import LATE, TimeUp, deadline
from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.ending import unless_stopped
from rulewright.base.records import define, evolve
from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import SEED, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.best.problem import Problem
from rulewright.solver.cpsat.process.co_solver import CoSolver, Disagreement
from rulewright.solver.inquiry import Inquiry
from rulewright.solver.result import Limits, Listener, Progress, Result, SoFar, Status

from .combination import NOTHING_PROVED, Combination, unread

KNOWN_CHANCE = (
    "the outcomes of chance are known here from the seed of the position; to ask without knowing them, use `in expectation`"
)
"""A remark."""

TOO_LONG = "the time limit was reached before the search had anything to tell"
"""A remark."""

TOO_LARGE = "the system had no more memory; `--memory` sets how much the search may use"
"""A remark."""

__all__ = ["Disagreement", "answer", "check_question"]


def check_question(engine: Engine, state: State, question: Question) -> None:
    """Refuse a question that provably has no answer, as far as this shows without a search.

    Raises `RulesError`: RW331 (play never reaches the end in question), RW332 (the value is unbounded), RW333 (the cost to
    minimise may fall), RW383 (a pile shuffled in secret).
    """
    if question.goal is Goal.LEAST:
        from rulewright.solver.shortest.problem import ShortestPlanProblem

        ShortestPlanProblem(engine, state, question)
    elif question.in_expectation:
        from rulewright.solver.versus.expectimax import ExpectationProblem

        ExpectationProblem(engine, state, question)
    elif not question.is_against and question.own_turns is None:
        _check(Problem(engine, state, question))


def _check(problem: Problem) -> None:
    # Imported when needed: most questions were checked before.
    from rulewright.rules.analysis.ends import end_is_reachable, end_unreachable, improving_cycle, value_unbounded

    question = problem.question
    if problem.engine.over(problem.root):
        return
    if not end_is_reachable(problem.reachable):
        raise end_unreachable(question)
    growing = () if question.goal is Goal.REACH else improving_cycle(problem.reachable, question, problem.value)
    if growing:
        raise value_unbounded(question, growing)


def answer(
    engine: Engine, state: State, question: Question, limits: Limits | None = None, progress: Progress | None = None
) -> Result:
    """The best plan with a proof, or the best plan found in time and a bound.

    `progress` is called with the best value, the bound and the number of states. `Stopped` ends the work early, as the time
    limit does (`unless_stopped`). Raises `Disagreement` when engines contradict each other, `RulesError` as
    `check_question` does, RW384, RW385 and RW386, and errors of play (RW360-RW365, RW380).
    """
    limits = limits or Limits()
    end = _IfStopped(lambda: Result(Status.UNKNOWN, None, None, (), 0, 0.0))
    listener = Listener(on_stop=end.become) if progress is None else Listener(progress, on_stop=end.become)

    def within_time() -> Result:
        try:
            with deadline(limits.seconds + LATE):
                return _answer(engine, state, question, limits, listener)
        except TimeUp:
            found = end.answer()
            return found if found.states else evolve(found, remarks=(*found.remarks, TOO_LONG))
        except MemoryError:
            found = end.answer()
            return evolve(found, remarks=(*found.remarks, TOO_LARGE))

    found = unless_stopped(within_time, end.answer)
    end.become(lambda: found)  # what it held, a search and its memory, would hold it in turn
    second = unread(question) or ("" if found.proof else NOTHING_PROVED)
    asked = (second,) if limits.second and second else ()
    return evolve(found, remarks=(*found.remarks, *asked, *_on_the_position(question)))


def _on_the_position(question: Question) -> Iterator[str]:
    """Remarks on state that the answer uses though some player may not see it, and on dice that nobody has rolled."""
    if question.open_state:
        yield f"with open cards: all players see {', '.join(f'`{name}`' for name in question.open_state)}"
    for name in question.unrolled:
        yield f"chance has not drawn `{name}` yet, as it does in every game before this choice: give it by a line `{name}: …`"


@define
class _IfStopped:
    """How to answer if the work ends before its time; changes as the work goes on."""

    so_far: SoFar

    def become(self, so_far: SoFar) -> None:
        self.so_far = so_far

    def answer(self) -> Result:
        return self.so_far()


def _answer(engine: Engine, state: State, question: Question, limits: Limits, listener: Listener) -> Result:
    """The answer. Raises `TimeUp` if time ends before."""
    refused = unread(question)
    if limits.engines is Engines.CPSAT:
        check_question(engine, state, question)
        if refused:
            return Result(Status.UNKNOWN, None, None, (), 0, 0.0, remarks=(refused,))
    if refused:
        limits = evolve(limits, engines=Engines.SEARCH)  # all memory is for the search
    if question.in_expectation:
        from rulewright.solver.versus.expectimax import ExpectationProblem, answer_expected

        expected = ExpectationProblem(engine, state, question)
        if question.secret_state:
            from rulewright.solver.versus.sequence_form import answer_mixed

            return answer_mixed(expected, limits, listener)
        return answer_expected(expected, limits, listener)
    problem, search = _search(engine, state, question, limits)
    has_drawn = question.before is not None and question.before.state[SEED] != state[SEED]

    def finished(result: Result) -> Result:
        if question.others is Others.GIVEN:
            result = without_void_lines(engine, state, question, result)
        return evolve(result, remarks=(*result.remarks, KNOWN_CHANCE)) if has_drawn or problem.chance_matters else result

    return finished(search(limits, listener.finishing(finished)))


Search = Callable[[Limits, Listener], Result]


def _search(engine: Engine, state: State, question: Question, limits: Limits) -> tuple[Inquiry, Search]:
    """A question, and what answers it."""
    if question.goal is Goal.LEAST:
        from rulewright.solver.shortest.problem import ShortestPlanProblem

        from .shortest_answer import answer_least

        shortest = ShortestPlanProblem(engine, state, question, limits.hash_key)
        return shortest, partial(answer_least, shortest)
    if question.is_against or question.own_turns is not None:
        from rulewright.solver.versus.best_play import answer_best_play
        from rulewright.solver.versus.problem import MinimaxProblem

        versus = MinimaxProblem(engine, state, question)
        return versus, partial(answer_best_play, versus)
    problem = Problem(engine, state, question, hash_key=limits.hash_key)
    if limits.engines is Engines.CPSAT:
        from rulewright.solver.best.schedule import first_plan
        from rulewright.solver.cpsat.process.standalone import solve

        first = partial(first_plan, problem, limits)
        return problem, partial(solve, engine, state, question, first_plan=first)
    return problem, partial(_best, problem)


def _best(problem: Problem, limits: Limits, listener: Listener) -> Result:
    """The best value at an end of the game."""
    from rulewright.solver.best.schedule import search  # with kernels and bounds that no other question needs

    began = time.monotonic()
    problem.kept("check", lambda: _check(problem))

    def searched(limits: Limits, listener: Listener, co_solver: CoSolver) -> Result:
        left = limits.seconds - (time.monotonic() - began)
        return search(problem, evolve(limits, seconds=left), listener, co_solver.wait_longer)

    together = Combination(problem.engine, problem.root, problem.question, limits)
    return together.answer(listener, searched)


MOST_SHOWN = 6
"""Moves of a line of play that a message shows."""


def without_void_lines(engine: Engine, root: State, question: Question, result: Result) -> Result:
    """The result if its plan keeps to the given plans; if not, and time ran out, an `UNKNOWN` result without a plan.

    Raises `RulesError` RW386 if every line of play provably breaks a given plan.
    """
    from rulewright.rules.play.given_plans import void

    states = [root]
    for move in result.plan:
        states.append(engine.apply(states[-1], move))
    if not engine.value(void(), states[-1]):
        return result
    if result.status is Status.OPTIMAL:
        raise _broken(engine, states, result.plan, question)
    return evolve(result, status=Status.UNKNOWN, score=None, plan=())


def _broken(engine: Engine, states: list[State], plan: tuple[Move, ...], question: Question) -> RulesError:
    from rulewright.rules.play.given_plans import progress

    *line, last = states[:-1]
    player = engine.player(last)
    texts = [format_move(engine, state, move) for state, move in zip(line, plan, strict=False)]
    before = f"after `{', '.join(['…'] * (len(texts) > MOST_SHOWN) + texts[-MOST_SHOWN:])}`" if texts else "at the start"
    message = "no line of play follows the given plans"
    done, all = progress(engine, last, player)
    fails = "has ended" if done == all else f"continues with action {done + 1}, which is not legal there"
    help = f"the longest possible line: {before}, the plan of player {player} {fails}"
    return RulesError((Diagnostic("RW386", message, (Label(question.span),), help),))
