"""Termination of repeated choices: ranking functions that no action raises and some action lowers are found, not declared."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.grammar.tree.expressions import Extreme, Operator
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects
from rulewright.rules.model import game as model
from rulewright.rules.model import terms as tm
from rulewright.rules.model.traversal import conjuncts


def possibly_endless(game: model.Game, choice: model.Choose) -> tuple[str, ...]:
    """The actions of a choice for which no termination proof is found; none when it must end.

    A measure is a number that is at least 0, named by its variable: tiles in a zone, vacant cells of a bounded board, a counter
    above its least, a flag that is not set. They are tried in turn: the actions that lower one leave the list, the others must
    end by the next (a lexicographic ranking function; Colón and Sipma 2001).
    """
    left = [game.actions[name] for name in choice.actions if not _stops(game.actions[name].effects)]
    measures = [v.name for v in game.variables.values() if not v.is_board]
    measures += [v.name for v in game.variables.values() if v.is_board and game.spaces[v.name].size]
    while left:
        for measure in measures:
            changes = [_delta(game, action, measure) for action in left]
            if all(change <= 0 for change in changes) and any(change < 0 for change in changes):
                left = [action for action, change in zip(left, changes, strict=True) if change == 0]
                break
        else:
            break
    return tuple(action.name for action in left)


def _stops(clauses: Iterable[effects.EffectClause]) -> bool:
    return any(isinstance(clause.effect, effects.Stop | effects.Finish) for clause in clauses)


def _delta(game: model.Game, action: model.Action, measure: str) -> int:
    """How an action changes a measure: -1 lowers it for certain, 0 does not raise it, +1 may raise it."""
    total, raised = 0, False
    for clause in action.effects:
        change = _effect(game, action, clause.effect, measure)
        if change > 0 and not _certain(clause.effect):
            raised = True
        total += change
    return 1 if raised or total > 0 else total


def _certain(effect: effects.Effect) -> bool:
    """Whether an effect changes a measure by exactly that number, so that such changes add up."""
    return isinstance(effect, effects.Put | effects.Move | effects.Take | effects.Slide)


def _effect(game: model.Game, action: model.Action, effect: effects.Effect, name: str) -> int:
    """How an effect changes the measure of that name at most."""
    match effect:
        case effects.Put(_, space, _, source):
            return -int(name in (space, source.variable))
        case effects.Take(space, _, target):
            return int(name in (space, target.variable))
        case effects.Move(_, source, target):
            return int(name == target.variable) - int(name == source.variable)
        case effects.MoveAll(_, target) | effects.Deal(_, _, target):
            return int(name == target.variable)
        case effects.Assign(target, assignment, value) if target.variable == name:
            return _assigned(game, action, target, assignment, value)
        case effects.ForEach(_, body):
            return max((max(0, _effect(game, action, c.effect, name)) for c in body), default=0)
        case effects.When(_, body, otherwise):
            return max((max(0, _effect(game, action, c.effect, name)) for c in (*body, *otherwise)), default=0)
        case _:
            return 0


def _assigned(game: model.Game, action: model.Action, target: effects.Location, assignment: Assignment, value: tm.Term) -> int:
    """How an assignment changes its variable: a counter that counts down and a flag set for the first time are lower."""
    place = tm.Read(target.variable, target.index, game.variables[target.variable].type)
    match assignment, value:
        case Assignment.SUBTRACT, _ if (least := _least(game, value)) is not None and least >= 0:
            return -1 if least else 0
        case Assignment.SET, tm.Arithmetic(first, ((Operator.MINUS, tm.Constant(number)),)) if first == place and number > 0:
            return -1
        case Assignment.SET, tm.Constant(1):
            conditions = [part for r in action.requirements for part in conjuncts(r.condition)]
            return -1 if any(isinstance(c, tm.Not) and c.operand == place for c in conditions) else 1
        case _:
            return 1


def _least(game: model.Game, term: tm.Term) -> int | None:
    """A lower bound of a term, read off its form; None where there is none."""
    match term:
        case tm.Constant(value):
            return value
        case tm.MarkerCount() | tm.Size():
            return 0
        case tm.Arithmetic(first, rest) if all(operator is Operator.PLUS for operator, _ in rest):
            terms = [_least(game, part) for part in (first, *(operand for _, operand in rest))]
            known = [least for least in terms if least is not None]
            return sum(known) if len(known) == len(terms) else None
        case tm.ExtremeOf(Extreme.GREATEST, tm.Local(name), tm.Binder(binder, tm.SetLiteral(items), None)) if name == binder:
            return max((least for item in items if (least := _least(game, item)) is not None), default=None)
        case tm.Invoke(name, _):
            definition = game.definitions[name]
            return None if definition.cases else _least(game, definition.value)
        case _:
            return None
