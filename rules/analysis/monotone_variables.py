"""Variables that the rules only raise or only lower, and abstract values that use this.

A counter that is only added to never falls below its present value; a flag that is only cleared stays cleared; a variable that
nothing changes keeps its value; an append-only board keeps its tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects
from rulewright.rules.model.game import Definition, Storage
from rulewright.rules.model.state import value_range
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import SUMMARISED, AbstractAlgebra
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis

AbstractEvaluator = Evaluator[AbstractValue, AbstractSet]


@frozen
class MonotoneVariables:
    """Variables that are never lowered and those that are never raised; a constant variable is both."""

    never_lowered: frozenset[str]
    never_raised: frozenset[str]

    @classmethod
    def of(cls, engine: Engine, analysis: DataflowAnalysis) -> MonotoneVariables:
        """Abstractly interpret every effect that may still happen; large sets are summarised."""
        variables = engine.game.variables.values()
        names = {v.name for v in variables if v.storage is Storage.VALUE and not v.is_board and not v.is_loop}
        never_lowered, never_raised = set(names), set(names)
        algebra = AbstractAlgebra(engine.instance, engine.layout, {}, frozenset(), largest=SUMMARISED)
        evaluator = Evaluator(engine.instance, algebra)
        for effect, environment in _effects(analysis, evaluator):
            if not isinstance(effect, effects.Assign) or effect.target.variable not in names:
                continue
            name = effect.target.variable
            if name not in never_lowered | never_raised:
                continue
            value = evaluator.value(effect.value, environment)
            allowed = value_range(engine.instance, engine.game.variables[name])
            match effect.assignment:
                case Assignment.ADD:
                    raises, lowers = value.high > 0, value.low < 0
                case Assignment.SUBTRACT:
                    raises, lowers = value.low < 0, value.high > 0
                case Assignment.SET:
                    raises, lowers = value.high > allowed.start, value.low < allowed.stop - 1
            if raises:
                never_raised.discard(name)
            if lowers:
                never_lowered.discard(name)
        return cls(frozenset(never_lowered), frozenset(never_raised))

    @property
    def monotone(self) -> frozenset[str]:
        """The monotone variables, constant ones included."""
        return self.never_lowered | self.never_raised

    @property
    def changing(self) -> frozenset[str]:
        """The monotone variables that may change."""
        return self.never_lowered ^ self.never_raised


_BoundEffect = tuple[effects.Effect, Mapping[str, Any]]


def _effects(analysis: DataflowAnalysis, evaluator: AbstractEvaluator) -> Iterable[_BoundEffect]:
    """Every effect that may still happen, with the abstract values of the names bound there."""
    for action in analysis.offered:
        environment: dict[str, AbstractValue] = {}
        for parameter in action.parameters:
            environment[parameter.name] = element_of(evaluator.set(parameter.domain, environment))
        yield from _flat(action.effects, environment, evaluator)
    for body in analysis.procedures:
        yield from _flat(body, {}, evaluator)


def _flat(
    body: Iterable[effects.EffectClause], environment: Mapping[str, Any], evaluator: AbstractEvaluator
) -> Iterable[_BoundEffect]:
    for clause in body:
        yield clause.effect, environment
        match clause.effect:
            case effects.ForEach(bound, inner):
                element = element_of(evaluator.set(bound.domain, environment))
                yield from _flat(inner, {**environment, bound.name: element}, evaluator)
            case effects.Keep(name, value, inner):
                yield from _flat(inner, {**environment, name: evaluator.set(value, environment)}, evaluator)
            case effects.When(_, then, otherwise):
                yield from _flat((*then, *otherwise), environment, evaluator)
            case _:
                pass


def element_of(domain: AbstractSet) -> AbstractValue:
    """An abstract value for any element of a set."""
    if domain.items is None:
        return domain.element
    lows, highs = [i.low for i, _ in domain.items], [i.high for i, _ in domain.items]
    return AbstractValue(min(lows), max(highs)) if lows else exactly(0)


@define
class MonotoneAlgebra(AbstractAlgebra):
    """Abstract values over all states reachable from one state."""

    state: State = field(kw_only=True)
    variables: MonotoneVariables = field(kw_only=True)
    invariant: dict[str, AbstractValue | None] = field(kw_only=True)
    """Known values of definitions that read nothing in which these states differ."""
    given: Mapping[str, int] = field(kw_only=True)
    """Known values of unindexed variables."""

    def invoke(
        self,
        definition: Definition,
        arguments: Sequence[AbstractValue],
        body: Callable[[Sequence[AbstractValue]], AbstractValue],
    ) -> AbstractValue:
        if definition.name not in self.invariant:
            return body(arguments)
        found = self.invariant[definition.name]
        if found is None:
            found = self.invariant[definition.name] = body(arguments)
        return found

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        if variable in self.given:
            return exactly(self.given[variable])
        if variable not in self.variables.monotone or (index is not None and index.low != index.high):
            return super().read(variable, index)
        here = self._current(variable, None if index is None else index.low)
        allowed = self.anything(variable)
        low = here if variable in self.variables.never_lowered else allowed.low
        high = here if variable in self.variables.never_raised else allowed.high
        return AbstractValue(low, high)

    def _current(self, variable: str, index: int | None) -> int:
        column = self.layout.columns[variable]
        found: int = self.state[self.layout.position(variable, index)]
        if column.over_cells:
            assert index is not None
            found = self.state[column.start][index]
        return found
