"""Sums over the cells of a board, the pieces that lie, or the tiles of a zone, bounded by kind: there are no more of each than
there are tiles.

What a tile counts where it stands is evaluated once for each kind, on a cell of which nothing else is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.linking.pieces.sets import KIND, lies_of
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import layer_name
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_values import YES, AbstractSet, AbstractValue, exactly


@frozen(eq=False)
class _Standing:
    """A cell of a board, or a piece of a set, that is known by nothing but the kind of tile there, 0 for none."""

    name: str
    where: AbstractValue
    kind: int


@define
class EvaluatorByKind(Evaluator[AbstractValue, AbstractSet]):
    """Abstract values of terms; by board or set of pieces, `most` has how many tiles of each kind may be there, `most_in` by
    zone."""

    most: Mapping[str, Sequence[int]] = field(factory=dict, kw_only=True)
    most_in: Mapping[str, Sequence[int]] = field(factory=dict, kw_only=True)
    _standing: list[_Standing] = field(factory=list, init=False)

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The value of a term; of a sum over cells what both ways to bound it show."""
        match term:
            case terms.Sum(worth, binder) if (name := self._summed(binder)) is not None:
                return _within(Evaluator.value(self, term, env), self._by_kind(worth, binder, name, env))
            case terms.Sum(worth, terms.Binder(_, terms.Read(zone)) as binder) if zone in self.most_in:
                return _within(Evaluator.value(self, term, env), self._in_zone(worth, binder, zone, env))
            case terms.Size(terms.Read(zone)) if zone in self.most_in:
                return _within(Evaluator.value(self, term, env), (0, sum(self.most_in[zone])))
            case terms.TableCell(table, column, key) if self._standing and column == KIND:
                kind = self._kind_at(self.value(key, env), lambda name: table == lies_of(name))
                return Evaluator.value(self, term, env) if kind is None else exactly(kind)
            case _:
                return Evaluator.value(self, term, env)

    def _summed(self, binder: terms.Binder) -> str | None:
        """The board over whose cells a sum is, or the set of pieces over whose lying pieces."""
        match binder.type, binder.domain:
            case types.Cell(name), _ if name in self.most:
                return name
            case types.Place(name), terms.Image(terms.Read(layer)) if name in self.most and layer == layer_name(name):
                return name
            case _:
                return None

    def _by_kind(self, worth: terms.Term, binder: terms.Binder, name: str, env: Env) -> tuple[int, int]:
        """The least and the most that a sum comes to: each tile where it counts the most, or the least."""
        low, high, size = 0, 0, len(self.instance.domain(binder.type))
        for kind, number in enumerate(self.most[name]):
            count = size if kind == 0 and isinstance(binder.type, types.Cell) else min(number, size)
            if count == 0:
                continue
            with self._standing_in(name, size, kind) as where:
                inside = YES if binder.where is None else self.value(binder.where, {**env, binder.name: where})
                if not inside.never:
                    each = self.value(worth, {**env, binder.name: where})
                    low, high = low + count * min(0, each.low), high + count * max(0, each.high)
        return low, high

    def _in_zone(self, worth: terms.Term, binder: terms.Binder, zone: str, env: Env) -> tuple[int, int]:
        """The same of a sum over tiles that are in a zone, in those of all players where there are several."""
        low, high = 0, 0
        for kind, number in enumerate(self.most_in[zone]):
            named = {**env, binder.name: exactly(kind)}
            if number and (binder.where is None or not self.value(binder.where, named).never):
                each = self.value(worth, named)
                low, high = low + number * min(0, each.low), high + number * max(0, each.high)
        return low, high

    @contextmanager
    def _standing_in(self, name: str, size: int, kind: int) -> Iterator[AbstractValue]:
        """Any cell or place where a tile of a kind is. It is known again as this very object."""
        where = AbstractValue(0, max(size - 1, 0))
        self._standing.append(_Standing(name, where, kind))
        yield where
        self._standing.pop()

    def _kind_at(self, where: AbstractValue | None, is_asked: Callable[[str], bool]) -> int | None:
        """The kind that is supposed to be at a cell or place; None where none is."""
        return next((known.kind for known in self._standing if known.where is where and is_asked(known.name)), None)

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        """The value of a variable; of a board the kind that is supposed to stand on a cell."""
        kind = self._kind_at(index, lambda name: name == variable)
        return Evaluator.read(self, variable, index) if kind is None else exactly(kind)


def _within(found: AbstractValue, limits: tuple[int, int]) -> AbstractValue:
    """What is known of a value by two ways to bound it."""
    low, high = limits
    return AbstractValue(max(found.low, low), min(found.high, high), needs=found.needs)
