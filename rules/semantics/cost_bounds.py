"""The interface of the cost analysis: whether rules are within the limits, and what a term costs.

A rule text may come from a stranger. Rules that would run for hours, expand without end or compute numbers of a million digits
are refused at the place that causes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.diagnostics import RulesError
from rulewright.base.spans import Span
from rulewright.rules.model import terms as tm
from rulewright.rules.model import types
from rulewright.rules.model.instance import Instance

from .cost_analysis import LONGEST_WAIT, CostAnalysis
from .costs import Cost

__all__ = ["LONGEST_WAIT", "check_cost", "largest_clause", "length_of", "most_steps", "steps_of", "written_parts"]


def check_cost(instance: Instance) -> None:
    """Raise `RulesError`: RW059 (too many steps, too large numbers), RW252 (too large or too deep when expanded)."""
    _analysis_of(instance)


def largest_clause(instance: Instance) -> Span:
    """The span of the largest requirement, effect, score or invariant."""
    return _analysis_of(instance).largest[1]


def written_parts(instance: Instance) -> int:
    """The number of parts of the rules with all definitions expanded. Raises `RulesError` as `check_cost` does."""
    return _analysis_of(instance).parts


def most_steps(instance: Instance) -> int:
    """The most evaluation steps of a list of moves, an effect or a score. Raises `RulesError` as `check_cost` does."""
    return _analysis_of(instance).most_steps


def _analysis_of(instance: Instance) -> CostAnalysis:
    analysis, game = CostAnalysis(instance), instance.game
    for action in game.actions.values():
        analysis.action(action)
    for body in game.procedures.values():
        analysis.written(analysis.clauses(body, {}), body[0].span if body else game.players.span)
    for node in game.flow:
        analysis.flow(node)
    for score in game.scores:
        analysis.written(analysis.term(score.value, {}), score.span)
    for invariant in game.invariants:
        analysis.written(analysis.term(invariant.condition, {}), invariant.span)
    return analysis


def steps_of(instance: Instance, term: tm.Term, env: Mapping[str, types.Type], by_kind: bool = True) -> int:
    """The most steps that a term takes, given the types of its bound names; `by_kind`: cells are looked up by kind of tile."""
    return _cost_of(instance, term, env, by_kind).steps


def length_of(instance: Instance, *code: tm.Term | None) -> int:
    """The number of parts of terms with all definitions expanded."""
    try:
        return sum(_cost_of(instance, term, {}, True).parts for term in code if term is not None)
    except RulesError:
        return LONGEST_WAIT


def _cost_of(instance: Instance, term: tm.Term, env: Mapping[str, types.Type], by_kind: bool) -> Cost:
    key = (term, by_kind, tuple(env.items()))
    found = instance.costs.get(key)
    if not isinstance(found, Cost):
        analysis = CostAnalysis(instance, by_kind)
        found = instance.costs[key] = analysis.term(term, {name: analysis.of_type(type) for name, type in env.items()})
    return found
