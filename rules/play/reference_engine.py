"""The reference engine: a direct interpreter of the flow, over the concrete algebra.

It shares only the semantics of terms and effects with the compiled engine; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.base.records import frozen
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Action, Parameter
from rulewright.rules.model.state import COUNTED, OVER, POINT, SEED, STOP, Move, State
from rulewright.rules.model.terms import Binder, Term
from rulewright.rules.semantics.concrete_algebra import ConcreteAlgebra, Values
from rulewright.rules.semantics.concrete_store import ConcreteStore
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.executor import Executor
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    Halt,
    Jump,
    JumpIfFalse,
    LeavePoint,
    LoopNext,
    LoopStart,
    RunProcedure,
    end_of_set_up,
)
from rulewright.rules.semantics.play_errors import endless_flow

from .engine import Engine

Bindings = dict[str, int]


@frozen
class ReferenceEngine:
    """Legal moves, successors and scores of an engine's game, without compiled code."""

    engine: Engine

    def start(self, seed: int = 0) -> State:
        columns = list(self.engine.unset)
        columns[SEED] = seed
        return self._flow(columns, 0)

    def set_up(self, seed: int = 0) -> State:
        """The state after set-up, at no choice: all else that the flow does before its first choice is still to come.

        Loops stand at their first values, so that play may begin inside of them.
        """
        columns = list(self.engine.unset)
        columns[SEED] = seed
        for loop in reversed([step for step in self.engine.flow if isinstance(step, LoopStart)]):
            self._step(columns, loop, loop.values[0])
        return self._flow(columns, 0, end_of_set_up(self.engine.flow))

    def begun(self, after: State) -> State:
        """The state at the first choice, after a state that `set_up` gave."""
        return self._flow(list(after), end_of_set_up(self.engine.flow))

    def legal(self, state: State) -> list[Move]:
        choice = self.engine.choice(state)
        return [] if choice is None else list(self._moves(state, choice))

    def apply(self, state: State, move: Move) -> State:
        choice = self.engine.choice(state)
        assert choice is not None
        columns = list(state)
        if move == STOP:
            return self._flow(columns, choice.leave)
        action = list(self.engine.game.actions.values())[move[0]]
        names = [parameter.name for parameter in action.parameters]
        done = self._carry_out(action.effects, columns, dict(zip(names, move[1:], strict=True)))
        if done.finished:
            return _over(columns)
        return self._flow(columns, choice.leave if done.stopped else choice.resume)

    def passed_on(self, state: State) -> State:
        """The state after passing over a choice without legal moves: at the next choice, or the end of the game."""
        choice = self.engine.choice(state)
        return state if choice is None or self.legal(state) else self._flow(list(state), choice.leave)

    def score(self, state: State) -> int:
        return sum(self._value(score.value, state) for score in self.engine.game.scores)

    def _evaluator(self, columns: Sequence[Any]) -> Evaluator[int, Values]:
        """What evaluates terms in a state, or in columns as they change."""
        return Evaluator(self.engine.instance, ConcreteAlgebra(self.engine.layout, columns))

    def _value(self, term: Term, columns: Sequence[Any]) -> int:
        return self._evaluator(columns).value(term, {})

    def _moves(self, columns: Sequence[Any], choice: ChoicePoint) -> Iterator[Move]:
        evaluator, actions = self._evaluator(columns), self.engine.game.actions
        for name in choice.actions:
            for bindings in bindings_of(evaluator, actions[name].parameters, {}):
                if self._admits(evaluator, actions[name], bindings):
                    yield (self.engine.action_numbers[name], *bindings.values())
        if choice.stop:
            yield STOP

    def _admits(self, evaluator: Evaluator[int, Values], action: Action, bindings: Bindings) -> bool:
        """Whether all that an action requires holds, before its effects and after them."""
        assert isinstance(evaluator.algebra, ConcreteAlgebra)
        if not all(evaluator.value(requirement.condition, bindings) for requirement in action.requirements):
            return False
        after = self.engine.after(evaluator.algebra.state, action, bindings) if action.afterwards else None
        if after is None:
            return True
        return all(self.engine.value(requirement.condition, after, bindings) for requirement in action.afterwards)

    def _carry_out(self, clauses: tuple[EffectClause, ...], columns: list[Any], bindings: Bindings) -> ConcreteStore:
        store = ConcreteStore(self.engine.instance, self.engine.layout, columns)
        Executor(self._evaluator(columns), store).run(clauses, bindings)
        return store

    def _flow(self, columns: list[Any], at: int, end: int = -1) -> State:
        """The state at the next choice or the end, starting at an instruction of the flow; before the instruction `end`, if
        play comes to it."""
        flow, position, horizon = self.engine.flow, self.engine.layout.position, self.engine.horizon
        most = self.engine.game.limits.flow
        for _ in range(most):
            if at == end:
                return _over(columns)
            instruction = flow[at]
            at += 1
            match instruction:
                case RunProcedure(procedure):
                    done = self._carry_out(self.engine.game.procedures[procedure], columns, {})
                    if done.finished:
                        return _over(columns)
                case Jump(target):
                    at = target
                case JumpIfFalse(condition, otherwise):
                    if not self._value(condition, columns):
                        at = otherwise
                case LoopStart(_, values, start):
                    self._step(columns, instruction, values[0] if start is None else self._value(start, columns))
                case LoopNext(variable, values, start, again):
                    first = values[0] if start is None else self._value(start, columns)
                    here = values.index(columns[position(variable, None)])
                    following = values[(here + 1) % len(values)]
                    self._step(columns, instruction, following)
                    if following != first:
                        at = again
                case LeavePoint(point):
                    if horizon is not None and horizon.point == point:
                        columns[COUNTED] += 1
                        if columns[COUNTED] >= horizon.times:
                            return _over(columns)
                case ChoicePoint():
                    columns[POINT] = instruction.number
                    if instruction.stop or next(self._moves(columns, instruction), None):
                        return tuple(columns)
                    at = instruction.leave
                case Halt():
                    return _over(columns)
        raise endless_flow(self.engine.game.players.span, most)

    def _step(self, columns: list[Any], loop: LoopStart | LoopNext, value: int) -> None:
        """Set the variable of a loop."""
        columns[self.engine.layout.position(loop.variable, None)] = value


def _over(columns: list[Any]) -> State:
    columns[POINT] = OVER
    return tuple(columns)


def bindings_of(evaluator: Evaluator[int, Values], parameters: Sequence[Parameter], before: Bindings) -> Iterator[Bindings]:
    """Every binding of parameters, in order, regardless of requirements."""
    if not parameters:
        yield before
        return
    first, *rest = parameters
    domain, where = evaluator.domain_and_test(Binder(first.name, first.domain, first.where, first.type), before)
    for value in dict.fromkeys(domain):
        if where is None or where(value):
            yield from bindings_of(evaluator, rest, {**before, first.name: value})
