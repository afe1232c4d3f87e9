"""Abstract execution of effects on a state of which some columns are known exactly and all else is unknown.

A condition that the known columns do not decide makes a branching point: the caller explores both decisions.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import Any

from attrs import field

from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import SEED, StateLayout, value_range
from rulewright.rules.semantics.executor import Executor, ZoneEnd
from rulewright.rules.semantics.rng import shuffled
from rulewright.rules.static.abstract_algebra import YES, AbstractAlgebra, AbstractSet, AbstractValue, exactly, one_of

from .guarded_values import Guarded, Unsupported, chance_refused


class CannotTrack(Exception):
    """A variable whose value depends on what is unknown, so that its columns cannot be known exactly."""

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
    """Tells the store which instance of a clause it executes; `parameters` are the bound names that no loop has bound."""

    parameters: frozenset[str]

    def _effect(self, clause: EffectClause, env: Any) -> None:
        loops = ((name, known_number(value)) for name, value in env.items() if name not in self.parameters)
        bound = [(name, number) for name, number in loops if number is not None]
        self.store.here = clause.span, tuple(sorted(bound))  # type: ignore[attr-defined]
        super()._effect(clause, env)


def at_element(loop: ClauseInstance | None, item: object) -> ClauseInstance | None:
    """The instance of a loop's own condition for one of its elements; None for an element that is not known."""
    number = known_number(item)
    return None if loop is None or number is None else (loop[0], (*loop[1], ("", number)))


def known_number(value: object) -> int | None:
    """The number that an abstract or a guarded value is for certain."""
    match value:
        case AbstractValue(low, high) if low == high:
            return low
        case Guarded() if value.known:
            return value.only
        case _:
            return None


@define
class AbstractStore:
    """Effects on `columns`. Branching points follow `given`, then take the first branch; `taken` is what was decided.

    `counts` are further columns, for the number of tiles on a board. `touched`: an untracked live variable was written.
    `repeated`: effects under way happen an unknown number of times.
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
    here: ClauseInstance | None = None
    repeated: bool = False
    touched: bool = False
    stopped: bool = False
    finished: bool = False

    def decide(self) -> bool:
        """The decision at the next branching point."""
        at = len(self.taken)
        self.taken.append(self.given[at] if at < len(self.given) else True)
        return self.taken[at]

    def _is_tracked(self, variable: str) -> bool:
        """Whether a write to a variable has to be executed; else it is only noted. Raises `CannotTrack`."""
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
            raise Unsupported(f"a loop of which it is not known how many tiles it {'lays' if change > 0 else 'takes'}")
        self.columns[self.counts[board]] += change
        if self.columns[self.counts[board]] < 0:
            raise StopsPlay

    def remove(self, source: ZonePlace, tile: AbstractValue, clause: EffectClause) -> None:
        if not self._is_tracked(source.variable):
            return
        at = self._at(*source.zone)
        if tile.low != tile.high:
            raise CannotTrack(source.variable)
        tiles = self.columns[at][::-1] if source.bottom else self.columns[at]
        if tile.low not in tiles:
            raise StopsPlay
        place = tiles.index(tile.low)
        left = tiles[:place] + tiles[place + 1 :]
        self.columns[at] = left[::-1] if source.bottom else left

    def add(self, target: ZonePlace, tile: AbstractValue) -> None:
        if not self._is_tracked(target.variable):
            return
        at = self._at(*target.zone)
        if tile.low != tile.high:
            raise CannotTrack(target.variable)
        self._gain(target, at, (tile.low,))

    def _gain(self, target: ZonePlace, at: int, tiles: tuple[int, ...]) -> None:
        if self.layout.columns[target.variable].variable.storage is Storage.PILE:
            self.columns[at] = self.columns[at] + tiles if target.bottom else tiles[::-1] + self.columns[at]
            return
        found = list(self.columns[at])
        for tile in tiles:
            insort(found, tile)
        self.columns[at] = tuple(found)

    def move_all(self, source: ZonePlace, target: ZonePlace) -> None:
        self.deal(AbstractValue(0, 0), source, target, everything=True)

    def deal(self, number: AbstractValue, source: ZonePlace, target: ZonePlace, everything: bool = False) -> None:
        gives, gains = self._is_tracked(source.variable), self._is_tracked(target.variable)
        if gains and not gives:
            raise CannotTrack(target.variable)
        if not gives:
            return
        start = self._at(*source.zone)
        if number.low != number.high:
            raise CannotTrack(source.variable)
        tiles = self.columns[start][::-1] if source.bottom else self.columns[start]
        many = len(tiles) if everything else max(number.low, 0)
        moved, left = tiles[:many], tiles[many:]
        self.columns[start] = left[::-1] if source.bottom else left
        if gains:
            self._gain(target, self._at(*target.zone), moved)

    def shuffle(self, variable: str, index: AbstractValue | None) -> None:
        if not self._is_tracked(variable):
            raise Unsupported(f"a shuffle of `{variable}`, which holds what is not known")
        at = self._at(variable, index)
        self.columns[at], self.columns[SEED] = shuffled(self.columns[at], self.columns[SEED])

    def when(self, condition: AbstractValue, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if self.repeated and not condition.never:
            then()
            if otherwise is not None and not condition.always:
                otherwise()
            return
        holds = condition.always
        if not holds and not condition.never:
            here = self.here
            if here is None:
                raise Unsupported("a loop over elements that are not known")
            holds = self.decide()
            self.decisions.append((here, holds))
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
                self.here = at_element(loop, item)
                self.when(inside, lambda: body(item), None)  # noqa: B023

    def stop(self) -> None:
        self.stopped = True

    def finish(self) -> None:
        self.finished = True
