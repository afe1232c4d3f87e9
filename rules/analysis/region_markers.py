"""Markers of which only their region matters: what they reach, not where in it they stand (a pusher, if pushes count).

A marker is such a one if the rules read it only as the start of one closure, under steps to and fro between cells that a
condition admits. From every cell of a region the same cells are reached; so the marker may stand on the first of them. The
rules are changed so that each action that moves it, as all do that change what the condition reads, puts it there at its end.
Play goes on alike, move by move; what is derived from the original rules holds if it does not follow the marker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.traversal import free_names, locals_in, nodes_of
from rulewright.rules.model.types import Cell, Truth
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.set_evaluator import near_directions
from rulewright.rules.static.dataflow import DataflowAnalysis, flat, reads

TRUTH = Truth()

PUT, FIRST = "put on the first cell", "cell of a region"
"""Names that no text can contain."""


@frozen
class RegionMarkers:
    """Such markers, the closures that read them, and the engine whose actions put them on the first cells of their regions."""

    engine: Engine
    closures: Mapping[str, terms.Closure]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.closures)

    @classmethod
    def of(cls, analysis: DataflowAnalysis, objective: Iterable[terms.Term]) -> RegionMarkers:
        """Those that the objective does not read."""
        engine, actions, closures = analysis.engine, dict(analysis.engine.game.actions), dict[str, terms.Closure]()
        for name in sorted(analysis.live_variables - reads(engine.game, tuple(objective))):
            closure = _closure_of(analysis, name)
            if closure is not None:
                closures[name] = closure
                put = ef.EffectClause(PUT, _put(closure, name), span=closure.span)
                for action in (one for one in analysis.offered if _sets(one, name)):
                    actions[action.name] = evolve(actions[action.name], effects=(*actions[action.name].effects, put))
        if not closures:
            return cls(engine, {})
        game = evolve(engine.game, actions=actions)
        instance = evolve(engine.instance, game=game)
        return cls(Engine(game, instance, engine.layout, engine.flow, engine.horizon), closures)


def _closure_of(analysis: DataflowAnalysis, name: str) -> terms.Closure | None:
    """The only closure by which the rules read a variable, if that is such a marker."""
    engine = analysis.engine
    variable, game = engine.game.variables[name], engine.game
    if variable.is_zone or not isinstance(variable.type, Cell) or engine.layout.columns[name].count != 1:
        return None
    flow = [engine.flow[at] for at in sorted(analysis.reachable)]
    nodes = list(nodes_of(game.definitions, analysis.offered, analysis.procedures, flow))
    known = [node for node in nodes if isinstance(node, terms.Read) and node.variable == name]
    closures = [node for node in nodes if isinstance(node, terms.Closure) and node.start in known]
    if not known or len(closures) != len(known) or len(set(closures)) > 1:
        return None
    if name in reads(game, [clause.effect for clause in analysis.clauses]):
        return None
    decisive = {name} | reads(game, closures[0].binder)
    if any(game.variables[one].is_loop for one in decisive):
        return None
    moved = [action for action in analysis.offered if decisive & _changed(flat(action.effects))]
    if decisive & _changed(analysis.procedure_clauses) or not all(_sets(action, name) for action in moved):
        return None
    return closures[0] if _is_to_and_fro(engine, closures[0]) else None


def _changed(clauses: Iterable[ef.EffectClause]) -> set[str]:
    return set[str]().union(*(ef.changed_by(clause.effect) for clause in clauses))


def _sets(action: Action, name: str) -> bool:
    """Whether an action sets a variable whatever the state."""
    return any(
        isinstance(effect := clause.effect, ef.Assign)
        and effect.target.variable == name
        and effect.assignment is Assignment.SET
        for clause in action.effects
    )


def _is_to_and_fro(engine: Engine, closure: terms.Closure) -> bool:
    """Whether a step leads back wherever the condition admits both of its ends."""
    match closure.binder:
        case terms.Binder(_, terms.Neighbours(space, neighbourhood, terms.Local(origin)), where) if origin == closure.origin:
            if free_names(closure) or (where is not None and origin in locals_in(where)):
                return False
            window = engine.instance.windows[space]
            steps = [window.steps[way] for way in near_directions(window, neighbourhood)]
            pairs = {(cell, step[cell]) for step in steps for cell in range(window.size) if step[cell] != window.nowhere}
            return all((other, cell) in pairs for cell, other in pairs)
        case _:
            return False


def _put(closure: terms.Closure, name: str) -> ef.Assign:
    """Put a marker on the first cell of its region; a marker that stands where the condition does not hold stays."""
    start, binder, cell = closure.start, closure.binder, closure.binder.type
    assert isinstance(start, terms.Read) and isinstance(cell, Cell)
    reached = terms.Binder(FIRST, closure, None, cell)
    value: terms.Term = terms.Fold(terms.Kind.LEAST, reached, terms.Local(FIRST, cell), type=cell)
    if binder.where is not None:
        value = terms.If(terms.Let(binder.name, start, binder.where, TRUTH), value, start, type=cell)
    return ef.Assign(ef.Location(name, start.index), Assignment.SET, value)
