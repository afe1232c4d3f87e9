"""Abstract execution of effects on a state with some columns known exactly and all else unknown.

A condition that the known columns do not decide is a branching point: the caller explores both decisions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.base.records import define, field
from rulewright.base.spans import Span
from rulewright.rules.model.effects import EffectClause, ForEach
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import SEED, StateLayout, dealt, value_range, with_more, without
from rulewright.rules.model.terms import Binder, SetLiteral
from rulewright.rules.semantics.executor import Executor, Store, ZoneEnd
from rulewright.rules.semantics.rng import shuffled
from rulewright.rules.static.abstract_algebra import AbstractAlgebra
from rulewright.rules.static.abstract_values import YES, AbstractSet, AbstractValue, exactly, one_of

from .circuit import Refused, refusing_at
from .guarded_values import Guarded, chance_refused


class CannotTrack(Exception):
    """A variable that depends on unknown values, so its columns cannot be tracked exactly."""

    def __init__(self, variable: str) -> None:
        super().__init__(variable)
        self.variable = variable


class StopsPlay(Exception):
    """The effects are an error of play in this state: no plan makes this move."""


@define
class TrackingAlgebra(AbstractAlgebra):
    """Abstract values of terms where the columns of `tracked` variables are known."""

    columns: list[Any] = field(kw_only=True)
    tracked: frozenset[str] = field(kw_only=True)

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        if variable not in self.tracked:
            return super().read(variable, index)
        if index is None:
            return exactly(self.columns[self.layout.position(variable, None)])
        places = index.values
        if places is None:
            return self.anything(variable)
        column = self.layout.columns[variable]
        inside = [place - column.offset for place in places if 0 <= place - column.offset < column.count]
        return one_of(frozenset(self.columns[column.start + place] for place in inside)) if inside else exactly(0)

    def zone(self, variable: str, index: AbstractValue | None) -> AbstractSet:
        if variable in self.tracked and (index is None or index.low == index.high):
            tiles = self.columns[self.layout.position(variable, None if index is None else index.low)]
            return AbstractSet(tuple((exactly(tile), YES) for tile in tiles))
        return super().zone(variable, index)

    def draw(self, domain: AbstractSet, span: Span) -> AbstractValue:
        raise chance_refused(span)

    def top(self, pile: AbstractSet, bottom: bool) -> AbstractValue:
        if pile.items is None:
            return super().top(pile, bottom)
        return pile.items[-1 if bottom else 0][0] if pile.items else exactly(0)


ClauseInstance = tuple[Span, tuple[tuple[str, int], ...]]
"""A clause, with the elements that loops have bound there."""

Decision = tuple[ClauseInstance, bool]
"""The branch taken at a condition that the tracked columns do not decide."""

ZonePlace = ZoneEnd[AbstractValue]


@define
class LocatedExecutor(Executor[Any, Any]):
    """Tells the store which instance of a clause is executed: that for the elements bound by loops of several rounds.

    `parameters` are the other bound names: abstract execution may know their values where symbolic does not, or vice versa.
    """

    parameters: frozenset[str]

    def _effect(self, clause: EffectClause, env: Any) -> None:
        match clause.effect:
            case ForEach(Binder(name, SetLiteral((_,)))):
                outer, self.parameters = self.parameters, self.parameters | {name}
                self._located(clause, env)
                self.parameters = outer
            case _:
                self._located(clause, env)

    def _located(self, clause: EffectClause, env: Any) -> None:
        loops = ((name, known_number(value)) for name, value in env.items() if name not in self.parameters)
        bound = [(name, number) for name, number in loops if number is not None]
        self.store.here = clause.span, tuple(sorted(bound))  # type: ignore[attr-defined]
        with refusing_at(clause.span, clause.name):
            super()._effect(clause, env)


def unsupported_at(what: str, instance: ClauseInstance) -> Refused:
    """The error that the model does not cover a clause."""
    span, _ = instance
    return Refused(what, span)


def at_element(loop: ClauseInstance | None, item: object) -> ClauseInstance | None:
    """The instance of a loop's own condition for one of its elements; None for an element that is not known."""
    number = known_number(item)
    return None if loop is None or number is None else (loop[0], (*loop[1], ("", number)))


def is_of_element(instance: ClauseInstance) -> bool:
    """Whether an instance is a loop's own condition for an element."""
    return any(not name for name, _ in instance[1])


def may_be_one(instance: ClauseInstance, other: ClauseInstance) -> bool:
    """Whether two different instances may be one because abstract and symbolic execution know different elements."""
    (span, elements), (other_span, others) = instance, other
    one, two = dict(elements), dict(others)
    return span == other_span and one.keys() != two.keys() and all(one[name] == two[name] for name in one.keys() & two.keys())


def known_number(value: object) -> int | None:
    """The number that an abstract or guarded value certainly is; None if there is none."""
    match value:
        case AbstractValue(low, high) if low == high:
            return low
        case Guarded() if value.known:
            return value.only
        case _:
            return None


@define
class AbstractStore(Store[AbstractValue, AbstractSet]):
    """Executes effects on `columns`. Branching points follow `given`, then take the first branch; `taken` has all decisions.

    `counts` are extra columns for the number of tiles on each board. `touched`: an untracked live variable was written.
    `repeated`: the current effects happen an unknown number of times.
    """

    instance: Instance
    layout: StateLayout
    columns: list[Any]
    algebra: TrackingAlgebra
    live: frozenset[str]
    counts: dict[str, int]
    given: tuple[bool, ...] = ()
    taken: list[bool] = field(factory=list)
    decisions: list[Decision] = field(factory=list)
    seen: set[ClauseInstance] = field(factory=set)
    here: ClauseInstance | None = None
    loop: ClauseInstance | None = None
    repeated: bool = False
    touched: bool = False
    stopped: bool = False
    finished: bool = False

    def begin(self) -> None:
        """Start another list of effects."""
        self.touched, self.decisions = False, []
        self.seen.clear()

    def decide(self) -> bool:
        """The decision at the next branching point."""
        at = len(self.taken)
        self.taken.append(self.given[at] if at < len(self.given) else True)
        return self.taken[at]

    def _is_tracked(self, variable: str) -> bool:
        """Whether a write to a variable must be executed; else it is only recorded. Raises `CannotTrack` if it is repeated."""
        if variable not in self.algebra.tracked:
            self.touched = self.touched or variable in self.live
            return False
        if self.repeated:
            raise CannotTrack(variable)
        return True

    def _at(self, variable: str, index: AbstractValue | None) -> int:
        if index is not None and index.low != index.high:
            raise CannotTrack(variable)
        try:
            return self.layout.position(variable, None if index is None else index.low)
        except IndexError as error:
            raise StopsPlay from error

    def assign(self, variable: str, index: AbstractValue | None, value: AbstractValue, clause: EffectClause) -> None:
        if not self._is_tracked(variable):
            return
        at = self._at(variable, index)
        if value.low != value.high:
            raise CannotTrack(variable)
        if value.low not in value_range(self.instance, self.layout.columns[variable].variable):
            raise StopsPlay
        self.columns[at] = value.low

    def existing(self, variable: str, index: AbstractValue, clause: EffectClause) -> AbstractValue:
        if self._is_tracked(variable):
            self._at(variable, index)
        return index

    def put(self, space: str, cell: AbstractValue, tile: AbstractValue, clause: EffectClause) -> None:
        self._count(space, 1)

    def clear(self, space: str, cell: AbstractValue, clause: EffectClause) -> AbstractValue:
        self._count(space, -1)
        return AbstractValue(1, len(self.instance.game.tiles))

    def _count(self, board: str, change: int) -> None:
        self.touched = True
        if board not in self.counts:
            return
        if self.repeated:
            raise Refused(f"a loop that {'lays' if change > 0 else 'takes'} an unknown number of tiles")
        self.columns[self.counts[board]] += change
        if self.columns[self.counts[board]] < 0:
            raise StopsPlay

    def remove(self, source: ZonePlace, tile: AbstractValue, clause: EffectClause) -> None:
        if not self._is_tracked(source.variable):
            return
        at = self._at(*source.zone)
        if tile.low != tile.high:
            raise CannotTrack(source.variable)
        left = without(self.columns[at], tile.low, source.bottom)
        if left is None:
            raise StopsPlay
        self.columns[at] = left

    def add(self, target: ZonePlace, tile: AbstractValue) -> None:
        if not self._is_tracked(target.variable):
            return
        at = self._at(*target.zone)
        if tile.low != tile.high:
            raise CannotTrack(target.variable)
        self._gain(target, at, (tile.low,))

    def _gain(self, target: ZonePlace, at: int, tiles: tuple[int, ...]) -> None:
        is_pile = self.layout.columns[target.variable].variable.storage is Storage.PILE
        self.columns[at] = with_more(self.columns[at], tiles, target.bottom, is_pile)

    def deal(self, number: AbstractValue | None, source: ZonePlace, target: ZonePlace) -> None:
        gives, gains = self._is_tracked(source.variable), self._is_tracked(target.variable)
        if gains and not gives:
            raise CannotTrack(target.variable)
        if not gives:
            return
        start = self._at(*source.zone)
        if number is not None and number.low != number.high:
            raise CannotTrack(source.variable)
        moved, self.columns[start] = dealt(self.columns[start], None if number is None else number.low, source.bottom)
        if gains:
            self._gain(target, self._at(*target.zone), moved)

    def shuffle(self, variable: str, index: AbstractValue | None) -> None:
        if not self._is_tracked(variable):
            raise Refused(f"a shuffle of `{variable}`, whose contents are unknown")
        at = self._at(variable, index)
        self.columns[at], self.columns[SEED] = shuffled(self.columns[at], self.columns[SEED])

    def when(self, condition: AbstractValue, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if self.repeated and not condition.never:
            then()
            if otherwise is not None and not condition.always:
                otherwise()
            return
        holds, here = condition.always, self.here
        if not holds and not condition.never:
            if here is None:
                assert self.loop is not None, "only an element of a loop has no place of its own"
                raise unsupported_at("a loop over elements that are not known", self.loop)
            if here in self.seen:
                raise unsupported_at("a condition that is looked at twice in the same effects", here)
            holds = self.decide()
            self.decisions.append((here, holds))
        elif here is not None and any(instance == here for instance, _ in self.decisions):
            raise unsupported_at("a condition that is looked at twice in the same effects", here)
        if here is not None:
            self.seen.add(here)
        if holds:
            then()
        elif otherwise is not None:
            otherwise()

    def for_each(
        self,
        domain: AbstractSet,
        where: Callable[[AbstractValue], AbstractValue] | None,
        body: Callable[[AbstractValue], None],
    ) -> None:
        if domain.items is None:
            outer, self.repeated = self.repeated, True
            body(domain.element)
            self.repeated = outer
            return
        loop = self.here
        for item, guard in domain.items:
            # Not for all elements at once: the condition may read what the body has written.
            inside = guard if where is None else self.algebra.conjunction([lambda: guard, lambda: where(item)])  # noqa: B023
            if not inside.never:
                self.here, self.loop = at_element(loop, item), loop
                self.when(inside, lambda: body(item), None)  # noqa: B023

    def end(self, game: bool) -> None:
        self.finished = self.finished or game
        self.stopped = self.stopped or not game
