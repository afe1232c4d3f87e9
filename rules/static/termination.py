"""Termination of repeated choices: finds ranking functions that no action raises and some action lowers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects
from rulewright.rules.model import game as model
from rulewright.rules.model import terms as tm
from rulewright.rules.model.traversal import Inliner, TooLong, conjuncts, locals_in, nodes_of, variables_in


@frozen
class _Measure:
    """A nonnegative number, named by its variable.

    Tiles in a zone, vacant cells of a bounded board, a counter above its least value, unset flags. `rising` is the complement:
    occupied cells, a counter below the bound that a condition imposes, set flags. With a `value`: the number of elements where
    the variable has that value, such as blank cells.
    """

    variable: str
    rising: bool = False
    value: tm.Constant | None = None


def possibly_endless(
    game: model.Game, choice: model.Choose, is_known: Callable[[str], bool] = lambda name: False
) -> tuple[str, ...]:
    """The actions of a choice without a termination proof; none if the choice must end.

    Measures are tried in turn: the actions that lower one are removed, the others must end by the next (a lexicographic ranking
    function; Colón and Sipma 2001). An action that `is_known` to be chosen finitely often is also removed.
    """
    left = [game.actions[name] for name in choice.actions if not _stops(game.actions[name].effects)]
    conditions = {action.name: _conditions(game, action) for action in left}
    measures = [*_measures(game), *_of_values(game, conditions.values())]
    while left:
        for measure in measures:
            changes = [_Reading(game, measure, conditions[action.name]).delta(action.effects) for action in left]
            if all(change <= 0 for change in changes) and any(change < 0 for change in changes):
                left = [action for action, change in zip(left, changes, strict=True) if change == 0]
                break
        else:
            if not (known := [action for action in left if is_known(action.name)]):
                break
            left = [action for action in left if action not in known]
    return tuple(action.name for action in left)


def _measures(game: model.Game) -> Iterator[_Measure]:
    boards = [v for v in game.variables.values() if v.is_board and game.spaces[v.name].size]
    others = [v for v in game.variables.values() if not v.is_board]
    yield from (_Measure(variable.name) for variable in (*others, *boards))
    rising = (*(v for v in others if not v.is_zone), *boards)
    yield from (_Measure(variable.name, rising=True) for variable in rising)


def _of_values(game: model.Game, conditions: Iterable[tuple[tm.Term, ...]]) -> Iterator[_Measure]:
    """The measures of variables with the values that conditions require."""
    found: dict[_Measure, None] = {}
    for condition in (one for all in conditions for one in all):
        match condition:
            case tm.Compare(Comparison.EQUAL, tm.Read(name, index), tm.Constant() as value) if index:
                if not game.variables[name].is_zone:
                    found[_Measure(name, value=value)] = None
    yield from found


def _stops(clauses: Iterable[effects.EffectClause]) -> bool:
    return any(isinstance(clause.effect, effects.End) for clause in clauses)


def _conditions(game: model.Game, action: model.Action) -> tuple[tm.Term, ...]:
    """The conditions that hold when an action is chosen: the `where` of its parameters and its requirements, rules expanded."""
    found: list[tm.Term] = []
    for parameter in action.parameters:
        found += _of_binder(parameter)
    found += (part for requirement in action.requirements for part in conjuncts(requirement.condition))
    return (*found, *(part for condition in found for part in _inlined(game, condition)))


def _inlined(game: model.Game, condition: tm.Term) -> tuple[tm.Term, ...]:
    """The conjuncts of a called definition; none for any other condition."""
    try:
        return conjuncts(Inliner(game.definitions).term(condition, {})) if isinstance(condition, tm.Invoke) else ()
    except TooLong:
        return ()


def _of_binder(binder: tm.Binder) -> Iterator[tm.Term]:
    """The conditions on an element: its membership and its `where`."""
    yield tm.Membership(tm.Local(binder.name, binder.type), binder.domain, type=binder.type)
    if binder.where is not None:
        yield from conjuncts(binder.where)


@frozen
class _Reading:
    """How effects change a measure, given conditions that held before the first; `changed` are variables changed since."""

    game: model.Game
    measure: _Measure
    conditions: tuple[tm.Term, ...]
    changed: frozenset[str] = frozenset()

    def delta(self, clauses: Sequence[effects.EffectClause]) -> int:
        """The change of the measure by effects: -1 certainly lowers it, 0 does not raise it, +1 may raise it.

        A nonempty zone or set loses an element, unless earlier effects emptied it and later ones refill it: so a decrease of
        unknown size counts only if nothing is raised.
        """
        counted, at_least, raises, reading = 0, 0, False, self
        for clause in clauses:
            change = reading._effect(clause.effect)
            if isinstance(clause.effect, effects.Transfer):  # an exact number, so that such changes add up
                counted += change
                raises = raises or change > 0
            elif change > 0:
                return 1
            else:
                at_least = min(at_least, change)
            reading = evolve(reading, changed=reading.changed | _changed_by(clause))
        if counted or raises:
            return max(-1, min(1, counted))
        return at_least

    def _effect(self, effect: effects.Effect) -> int:
        """An upper bound on an effect's change of the measure."""
        name = self.measure.variable
        match effect:
            case effects.Transfer(_, source, target):
                return self._gained(target) - self._gained(source)
            case effects.Deal(number, source, target):
                if self._gained(target):
                    return 1
                certain = number is None or (_least(self.game, number, self.conditions) or 0) > 0
                return -self._gained(source) if certain and self._holds_tiles(source) else 0
            case effects.Assign(target, assignment, value) if target.variable == name:
                return self._assigned(target, assignment, value)
            case effects.ForEach(binder, body):
                # A rebound name differs from that of the conditions.
                outer = tuple(condition for condition in self.conditions if binder.name not in locals_in(condition))
                inside = evolve(self, conditions=(*outer, *_of_binder(binder)), changed=self.changed | _changed_by(*body))
                change = inside.delta(body)
                return change if change >= 0 or self._has_elements(binder) else 0
            case effects.Keep(name_of_set, _, body):
                outer = tuple(condition for condition in self.conditions if name_of_set not in locals_in(condition))
                return evolve(self, conditions=outer).delta(body)
            case effects.When(condition, body, otherwise):
                when = evolve(self, conditions=(*self.conditions, *conjuncts(condition)))
                return max(when.delta(body), self.delta(otherwise))
            case _:
                return 0

    def _gained(self, place: effects.Location) -> int:
        """The change if a tile comes to a place: a zone has one more, a board one vacant cell less."""
        if place.variable != self.measure.variable:
            return 0
        if self.game.variables[place.variable].is_board:
            return 1 if self.measure.rising else -1
        return 0 if self.measure.rising else 1

    def _holds_tiles(self, zone: effects.Location) -> bool:
        """Whether the conditions imply that a zone holds tiles."""
        filled = filter(None, map(_filled, self.conditions))
        return any(isinstance(one, tm.Read) and (one.variable, one.index) == (zone.variable, zone.index) for one in filled)

    def _has_elements(self, binder: tm.Binder) -> bool:
        """Whether the conditions imply that a binder's domain is not empty."""
        if binder.where is not None:
            return False
        match binder.domain:
            case tm.SetLiteral(items):
                return bool(items)
            case tm.Closure(tm.Local()):
                return True  # it contains its start
            case tm.Invoke(name, (tm.Local(),)) if not self.game.definitions[name].cases:
                value = self.game.definitions[name].value
                if isinstance(value, tm.Closure) and isinstance(value.start, tm.Local):
                    return True
        if variables_in(self.game.definitions, binder.domain) & self.changed:
            return False
        return binder.domain in map(_filled, self.conditions)

    def _assigned(self, target: effects.Location, assignment: Assignment, value: tm.Term) -> int:
        """The change by an assignment: a counter that moves one way, or a flag set for the first time, is lower."""
        place = tm.Read(target.variable, target.index, type=self.game.variables[target.variable].type)
        if self.measure.value is not None:
            return self._revalued(place, self.measure.value, assignment, value)
        if self.measure.rising:
            return self._risen(place, assignment, value)
        match assignment, value:
            case Assignment.SUBTRACT, _ if (least := _least(self.game, value, self.conditions)) is not None and least >= 0:
                return -1 if least else 0
            case Assignment.SET, tm.Arithmetic(first, ((Operator.MINUS, tm.Constant(number)),)) if first == place:
                return -1 if number > 0 else 1
            case Assignment.SET, tm.Constant(1):
                return -1 if any(isinstance(c, tm.Not) and c.operand == place for c in self.conditions) else 1
            case _:
                return 1

    def _revalued(self, place: tm.Read, counted: tm.Constant, assignment: Assignment, value: tm.Term) -> int:
        """The change in the number of elements with the counted value: one that had it and gets another is one less."""
        if assignment is not Assignment.SET or not self._differs(value, counted):
            return 1
        had = any(
            isinstance(one, tm.Compare) and (one.operator, one.left, one.right) == (Comparison.EQUAL, place, counted)
            for one in self.conditions
        )
        return -1 if had else 0

    def _differs(self, value: tm.Term, other: tm.Constant) -> bool:
        """Whether a value certainly differs from a constant."""
        if isinstance(value, tm.Constant):
            return value.value != other.value
        least = _least(self.game, value, self.conditions)
        if least is not None and least > other.value:
            return True
        return isinstance(value, tm.Local) and any(_says_unequal(condition, value, other) for condition in self.conditions)

    def _risen(self, place: tm.Read, assignment: Assignment, value: tm.Term) -> int:
        if assignment is Assignment.SET and isinstance(value, tm.Constant) and value.value == 0 and place in self.conditions:
            return -1  # a flag that was set
        least = _least(self.game, value, self.conditions) if assignment is Assignment.ADD else None
        if least is None or least < 0:
            return 1
        return -1 if least and any(_is_bounded(condition, place) for condition in self.conditions) else 0


@lru_cache(maxsize=4096)
def _changed_by(*clauses: effects.EffectClause) -> frozenset[str]:
    """The variables that effects change."""
    return frozenset(node.variable for node in nodes_of({}, *clauses) if isinstance(node, effects.Location))


def _filled(condition: tm.Term) -> tm.Term | None:
    """The set or zone that a condition implies to be nonempty: by its size, or because it has an element."""
    match condition:
        case tm.Membership(_, domain) | tm.Not(tm.Compare(Comparison.EQUAL, tm.Size(domain), tm.Constant(0))):
            return domain
        case tm.Compare(Comparison.UNEQUAL, tm.Size(domain), tm.Constant(0)):
            return domain
        case tm.Compare(Comparison.GREATER, tm.Size(domain), tm.Constant(number)) if number >= 0:
            return domain
        case tm.Compare(Comparison.AT_LEAST, tm.Size(domain), tm.Constant(number)) if number >= 1:
            return domain
        case _:
            return None


def _says_unequal(condition: tm.Term, left: tm.Term, right: tm.Term) -> bool:
    match condition:
        case tm.Compare(Comparison.UNEQUAL, one, other) | tm.Not(tm.Compare(Comparison.EQUAL, one, other)):
            return (one, other) == (left, right)
        case _:
            return False


def _is_bounded(condition: tm.Term, place: tm.Read) -> bool:
    """Whether a condition bounds a counter from above by a constant of play."""
    match condition:
        case tm.Compare(Comparison.LESS | Comparison.AT_MOST, left, bound) if left == place:
            pass
        case tm.Compare(Comparison.GREATER | Comparison.AT_LEAST, bound, right) if right == place:
            pass
        case _:
            return False
    return not any(isinstance(node, tm.Read | tm.Local | tm.Invoke) for node in nodes_of({}, bound))


def _least(game: model.Game, term: tm.Term, conditions: tuple[tm.Term, ...]) -> int | None:
    """A lower bound of a term, from its form and the range of a name; None if there is none."""
    match term:
        case tm.Constant(value):
            return value
        case tm.Lookup(tm.Markers() | tm.MarkersIn()) | tm.Size():
            return 0
        case tm.Local(name):
            ranges = (c.domain for c in conditions if isinstance(c, tm.Membership) and c.item == term)
            return max((low for domain in ranges if (low := _lowest(game, domain, conditions)) is not None), default=None)
        case tm.Arithmetic(first, rest) if all(operator is Operator.PLUS for operator, _ in rest):
            terms = [_least(game, part, conditions) for part in (first, *(operand for _, operand in rest))]
            known = [least for least in terms if least is not None]
            return sum(known) if len(known) == len(terms) else None
        case tm.Fold(tm.Kind.GREATEST, tm.Binder(binder, tm.SetLiteral(items), None), tm.Local(name)) if name == binder:
            return max((least for item in items if (least := _least(game, item, conditions)) is not None), default=None)
        case tm.Invoke(name, _):
            definition = game.definitions[name]
            return None if definition.cases else _least(game, definition.value, ())
        case _:
            return None


def _lowest(game: model.Game, domain: tm.Term, conditions: tuple[tm.Term, ...]) -> int | None:
    """A lower bound of the numbers of a set."""
    match domain:
        case tm.Interval(low, _):
            return _least(game, low, conditions)
        case tm.SetLiteral(items):
            found = [_least(game, item, conditions) for item in items]
            return min((least for least in found if least is not None), default=None) if None not in found else None
        case _:
            return None
