"""The most tiles that a zone ever holds, where requirements of actions limit it: a hand of at most three cards.

By induction over play: a zone begins with no more than its limit, and each action that brings one more tile requires what no
state with as many tiles as that satisfies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from rulewright.base.records import define, frozen
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_algebra import SUMMARISED, AbstractAlgebra
from .abstract_values import HUGE, AbstractSet, AbstractValue, exactly
from .dataflow import DataflowAnalysis, flat, reads


@define
class _Full(Evaluator[AbstractValue, AbstractSet]):
    """Abstract values of terms in the states in which a zone holds a number of tiles."""

    full: tuple[str, tuple[terms.Term, ...]]
    number: int

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        match term:
            case terms.Size(terms.Read(variable, index)) if (variable, index) == self.full:
                return exactly(self.number)
            case _:
                return Evaluator.value(self, term, env)


@frozen
class _Arrival:
    """An action that brings one tile to a zone, and the index of that zone."""

    action: Action
    index: tuple[terms.Term, ...]


@define
class ZoneLimits:
    """The limits of zones in the states reachable from a root, in which at most `coming` tiles can be in each."""

    engine: Engine
    analysis: DataflowAnalysis
    root: State
    coming: Mapping[str, int]

    @cached_property
    def most(self) -> Mapping[str, int]:
        """The most tiles that each zone (of a player, where each has one) ever holds; only of zones that have a limit."""
        limits = {zone: self._limit(zone, coming) for zone, coming in self.coming.items()}
        return {zone: limit for zone, limit in limits.items() if limit is not None}

    def _limit(self, zone: str, coming: int) -> int | None:
        arrivals = self._arrivals(zone)
        if arrivals is None:
            return None
        column = self.engine.layout.columns[zone]
        begins = max(map(len, self.root[column.start : column.start + column.count]))
        full = (number for number in range(begins, coming) if all(self._is_refused(zone, one, number) for one in arrivals))
        return next(full, None)

    def _arrivals(self, zone: str) -> list[_Arrival] | None:
        """The actions that bring tiles to a zone; None if some effect may bring several, or brings one outside of actions."""
        if any(_arriving(zone, self.analysis.procedure_clauses)):
            return None
        found = []
        for action in self.analysis.offered:
            targets = list(_arriving(zone, flat(action.effects)))
            if not targets:
                continue
            index = targets[0].index
            changed = {clause.effect.target.variable for clause in flat(action.effects) if isinstance(clause.effect, ef.Assign)}
            unrepeated = [target for clause in _unrepeated(action.effects) for target in _arriving(zone, [clause])]
            is_one = len(targets) == len(unrepeated) == 1
            if not is_one or any(map(locals_in, index)) or reads(self.engine.game, index) & changed:
                return None
            found.append(_Arrival(action, index))
        return found

    def _is_refused(self, zone: str, arrival: _Arrival, number: int) -> bool:
        """Whether the action is never legal when the zone holds so many tiles."""
        instance, layout = self.engine.instance, self.engine.layout
        algebra = AbstractAlgebra(instance, layout, {}, frozenset(), largest=SUMMARISED)
        evaluator = _Full(instance, algebra, (zone, arrival.index), number)
        environment: dict[str, AbstractValue] = {}
        for parameter in arrival.action.parameters:
            values = instance.domain(parameter.type)
            known = (values.start, values.stop - 1, instance.none(parameter.type), instance.absent(parameter.type))
            environment[parameter.name] = AbstractValue(min(known), max(known)) if values else AbstractValue(-HUGE, HUGE)
        conditions = [requirement.condition for requirement in arrival.action.requirements]
        conditions += [parameter.where for parameter in arrival.action.parameters if parameter.where is not None]
        return any(evaluator.value(condition, environment).never for condition in conditions)


def _unrepeated(body: Iterable[ef.EffectClause]) -> Iterator[ef.EffectClause]:
    """The clauses that run at most once."""
    for clause in body:
        yield clause
        match clause.effect:
            case ef.Keep(_, _, inner):
                yield from _unrepeated(inner)
            case ef.When(_, then, otherwise):
                yield from _unrepeated((*then, *otherwise))
            case _:
                pass


def _arriving(zone: str, clauses: Iterable[ef.EffectClause]) -> Iterator[ef.Location]:
    """Where clauses bring tiles to a zone; twice for those that may bring several."""
    for clause in clauses:
        match clause.effect:
            case ef.Transfer(_, _, target) if target.variable == zone:
                yield target
            case ef.Deal(_, _, target) if target.variable == zone:
                yield target
                yield target
            case _:
                pass
