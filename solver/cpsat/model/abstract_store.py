"""Effects on what is kept of a state when the rest is forgotten: where that is not enough to say what happens, both do."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.base.spans import Span
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import SEED, StateLayout, value_range
from rulewright.rules.semantics.executor import Executor
from rulewright.rules.semantics.rng import shuffled
from rulewright.rules.static.abstract_algebra import YES, AbstractAlgebra, AbstractSet, AbstractValue, exactly, one_of

from .guarded_values import Guarded
from .symbolic_algebra import Unsupported


class Forget(Exception):
    """A column that cannot be kept: its value comes from what is forgotten."""

    def __init__(self, variable: str) -> None:
        super().__init__(variable)
        self.variable = variable


class Impossible(Exception):
    """What would happen is an error of play: no plan goes there."""


@define
class Kept(AbstractAlgebra):
    """The cautious reading where some columns are known."""

    columns: list[Any] = field(kw_only=True)
    kept: frozenset[str] = field(kw_only=True)

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        if variable not in self.kept:
            return super().read(variable, index)
        if index is None:
            return exactly(self.columns[self.layout.position(variable, None)])
        places = index.values
        if places is None:
            return self.anything(variable)
        column = self.layout.columns[variable]
        inside = [p for p in places if 0 <= p - column.offset < column.count]
        return one_of(frozenset(self.columns[column.start + p - column.offset] for p in inside)) if inside else exactly(0)

    def zone(self, variable: str, index: AbstractValue | None) -> AbstractSet:
        if variable in self.kept and (index is None or index.low == index.high):
            tiles = self.columns[self.layout.position(variable, None if index is None else index.low)]
            return AbstractSet(tuple((exactly(tile), YES) for tile in tiles))
        return super().zone(variable, index)

    def top(self, pile: AbstractSet) -> AbstractValue:
        if pile.items is None:
            return super().top(pile)
        return pile.items[0][0] if pile.items else exactly(0)


Where = tuple[Span, tuple[tuple[str, int], ...]]
"""A clause, with the elements that loops have bound there."""


@frozen
class Decision:
    """How a condition on what is forgotten was decided."""

    where: Where
    holds: bool


@define
class LocatedExecutor(Executor[Any, Any]):
    """Tells the store which clause is at work, with the elements bound there; `parameters` are bound otherwise."""

    parameters: frozenset[str]

    def _effect(self, clause: EffectClause, env: Any) -> None:
        bound = [
            (name, v) for name, value in env.items() if name not in self.parameters and (v := known_number(value)) is not None
        ]
        self.store.here = clause.span, tuple(sorted(bound))  # type: ignore[attr-defined]
        super()._effect(clause, env)


def element_of(here: Where | None, item: object) -> Where | None:
    """A loop's clause, at one of its elements."""
    number = known_number(item)
    return None if here is None or number is None else (here[0], (*here[1], ("", number)))


def known_number(value: object) -> int | None:
    """The number that a value is for certain, in either reading."""
    match value:
        case AbstractValue(low, high) if low == high:
            return low
        case Guarded() if value.known:
            return value.only
        case _:
            return None


@define
class AbstractStore:
    """Effects on `columns`. `given` are decisions to follow; beyond them every condition holds, and is noted in `taken`.

    `counts` are further columns: how many tiles lie on a board.
    """

    instance: Instance
    layout: StateLayout
    columns: list[Any]
    algebra: Kept
    live: frozenset[str]
    counts: dict[str, int]
    given: tuple[bool, ...] = ()
    taken: list[bool] = field(factory=list)
    decisions: list[Decision] = field(factory=list)
    here: Where | None = None
    perhaps: bool = False
    """It is not known how often what happens now does happen."""
    touched: bool = False
    stopped: bool = False
    finished: bool = False

    def decide(self) -> bool:
        """What an open condition is taken to be."""
        at = len(self.taken)
        holds = self.given[at] if at < len(self.given) else True
        self.taken.append(holds)
        return holds

    def _forgotten(self, variable: str) -> bool:
        if variable in self.algebra.kept:
            if self.perhaps:
                raise Forget(variable)
            return False
        self.touched = self.touched or variable in self.live
        return True

    def _at(self, variable: str, index: AbstractValue | None) -> int:
        if index is not None and index.low != index.high:
            raise Forget(variable)
        try:
            return self.layout.position(variable, None if index is None else index.low)
        except IndexError as error:
            raise Impossible from error

    def assign(self, variable: str, index: AbstractValue | None, value: AbstractValue, clause: EffectClause) -> None:
        if self._forgotten(variable):
            return
        at = self._at(variable, index)
        if value.low != value.high:
            raise Forget(variable)
        if value.low not in value_range(self.instance, self.layout.columns[variable].variable):
            raise Impossible
        self.columns[at] = value.low

    def put(self, space: str, cell: AbstractValue, tile: AbstractValue, clause: EffectClause) -> None:
        self.touched = True
        if space in self.counts:
            if self.perhaps:
                raise Unsupported("a loop of which it is not known how many tiles it lays")
            self.columns[self.counts[space]] += 1

    def clear(self, space: str, cell: AbstractValue, clause: EffectClause) -> AbstractValue:
        self.touched = True
        if space in self.counts:
            if self.perhaps:
                raise Unsupported("a loop of which it is not known how many tiles it takes")
            if not self.columns[self.counts[space]]:
                raise Impossible
            self.columns[self.counts[space]] -= 1
        return AbstractValue(1, len(self.instance.game.tiles))

    def remove(self, variable: str, index: AbstractValue | None, tile: AbstractValue, clause: EffectClause) -> None:
        if self._forgotten(variable):
            return
        at = self._at(variable, index)
        if tile.low != tile.high:
            raise Forget(variable)
        tiles = list(self.columns[at])
        if tile.low not in tiles:
            raise Impossible
        tiles.remove(tile.low)
        self.columns[at] = tuple(tiles)

    def add(self, variable: str, index: AbstractValue | None, tile: AbstractValue) -> None:
        if self._forgotten(variable):
            return
        at = self._at(variable, index)
        if tile.low != tile.high:
            raise Forget(variable)
        self._gain(variable, at, (tile.low,))

    def _gain(self, variable: str, at: int, tiles: tuple[int, ...]) -> None:
        if self.layout.columns[variable].variable.storage is Storage.PILE:
            self.columns[at] = tiles[::-1] + self.columns[at]
            return
        found = list(self.columns[at])
        for tile in tiles:
            insort(found, tile)
        self.columns[at] = tuple(found)

    def move_all(self, source: tuple[str, AbstractValue | None], target: tuple[str, AbstractValue | None]) -> None:
        self._carry(None, source, target)

    def deal(
        self, number: AbstractValue, source: tuple[str, AbstractValue | None], target: tuple[str, AbstractValue | None]
    ) -> None:
        self._carry(number, source, target)

    def _carry(
        self, number: AbstractValue | None, source: tuple[str, AbstractValue | None], target: tuple[str, AbstractValue | None]
    ) -> None:
        away, there = self._forgotten(source[0]), self._forgotten(target[0])
        if away:
            if not there:
                raise Forget(target[0])
            return
        start = self._at(*source)
        if number is not None and number.low != number.high:
            raise Forget(source[0])
        tiles = self.columns[start]
        many = len(tiles) if number is None else max(number.low, 0)
        moved, self.columns[start] = tiles[:many], tiles[many:]
        if not there:
            self._gain(target[0], self._at(*target), moved)

    def shuffle(self, variable: str, index: AbstractValue | None) -> None:
        if self._forgotten(variable):
            raise Unsupported(f"a shuffle of `{variable}`, which holds what is not known")
        at = self._at(variable, index)
        self.columns[at], self.columns[SEED] = shuffled(self.columns[at], self.columns[SEED])

    def when(self, condition: AbstractValue, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        here = self.here
        if self.perhaps and not condition.never:
            then()
            if otherwise is not None and not condition.always:
                otherwise()
            return
        if condition.never or condition.always:
            holds = condition.always
        else:
            if here is None:
                raise Unsupported("a loop over elements that are not known")
            holds = self.decide()
            self.decisions.append(Decision(here, holds))
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
            outer, self.perhaps = self.perhaps, True
            body(domain.element)
            self.perhaps = outer
            return
        here = self.here
        for item, guard in domain.items:
            inside = guard if where is None else self.algebra.conjunction([lambda g=guard: g, lambda i=item: where(i)])  # type: ignore[misc]
            if inside.never:
                continue
            self.here = element_of(here, item)
            self.when(inside, lambda i=item: body(i), None)  # type: ignore[misc]

    def stop(self) -> None:
        self.stopped = True

    def finish(self) -> None:
        self.finished = True


def possible_elements(domain: AbstractSet) -> Sequence[int] | None:
    """The elements that a set may hold, each once; None where they are not known."""
    if domain.items is None or any(item.low != item.high for item, _ in domain.items):
        return None
    return tuple(dict.fromkeys(item.low for item, guard in domain.items if not guard.never))
