"""Why a repeated choice must end: a measure that no action raises and that some action lowers, found and not declared."""

from __future__ import annotations

from collections.abc import Iterable

from ..grammar.classes import frozen
from ..grammar.expressions import Extreme, Operator
from ..grammar.statements import Assignment
from . import effects as e
from . import game as g
from . import terms as t

Delta = int | None
"""What an action does to a measure: -1 lowers it for certain, 0 does not raise it, +1 may raise it."""


@frozen
class Measure:
    """A number that is at least 0 in every state: tiles in a zone, a counter above its least, a flag not yet raised."""

    variable: str
    kind: str


def endless(game: g.Game, choice: g.Choose) -> tuple[str, ...]:
    """The actions of a choice that could be repeated for ever, as far as can be seen; none when it must end.

    Measures are tried one after another: those that lower it leave the list, the rest must end by the next (a lexicographic
    ranking, after Colón and Sipma 2001).
    """
    left = [game.actions[name] for name in choice.actions if not _stops(game.actions[name].effects)]
    measures = [Measure(v.name, v.storage.value) for v in game.variables.values() if not v.is_board]
    measures += [Measure(v.name, "vacant") for v in game.variables.values() if v.is_board and game.spaces[v.name].size]
    while left:
        for measure in measures:
            changes = [_delta(game, action, measure) for action in left]
            if all(change <= 0 for change in changes) and any(change < 0 for change in changes):
                left = [action for action, change in zip(left, changes, strict=True) if change == 0]
                break
        else:
            break
    return tuple(action.name for action in left)


def _stops(clauses: Iterable[e.Clause]) -> bool:
    return any(isinstance(clause.effect, e.Stop | e.Finish) for clause in clauses)


def _delta(game: g.Game, action: g.Action, measure: Measure) -> int:
    total, raised = 0, False
    for clause in action.effects:
        change = _effect(game, action, clause.effect, measure)
        if change > 0 and not _certain(clause.effect):
            raised = True
        total += change
    return 1 if raised or total > 0 else total


def _certain(effect: e.Effect) -> bool:
    """Whether an effect changes a measure by exactly what is said: those may be added up."""
    return isinstance(effect, e.Put | e.Move | e.Take | e.Slide)


def _effect(game: g.Game, action: g.Action, effect: e.Effect, measure: Measure) -> int:
    name = measure.variable
    match effect:
        case e.Put(_, space, _, source):
            return -int(name in (space, source.variable))
        case e.Take(space, _, target):
            return int(name in (space, target.variable))
        case e.Move(_, source, target):
            return int(name == target.variable) - int(name == source.variable)
        case e.MoveAll(_, target) | e.Deal(_, _, target):
            return int(name == target.variable)
        case e.Assign(target, assignment, value) if target.variable == name:
            return _assigned(game, action, target, assignment, value)
        case e.ForEach(_, body):
            return max((max(0, _effect(game, action, c.effect, measure)) for c in body), default=0)
        case e.When(_, body, otherwise):
            return max((max(0, _effect(game, action, c.effect, measure)) for c in (*body, *otherwise)), default=0)
        case _:
            return 0


def _assigned(game: g.Game, action: g.Action, target: e.Place, assignment: Assignment, value: t.Term) -> int:
    """A counter counts down; a flag that is required to be down is raised."""
    place = t.Read(target.variable, target.index, game.variables[target.variable].type)
    match assignment, value:
        case Assignment.SUBTRACT, _ if (least := _least(game, value)) is not None and least >= 0:
            return -1 if least else 0
        case Assignment.SET, t.Arithmetic(first, ((Operator.MINUS, t.Constant(n)),)) if first == place and n > 0:
            return -1
        case Assignment.SET, t.Constant(1):
            conditions = [part for r in action.requirements for part in _parts(r.condition)]
            return -1 if any(isinstance(c, t.Not) and c.operand == place for c in conditions) else 1
        case _:
            return 1


def _least(game: g.Game, term: t.Term) -> int | None:
    """A number that a term never comes below, when its form tells one."""
    match term:
        case t.Constant(value):
            return value
        case t.MarkerCount() | t.Size():
            return 0
        case t.Arithmetic(first, rest) if all(operator is Operator.PLUS for operator, _ in rest):
            terms = [_least(game, part) for part in (first, *(operand for _, operand in rest))]
            known = [least for least in terms if least is not None]
            return sum(known) if len(known) == len(terms) else None
        case t.ExtremeOf(Extreme.GREATEST, t.Local(name), t.Bound(bound, t.Listed(items), None)) if name == bound:
            return max((least for item in items if (least := _least(game, item)) is not None), default=None)
        case t.Invoke(name, _):
            definition = game.definitions[name]
            return None if definition.cases else _least(game, definition.value)
        case _:
            return None


def _parts(condition: t.Term) -> tuple[t.Term, ...]:
    return condition.parts if isinstance(condition, t.And) else (condition,)
