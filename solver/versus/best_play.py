"""The value of best play, by null windows (MTD: Plaat et al. 1996), and a principal variation.

Each window gives a bound that remains valid: when time is up, the value lies between the last two. Where positions can repeat,
all that play can reach are decided by retrograde analysis.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.styled_text import counted
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.model.state import Move
from rulewright.solver.kernel.game_interface import DEEPEST, ENDLESS
from rulewright.solver.result import Limits, Listener, Result, Status
from rulewright.subset.refusal import CannotCompile

from .plain_search import PlainSearch
from .problem import Judge, MinimaxProblem, OutOfReach, Repeats
from .proof_search import FIRST_TURN, BothSearches
from .retrograde import answer_endless

NEAR = 4
"""Bounds at most this far apart are closed from one side, others by bisection. Measured on seven puzzles: 1 and 16 give the
same states."""


@frozen
class BestPlay:
    """Bounds on the value at the root, and a line of best play if there was time for one."""

    lower: int
    upper: int
    plan: tuple[Move, ...] | None = None


@define(eq=False)
class BestPlaySearch:
    """Finds the value at the root or, with a `threshold`, only whether it reaches that. `progress` receives the bounds."""

    problem: MinimaxProblem
    judge: Judge
    threshold: int | None = None
    progress: Callable[[int, int, int], None] = lambda lower, upper, states: None
    lower: int = field(default=-ENDLESS, init=False)
    upper: int = field(default=ENDLESS, init=False)
    _reached: int = field(default=-ENDLESS, init=False)
    _missed: int = field(default=ENDLESS, init=False)
    """The goals by which the bounds were found, of which searches know most."""
    _plan: tuple[Move, ...] | None = field(default=None, init=False)

    @property
    def found(self) -> BestPlay:
        """The result so far."""
        return BestPlay(self.lower, self.upper, self._plan)

    @property
    def window(self) -> tuple[int, int]:
        """The values that are still possible."""
        least, most = self.problem.extremes
        return max(self.lower, least), min(self.upper, most)

    @property
    def is_settled(self) -> bool:
        lower, upper = self.window
        if self.threshold is None:
            return lower == upper
        return lower >= self.threshold or upper < self.threshold

    def run(self) -> BestPlay:
        """Search to the end, or until time is up. Raises the errors of the judge."""
        goal = self.problem.value(self.problem.root) if self.threshold is None else self.threshold
        while not self.is_settled:
            bound = self.judge.judge((), goal, self._report)
            if bound is None:
                return self.found
            if bound >= goal:
                self.lower, self._reached = bound, goal
            else:
                self.upper, self._missed = bound, goal
            goal = self._next_goal()
        if self.threshold is None:
            self.lower, self.upper = self.window
        if self.threshold is None or self.lower >= self.threshold:
            self._plan = self._line(self.lower if self.threshold is None else self.threshold)
        return self.found

    def _report(self) -> None:
        self.progress(self.lower, self.upper, self.judge.states)

    def _next_goal(self) -> int:
        if self.lower == -ENDLESS:
            return self.upper
        if self.upper == ENDLESS or self.upper - self.lower <= NEAR:
            return self.lower + 1
        return (self.lower + self.upper + 1) // 2

    def _line(self, value: int) -> tuple[Move, ...] | None:
        """Moves to the end of the game, with each of which its player keeps the value; None if time is up."""
        problem, engine = self.problem, self.problem.engine
        plan: list[Move] = []
        state = problem.root
        while not engine.over(state) and (moves := engine.legal(state)):
            move = self._keeping(tuple(plan), moves, value, problem.is_own(state))
            if move is None:
                return None
            plan.append(move)
            state = engine.apply(state, move)
        return tuple(plan)

    def _keeping(self, plan: tuple[Move, ...], moves: Sequence[Move], value: int, is_own: bool) -> Move | None:
        """The first move with which whoever chooses keeps the value or, where that takes long, another that is known sooner."""
        if (not is_own and self.threshold is not None) or value == self.problem.extremes[0 if is_own else 1]:
            return moves[0]
        pending, patience = list(moves), FIRST_TURN // len(moves)
        while pending and time.monotonic() < self.judge.deadline:
            for move in tuple(pending):
                keeps = self._keeps((*plan, move), value, is_own, patience)
                if keeps:
                    return move
                if keeps is not None:
                    pending.remove(move)
            patience *= 2
        return None

    def _keeps(self, plan: tuple[Move, ...], value: int, is_own: bool, patience: int) -> bool | None:
        """Whether the value after a move that somebody chose is as good for him; None if that takes more states than that."""
        exact = value if is_own else value + 1
        for goal in dict.fromkeys((min(self._reached, exact) if is_own else max(self._missed, exact), exact)):
            bound = self.judge.judge(plan, goal, self._report, patience=patience)
            if bound is None:
                return None
            if (bound >= value) if is_own else (bound <= value):
                return True
            if (bound < goal) == is_own:
                return False
        return False


def answer_best_play(problem: MinimaxProblem, limits: Limits, listener: Listener) -> Result:
    """The game value for the player who asks, or the bounds known when time is up.

    Where positions can repeat, play without end is a draw, and reaches nothing; questions for another value raise `RulesError`
    RW374. Raises any error of play.
    """
    began = time.monotonic()
    deadline = began + limits.seconds
    judge: Judge = BothSearches.of(problem, deadline, limits)

    def result(found: BestPlay, more: tuple[str, ...] = ()) -> Result:
        own = judge.remarks if isinstance(judge, BothSearches) else ()
        answer = _result(problem, found, judge.states, time.monotonic() - began, (how_played(problem), *own, *more))
        if isinstance(judge, BothSearches):
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
        try:
            return searched()
        except (CannotCompile, GameFault):
            judge = PlainSearch(problem, deadline, limits)
            return searched()
    except Repeats:
        if problem.question.goal not in (Goal.WIN, Goal.REACH) or problem.question.own_turns is not None:
            raise problem.no_value() from None
        return answer_endless(problem, evolve(limits, seconds=deadline - time.monotonic()), listener, (how_played(problem),))


def how_played(problem: MinimaxProblem) -> str:
    """A sentence naming the player who asks, the aim, and how the others play."""
    players, goal, turns = problem.engine.instance.players, problem.question.goal, problem.question.own_turns
    unit = "own move" if problem.question.horizon is None else "own turn"
    within = "" if turns is None else f", in {counted(turns, unit)}"
    aims = {Goal.WIN: "for a win", Goal.MINIMISE: "for the least", Goal.REACH: "to reach it"}
    wanted = aims.get(goal, "for the most")
    who = f"player {problem.player} plays {wanted}{within}"
    if problem.is_together:
        return f"{who}, and all others help"
    if players == 1:
        return f"{who}, alone"
    if players == 2:
        return f"{who}, the other player against it"
    return f"{who}, all others together against it (paranoid assumption)"


def _search(problem: MinimaxProblem, judge: Judge, listener: Listener) -> BestPlaySearch:
    def report(lower: int, upper: int, states: int) -> None:
        best, bound = (None if abs(value) == ENDLESS else problem.sign * value for value in (lower, upper))
        listener.progress(best, bound, states)

    return BestPlaySearch(problem, judge, problem.threshold, report)


def _result(problem: MinimaxProblem, found: BestPlay, states: int, seconds: float, remarks: tuple[str, ...]) -> Result:
    sign, threshold = problem.sign, problem.threshold
    if threshold is not None and found.upper < threshold:
        return Result(Status.IMPOSSIBLE, None, threshold - 1, (), states, seconds, "search", remarks)
    upper = None if found.upper == ENDLESS else sign * found.upper
    if found.plan is not None:
        state = problem.root
        for move in found.plan:
            state = problem.engine.apply(state, move)
        score = sign * problem.value(state)
        best = score if threshold is None else threshold
        return Result(Status.OPTIMAL, score, best, found.plan, states, seconds, "search", remarks)
    if found.lower > -ENDLESS:
        sure = f"player {problem.player} is sure of {sign * found.lower}"
        remarks = (*remarks, sure if upper is None else f"{sure}, but of no better than {upper}")
    return Result(Status.UNKNOWN, None, upper, (), states, seconds, remarks=remarks)
