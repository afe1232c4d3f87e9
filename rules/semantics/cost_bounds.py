"""What is asked of the bounds on evaluation: whether rules are within the limits, and what a term costs.

A rule text may come from a stranger. What would run for hours, expand without end or compute numbers of a million digits is
refused at the place that causes it.
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
    """Raises `RulesError`: RW059 (too many steps, too large numbers), RW252 (too large or too deep when written out)."""
    _analysis_of(instance)


def largest_clause(instance: Instance) -> Span:
    """Where the requirement, effect, score or invariant stands of which the most is written."""
    return _analysis_of(instance).largest[1]


def written_parts(instance: Instance) -> int:
    """How many parts the rules have once all definitions are written out. Raises `RulesError` as `check_cost` does."""
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
    """The most steps that a term takes, given the types of its bound names; looked at `by_kind` or all of them."""
    return _cost_of(instance, term, env, by_kind).steps


def length_of(instance: Instance, *code: tm.Term | None) -> int:
    """How many parts terms have once all definitions are written out."""
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
