"""The interface of the cost analysis: whether rules are within the limits, and what a term costs.

A rule text may come from a stranger. Rules that would run for hours, expand without end or compute numbers of a million digits
are refused at the place that causes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.spans import Span
from rulewright.rules.model import terms as tm
from rulewright.rules.model import types
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Action, Choose
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.traversal import nodes_of

from .cost_analysis import LONGEST_WAIT, CostAnalysis
from .costs import Cost

__all__ = ["LONGEST_WAIT", "check_cost", "estimated_parts", "is_long", "largest_clause", "length_of", "most_steps", "steps_of"]


def check_cost(instance: Instance) -> None:
    """Raise `RulesError`: RW059 (too many steps, too large numbers), RW252 (too large, or nested too deeply)."""
    largest, most = _analysis_of(instance).largest[1], instance.game.limits.written
    if _written_parts(instance) > most:
        message = f"the rules have more than {most} parts, those of an action counted for each choice that offers it"
        help = "offer actions in fewer places, or split the game"
        raise RulesError((Diagnostic("RW252", message, (Label(largest, "this clause contributes most"),), help),))


def largest_clause(instance: Instance) -> Span:
    """The span of the largest requirement, effect, score or invariant."""
    return _analysis_of(instance).largest[1]


def estimated_parts(instance: Instance) -> int:
    """An estimate of the parts of all code, short definitions and short loops written out. Raises `RulesError` as
    `check_cost` does."""
    return _analysis_of(instance).parts


def most_steps(instance: Instance) -> int:
    """The most evaluation steps of a list of moves, an effect or a score. Raises `RulesError` as `check_cost` does."""
    return _analysis_of(instance).most_steps


def _analysis_of(instance: Instance) -> CostAnalysis:
    analysis, game = CostAnalysis(instance), instance.game
    for action in game.actions.values():
        analysis.action(action)
    for body in game.procedures.values():
        analysis.clause(analysis.clauses(body, {}), body[0].span if body else game.players.span)
    for node in game.flow:
        analysis.flow(node)
    for score in game.scores:
        analysis.clause(analysis.term(score.value, {}), score.span)
    for invariant in game.invariants:
        analysis.clause(analysis.term(invariant.condition, {}), invariant.span)
    return analysis


def _written_parts(instance: Instance) -> int:
    """The number of terms and effects of a game, those of an action once for each choice that offers it."""
    game = instance.game
    clauses = [*game.definitions.values(), *game.procedures.values(), game.flow, game.scores, game.invariants]
    choices = [node for node in nodes_of({}, game.flow) if isinstance(node, Choose)]
    offered = [game.actions[name] for choice in choices for name in choice.actions]
    return sum(isinstance(node, (tm.Term, EffectClause)) for node in nodes_of({}, *clauses, *game.actions.values(), *offered))


LONG = 100_000
"""Steps of a loop, an action or effects beyond which their loops look for each element whether time is over: an estimate, not
measured."""


def is_long(instance: Instance, *nodes: tm.Binder | tm.Term | Action | EffectClause) -> bool:
    """Whether an action, effects, or a loop over a binder with some bodies may take more than `LONG` steps."""
    key = "is long", nodes
    if key not in instance.costs:
        analysis = CostAnalysis(instance)
        try:
            instance.costs[key] = analysis.steps(nodes) > LONG
        except RulesError:
            instance.costs[key] = True
    return bool(instance.costs[key])


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
