"""Dominance by earnings: of states that differ only in a variable of which more is better, keep the one with the most.

The variable counts for the objective. Beyond that, rules only add to it, subtract from it, set it, or test it in requirements
that more of it can only satisfy. A plan from a poorer state can then be played from a richer one for at least the same value,
provided that play lasts as long: each choice has an action that is always legal, or `stop`. A plan that would raise the
variable beyond its range stops the game from the poorer state and, sooner, from the richer one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.linking.questions import Question
from rulewright.rules.machine.memory_layout import RESOURCE_BITS
from rulewright.rules.model import effects, terms
from rulewright.rules.model import effects as ef
from rulewright.rules.model.game import Definition, Variable
from rulewright.rules.model.state import value_range
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics import flow_graph
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static import resources
from rulewright.rules.static.abstract_algebra import SUMMARISED, AbstractAlgebra
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, any_element, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis, reads
from rulewright.rules.static.resources import resources_of, rises

# Monotone variables ---------------------------------------------------------------------------------------------------
# Variables that the rules only raise or only lower, and abstract values that use this.
#
# A counter that is only added to never falls below its present value; a flag that is only cleared stays cleared; a variable
# that nothing changes keeps its value; an append-only board keeps its tiles.


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
        names = {v.name for v in variables if not v.is_zone and not v.is_board and not v.is_loop}
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
            environment[parameter.name] = any_element(evaluator.set(parameter.domain, environment))
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
                element = any_element(evaluator.set(bound.domain, environment))
                yield from _flat(inner, {**environment, bound.name: element}, evaluator)
            case effects.Keep(name, value, inner):
                yield from _flat(inner, {**environment, name: evaluator.set(value, environment)}, evaluator)
            case effects.When(_, then, otherwise):
                yield from _flat((*then, *otherwise), environment, evaluator)


@define
class MonotoneAlgebra(AbstractAlgebra):
    """Abstract values over all states reachable from one state."""

    state: State = field(kw_only=True)
    variables: MonotoneVariables = field(kw_only=True)
    invariant: dict[str, AbstractValue | None] = field(kw_only=True)
    """Known values of definitions that read nothing in which these states differ."""
    given: Mapping[str, int] = field(kw_only=True)
    """Known values of unindexed variables."""

    def invoke(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Any]) -> Any:
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


# Dominance by earnings ------------------------------------------------------------------------------------------------


def earned(analysis: DataflowAnalysis, values: Iterable[terms.Term], sign: int) -> dict[str, bool]:
    """The variable of which more (True) or less (False) is never worse; the one of widest range if there are several, none
    if the rules do not show it. `sign` is -1 if the values are to be minimised."""
    engine = analysis.engine
    game, values = engine.game, tuple(values)
    if not never_stuck(analysis):
        return {}
    requirements = [requirement.condition for action in analysis.offered for requirement in action.requirements]
    others = reads(game, [term for term in analysis.conditions if term not in requirements])
    for clause in analysis.clauses:
        match clause.effect:
            case ef.Assign(target, _, value):
                others |= reads(game, value, target.index)
            case effect:
                others |= reads(game, effect)
    found: dict[str, bool] = {}
    for variable in sorted(game.variables.values(), key=lambda one: len(value_range(engine.instance, one))):
        name = variable.name
        if not variable.is_zone and variable.index is None and not variable.is_loop and name not in others:
            read = [value for value in values if name in reads(game, value)]
            ways = {
                resources.rises(game, value, name) if sign > 0 else resources.negated(resources.rises(game, value, name))
                for value in read
            }
            asked = {resources.rises(game, condition, name) for condition in requirements if name in reads(game, condition)}
            if read and len(ways | asked) == 1 and (way := ways.pop()) is not None:
                found = {name: way}
    return found if not found or _bits(analysis, found) <= RESOURCE_BITS else {}


def never_stuck(analysis: DataflowAnalysis) -> bool:
    """Whether no choice ever ends for lack of a legal action; additional legal actions then cannot prolong play."""
    engine = analysis.engine
    offers = [[engine.game.actions[name] for name in choice.actions] for choice in engine.choices if not choice.stop]
    return all(any(not action.parameters and not action.every_requirement for action in offered) for offered in offers)


def resource_bits(values: range) -> int:
    """Bits of one resource, including its guard bit."""
    return (len(values) - 1).bit_length() + 1


def _bits(analysis: DataflowAnalysis, found: dict[str, bool]) -> int:
    """Bits of all resources together."""
    columns = [analysis.engine.layout.columns[name] for name in {**resources_of(analysis), **found}]
    return sum(column.count * resource_bits(value_range(analysis.engine.instance, column.variable)) for column in columns)


# Counters that follow from the cost of a plan and of which less is never worse ----------------------------------------
# They need not tell states apart.
#
# The number of moves determines a counter that each move raises by the same amount. If a grown counter can only forbid moves
# or end play, the state reached at the lower cost can do everything that its counterpart can.


@define
class CostCounters:
    """The counters of a least-cost question that need not tell states apart."""

    engine: Engine
    question: Question
    analysis: DataflowAnalysis

    @property
    def names(self) -> frozenset[str]:
        found, changing = self.engine.game.variables.values(), self.analysis.changing_variables
        counting = (v for v in found if not v.is_zone and v.index is None and not v.is_loop)
        return frozenset(v.name for v in counting if v.name in changing and self._is_one(v))

    def _is_one(self, variable: Variable) -> bool:
        name = variable.name
        return self._is_known_from_cost(name) and self._is_never_missed(name)

    def _is_known_from_cost(self, name: str) -> bool:
        """Whether a lower cost implies a lower count."""
        match self.question.values:
            case (terms.Read(variable, ()),):
                return variable == name
            case ():
                return self.question.counts_moves and self._rises_with_each_move(name)
            case _:
                return False

    def _rises_with_each_move(self, name: str) -> bool:
        if any(choice.stop for choice in self.analysis.choices):
            return False
        steps: set[terms.Term] = set()
        for action in self.analysis.offered:
            own = [clause.effect for clause in action.effects if _changes(clause.effect, name)]
            match own:
                case [effects.Assign(_, Assignment.ADD, terms.Constant() as step)] if step.value >= 0:
                    steps.add(step)
                case _:
                    return False
        everywhere = sum(_changes(clause.effect, name) for clause in self.analysis.clauses)
        offered = sum(len(choice.actions) for choice in self.analysis.choices)
        return len(steps) == 1 and everywhere == offered

    def _is_never_missed(self, name: str) -> bool:
        """Whether everything possible with a higher count is possible with a lower one."""
        game = self.engine.game
        if name in reads(game, self.question.until):
            return False
        for clause in self.analysis.clauses:
            if _changes(clause.effect, name):
                assert isinstance(clause.effect, effects.Assign)
                if name in reads(game, clause.effect.value):
                    return False
            elif name in reads(game, clause.effect):
                return False
        parameters = [parameter for action in self.analysis.offered for parameter in action.parameters]
        asked = [choice.by for choice in self.analysis.choices if choice.by is not None]
        if name in reads(game, asked, parameters):
            return False
        for choice in self.analysis.choices:
            conditions = [r.condition for action in choice.actions for r in game.actions[action].every_requirement]
            is_asked = name in reads(game, conditions)
            if is_asked and not (self._ends(choice.leave) and all(self._falls(condition, name) for condition in conditions)):
                return False
        return all(self._is_no_way_on(at, name) for at in self.analysis.reachable)

    def _is_no_way_on(self, at: int, name: str) -> bool:
        """Whether an instruction does not test the counter, or tests it only to end play once it has grown."""
        game = self.engine.game
        match self.engine.flow[at]:
            case flow_graph.JumpIfFalse(condition, otherwise) if name in reads(game, condition):
                return self._falls(condition, name) and self._ends(otherwise)
            case flow_graph.LoopStart() | flow_graph.LoopNext() as loop:
                return loop.start is None or name not in reads(game, loop.start)
            case _:
                return True

    def _falls(self, term: terms.Term, name: str) -> bool:
        """Whether the form of a condition shows that it can only become false as the counter grows."""
        game = self.engine.game
        return name not in reads(game, term) or rises(game, term, name) is False

    def _ends(self, at: int) -> bool:
        """Whether the flow from an instruction leads straight to its end, without choices or effects."""
        pending, seen = [at], {at}
        while pending:
            here = pending.pop()
            match self.engine.flow[here]:
                case flow_graph.ChoicePoint() | flow_graph.RunProcedure() | flow_graph.LoopStart():
                    return False
                case flow_graph.LoopNext(_, values):
                    if len(values) > 1:
                        return False
                    after: tuple[int, ...] = (here + 1,)
                case _:
                    after = flow_graph.following(self.engine.flow, here)
            pending += [one for one in after if one not in seen]
            seen.update(after)
        return True


def _changes(effect: effects.Effect, name: str) -> bool:
    return isinstance(effect, effects.Assign) and effect.target.variable == name
