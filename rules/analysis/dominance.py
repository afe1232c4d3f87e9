"""Dominance by earnings: of states that differ only in a variable of which more is better, keep the one with the most.

The variable counts for the objective. Beyond that, rules only add to it, subtract from it, set it, or test it in requirements
that more of it can only satisfy. A plan from a poorer state can then be played from a richer one for at least the same value,
provided that play lasts as long: each choice has an action that is always legal, or `stop`. A plan that would raise the
variable beyond its range stops the game from the poorer state and, sooner, from the richer one.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import value_range
from rulewright.rules.static import monotone
from rulewright.rules.static.dataflow import DataflowAnalysis, reads
from rulewright.rules.static.resources import resources_of

RESOURCE_BITS = 48
"""Bits for all resources of a state, including a guard bit for each."""


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
        if variable.storage is Storage.VALUE and variable.index is None and not variable.is_loop and name not in others:
            read = [value for value in values if name in reads(game, value)]
            ways = {
                monotone.rises(game, value, name) if sign > 0 else monotone.negated(monotone.rises(game, value, name))
                for value in read
            }
            asked = {monotone.rises(game, condition, name) for condition in requirements if name in reads(game, condition)}
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
