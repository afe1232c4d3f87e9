"""Expectimax (Michie 1966): the best expected value of an objective under chance.

Values are exact fractions. States that agree on everything that can still matter are expanded once. Play must not revisit a
state: its value would depend on itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, evolve, field, frozen
from rulewright.grammar.tree.declarations import Visibility
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import effects
from rulewright.rules.model.state import OVER, POINT, Move, State, reseeded
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.rng import Script, Unscripted
from rulewright.solver.inquiry import Inquiry, key_of
from rulewright.solver.result import LISTENING, Expectation, Limits, Listener, Result, Status

MOST_OUTCOMES = 20_000
"""The most chance outcomes of one move."""

Outcomes = tuple[tuple[State, Fraction], ...]
"""The successor states of a move, each with its probability."""


@define(eq=False)
class ExpectationProblem(Inquiry):
    """A question about an expected value. Raises `RulesError` RW383 if a hidden pile that can still matter is shuffled."""

    def __attrs_post_init__(self) -> None:
        self.root = seedless(self.root)
        for clause in self.analysis.chances:
            if isinstance(clause.effect, effects.Shuffle):
                variable = self.engine.game.variables[clause.effect.zone.variable]
                if variable.visibility is not Visibility.OPEN and variable.name in self.analysis.live_variables:
                    raise _hidden_order(variable.name, clause)

    @cached_property
    def key(self) -> Callable[[State], Any]:
        """The part of a state that can still matter to play and to the question; states with equal keys are one."""
        return key_of(self.engine, self.analysis.lasting_variables, self.engine.horizon is not None, False)

    @cached_property
    def worth(self) -> Callable[[State], int]:
        """The value of an end: the objective, or 1 if it reaches the threshold, else 0."""
        values, question = [self.engine.compile_value(value) for value in self.question.values], self.question
        if question.goal is Goal.REACH:
            return lambda state: int(sum(value(state) for value in values) >= question.threshold)
        return lambda state: sum(value(state) for value in values)

    def sign_at(self, state: State) -> int:
        """1 if the player to choose maximises, -1 if they minimise; against best play all others oppose the player who asks."""
        is_own = not self.question.is_against or self.engine.player(state) == self.player
        return self.sign if is_own else -self.sign

    def is_replied(self, state: State) -> bool:
        """Whether a player chooses who follows a policy."""
        return self.question.replies is not None and self.engine.player(state) != self.player

    def likely(self, state: State, moves: list[Move]) -> list[tuple[Move, Fraction]]:
        """The moves with their probabilities where a player follows a policy; elsewhere 1, as each may be chosen."""
        replies = self.question.replies
        if replies is None or not self.is_replied(state):
            return [(move, Fraction(1)) for move in moves]
        weights = replies(state, moves)
        whole = sum(weights)
        return [(move, Fraction(weight, whole)) for move, weight in zip(moves, weights, strict=True) if weight]

    def outcomes(self, state: State, move: Move) -> Outcomes:
        """Every successor state of a move, in the order of the outcomes of the first draw, then of the second, and so on.

        Raises `RulesError` RW384 if there are too many, and any error of play.
        """
        return self._outcomes(
            lambda script: self.engine.apply(reseeded(state, script), move),
            lambda: f"after `{format_move(self.engine, state, move)}`",
        )

    @cached_property
    def roots(self) -> Outcomes:
        """The root or, where chance has dealt it in secret or comes before it, every state of the first choice. Raises as
        `outcomes` does."""
        before = self.question.before
        if before is not None:
            play = ReferenceEngine(self.engine)
            come = partial(play.come_to, before.point)
            return self._outcomes(lambda script: come(reseeded(before.state, script)), lambda: "before the first choice")
        if not self.question.is_dealt:
            return ((self.root, Fraction(1)),)
        return self._outcomes(self.engine.start, lambda: "at the beginning")

    def _outcomes(self, result: Callable[[Script], State], when: Callable[[], str]) -> Outcomes:
        found: dict[State, Fraction] = {}
        pending: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
        taken = 0
        while pending:
            script, probability = pending.pop()
            try:
                after = seedless(result(Script(script)))
            except Unscripted as chance:
                whole = sum(chance.weights)
                drawn = [((*script, at), probability * weight / whole) for at, weight in enumerate(chance.weights)]
                pending += reversed(drawn)
                continue
            taken += 1
            if taken > MOST_OUTCOMES:
                raise _too_many_outcomes(self.question, when())
            found[after] = found.get(after, Fraction(0)) + probability
        return tuple(found.items())


def seedless(state: State) -> State:
    """The state without its seed, so that the history of chance does not tell states apart."""
    return reseeded(state, 0)


def _hidden_order(pile: str, clause: effects.EffectClause) -> RulesError:
    message = f"`{pile}` is shuffled into a hidden order, which is not supported in expectation"
    help = "make it a set and `draw` from it, or ask `knowing what comes`"
    return RulesError((Diagnostic("RW383", message, (Label(clause.span),), help),))


def _too_many_outcomes(question: Question, when: str) -> RulesError:
    message = f"chance has more than {MOST_OUTCOMES} outcomes {when}"
    return RulesError((Diagnostic("RW384", message, (Label(question.span),), "draw fewer things at once"),))


def _comes_back(question: Question, move: str) -> RulesError:
    message = f"positions may repeat, as after `{move}`, so the value would depend on itself"
    help = "ask `for` a number of turns, or let the rules count something that ends the game"
    return RulesError((Diagnostic("RW385", message, (Label(question.span),), help),))


@frozen
class _Branch:
    """A move and its possible successors."""

    move: Move
    outcomes: Outcomes


@define(eq=False)
class _Frame:
    """A state under examination: its unexamined moves, and the values of the others."""

    key: Any
    state: State
    branches: list[_Branch]
    values: list[tuple[Move, Fraction]] = field(factory=list)


@define(eq=False)
class Expectimax:
    """A search until `time.monotonic()` reaches the deadline or memory is used up."""

    problem: ExpectationProblem
    deadline: float
    limits: Limits = Limits()
    listener: Listener = Listener()
    began: float = field(factory=time.monotonic)
    _known: dict[Any, Fraction] = field(factory=dict, init=False)
    _open: dict[Any, None] = field(factory=dict, init=False)

    def run(self) -> Result:
        """The answer. Raises `RulesError` RW384 and RW385, and any error of play."""
        self.listener.on_stop(lambda: self._result(None))
        roots = self.problem.roots
        found, value = Expectation(Fraction(0), ()), Fraction(0)
        for root, share in roots:
            answered = self._answered(root)
            if answered is None:
                return self._result(None)
            found, value = answered, value + share * answered.value
        return self._result(found if len(roots) == 1 else Expectation(value, ()))

    def _answered(self, root: State) -> Expectation | None:
        """The value of a state; None if time or memory runs out."""
        if root[POINT] == OVER or not self.problem.engine.legal(root):
            return Expectation(Fraction(self.problem.worth(root)), ())
        return self._searched(root)

    def _result(self, found: Expectation | None) -> Result:
        seconds, states = time.monotonic() - self.began, len(self._known)
        if found is None:
            return Result(Status.UNKNOWN, None, None, (), states, seconds)
        plan, state = list[Move](), self.problem.roots[0][0]
        while state[POINT] != OVER and found.first and not self.problem.is_replied(state):
            moves = found.first if not plan else self._valued(state)
            plan.append(moves[0][0])
            outcomes = self.problem.outcomes(state, plan[-1])
            if len(outcomes) > 1:
                break
            state = outcomes[0][0]
        return Result(Status.OPTIMAL, None, None, tuple(plan), states, seconds, "search", expectation=found)

    def _valued(self, state: State) -> tuple[tuple[Move, Fraction], ...]:
        """The moves of a state, best first, with their values; all successors must be known."""
        found = [(branch.move, self._expected(branch.outcomes)) for branch in self._branches(state)]
        sign = self.problem.sign_at(state)
        return tuple(sorted(found, key=lambda pair: -sign * pair[1]))

    def _expected(self, outcomes: Outcomes) -> Fraction:
        return sum((probability * self._known[self.problem.key(state)] for state, probability in outcomes), Fraction(0))

    def _searched(self, root: State) -> Expectation | None:
        """Depth-first search with an explicit stack; None if time or memory runs out."""
        stack = [self._frame(root)]
        expanded = 0
        while stack:
            frame = stack[-1]
            if not frame.branches:
                stack.pop()
                del self._open[frame.key]
                best = max(frame.values, key=lambda pair: self.problem.sign_at(frame.state) * pair[1])
                self._known[frame.key] = best[1]
                continue
            branch = frame.branches[-1]
            missing = next((state for state, _ in branch.outcomes if not self._is_known(state, frame, branch)), None)
            if missing is None:
                frame.branches.pop()
                frame.values.append((branch.move, self._expected(branch.outcomes)))
                continue
            expanded += 1
            if expanded % LISTENING == 0 and self._is_over():
                return None
            stack.append(self._frame(missing))
        first = self._valued(root)
        return Expectation(first[0][1], () if self.problem.is_replied(root) else first)

    def _is_known(self, state: State, frame: _Frame, branch: _Branch) -> bool:
        key = self.problem.key(state)
        if key in self._known:
            return True
        if state[POINT] == OVER:
            self._known[key] = Fraction(self.problem.worth(state))
            return True
        if key in self._open:
            raise _comes_back(self.problem.question, format_move(self.problem.engine, frame.state, branch.move))
        return False

    def _frame(self, state: State) -> _Frame:
        """A state to examine, with its moves in reverse order."""
        key = self.problem.key(state)
        self._open[key] = None
        return _Frame(key, state, self._branches(state)[::-1])

    def _branches(self, state: State) -> list[_Branch]:
        """The moves of a state; those of a player who follows a policy are chance, behind the first of them."""
        problem = self.problem
        moves = problem.engine.legal(state)
        if not problem.is_replied(state):
            return [_Branch(move, problem.outcomes(state, move)) for move in moves]
        likely = problem.likely(state, moves)
        found = [(after, share * part) for move, share in likely for after, part in problem.outcomes(state, move)]
        return [_Branch(moves[0], tuple(found))]

    def _is_over(self) -> bool:
        self.listener.progress(None, None, len(self._known))
        return time.monotonic() > self.deadline or len(self._known) > self.limits.states_of()


TOO_LARGE = "an expected value has no bounds until all states have been examined"


def answer_expected(problem: ExpectationProblem, limits: Limits, listener: Listener) -> Result:
    """The best expected value and the value of each first move; `UNKNOWN` if time or memory runs out."""

    def remarked(result: Result) -> Result:
        return evolve(result, remarks=(*result.remarks, TOO_LARGE)) if result.status is Status.UNKNOWN else result

    deadline = time.monotonic() + limits.seconds
    return remarked(Expectimax(problem, deadline, limits, listener.finishing(remarked)).run())
