"""Effects of the concrete semantics on a list of columns."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import SEED, StateLayout, value_range

from .concrete_algebra import ConcreteAlgebra, Function, Values
from .executor import ZoneEnd
from .play_errors import cannot_lay, cannot_put, out_of_range, tile_missing, undefined_index
from .rng import shuffled

Zone = ZoneEnd[int]


@define
class ConcreteStore:
    """Effects on `columns`; `algebra` reads the columns as they change."""

    instance: Instance
    layout: StateLayout
    columns: list[Any]
    algebra: ConcreteAlgebra = field(init=False)
    stopped: bool = False
    finished: bool = False

    def __attrs_post_init__(self) -> None:
        self.algebra = ConcreteAlgebra(self.layout, self.columns)

    def assign(self, variable: str, index: int | None, value: int, clause: EffectClause) -> None:
        column = self.layout.columns[variable]
        allowed = value_range(self.instance, column.variable)
        if index is not None:
            self.existing(variable, index, clause)
        if value not in allowed and column.variable.is_layer:
            raise cannot_lay(clause, column.variable.pieces)
        if value not in allowed:
            raise out_of_range(clause, variable, value, allowed.start, allowed.stop - 1)
        if column.over_cells:
            assert index is not None
            self._write(column.start, index, value, column.as_bytes)
        else:
            self.columns[self.layout.position(variable, index)] = value

    def existing(self, variable: str, index: int, clause: EffectClause) -> int:
        kind = self.layout.columns[variable].variable.index
        if kind is not None and index not in self.instance.domain(kind):
            raise undefined_index(clause, variable)
        return index

    def _write(self, at: int, index: int, value: int, as_bytes: bool) -> None:
        old = self.columns[at]
        self.columns[at] = old[:index] + (bytes((value,)) if as_bytes else (value,)) + old[index + 1 :]

    def put(self, space: str, cell: int, tile: int, clause: EffectClause) -> None:
        column = self.layout.columns[space]
        if cell >= self.instance.windows[space].size or self.columns[column.start][cell]:
            raise cannot_put(clause, space)
        self._write(column.start, cell, tile, column.as_bytes)

    def clear(self, space: str, cell: int, clause: EffectClause) -> int:
        column = self.layout.columns[space]
        tile: int = self.columns[column.start][cell]
        if not tile:
            raise tile_missing(clause, space)
        self._write(column.start, cell, 0, column.as_bytes)
        return tile

    def remove(self, source: Zone, tile: int, clause: EffectClause) -> None:
        at = self.layout.position(*source.zone)
        tiles = self._from_end(at, source)
        if tile not in tiles:
            raise tile_missing(clause, source.variable)
        tiles.remove(tile)
        self.columns[at] = _ordered(tiles, source)

    def _from_end(self, at: int, source: Zone) -> list[int]:
        """The tiles of a zone in the order in which they are taken."""
        return list(reversed(self.columns[at]) if source.bottom else self.columns[at])

    def add(self, target: Zone, tile: int) -> None:
        self._gain(target, [tile])

    def _gain(self, target: Zone, tiles: list[int]) -> None:
        """Tiles go onto a pile, or under it, one by one."""
        at = self.layout.position(*target.zone)
        if self.layout.columns[target.variable].variable.storage is Storage.PILE:
            self.columns[at] = _ordered(tiles[::-1] + self._from_end(at, target), target)
        else:
            kept = list(self.columns[at])
            for tile in tiles:
                insort(kept, tile)
            self.columns[at] = tuple(kept)

    def move_all(self, source: Zone, target: Zone) -> None:
        at = self.layout.position(*source.zone)
        tiles, self.columns[at] = self._from_end(at, source), ()
        self._gain(target, tiles)

    def deal(self, number: int, source: Zone, target: Zone) -> None:
        at = self.layout.position(*source.zone)
        tiles = self._from_end(at, source)
        number = max(number, 0)
        self.columns[at] = _ordered(tiles[number:], source)
        self._gain(target, tiles[:number])

    def shuffle(self, variable: str, index: int | None) -> None:
        at = self.layout.position(variable, index)
        self.columns[at], self.columns[SEED] = shuffled(self.columns[at], self.columns[SEED])

    def when(self, condition: int, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if condition:
            then()
        elif otherwise is not None:
            otherwise()

    def for_each(self, domain: Values, where: Function | None, body: Callable[[int], None]) -> None:
        for value in tuple(domain):
            if where is None or where(value):
                body(value)

    def kept(self, domain: Values) -> Values:
        return tuple(domain)

    def stop(self) -> None:
        self.stopped = True

    def finish(self) -> None:
        self.finished = True


def _ordered(tiles: list[int], zone: Zone) -> tuple[int, ...]:
    """The tiles of a zone, top first, given the order in which they are taken."""
    return tuple(reversed(tiles) if zone.bottom else tiles)
