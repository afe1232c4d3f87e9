"""Effects as Python text on `t`, the list of columns."""

from __future__ import annotations

from collections.abc import Callable

from ..grammar.classes import define
from . import types
from .blocks import Code, Kind
from .effects import Clause
from .game import Storage
from .layout import SEED, values
from .source import CodeSet, Source, Test

Zone = tuple[str, Code | None]
MAY_LEAVE = (types.Number, types.Enumeration, types.Direction)
"""Types of which an expression may have a value that a variable may not: `side(nothing, d)`, `a -> b` off the line."""


@define
class SourceStore:
    """`may_stop` and `may_finish` say whether an effect set `stopped` or `finished`; `stops` that it always does."""

    source: Source
    may_stop: bool = False
    stops: bool = False
    may_finish: bool = False
    depth: int = 0

    def _line(self, text: str) -> None:
        self.source.writer.line(text)

    def _changed(self) -> None:
        self.source.writer.forget()

    def _clause(self, clause: Clause) -> str:
        return self.source.keep("CLAUSE", clause.name, clause)

    def assign(self, variable: str, index: Code | None, value: Code, clause: Clause) -> None:
        source = self.source
        column = source.layout.columns[variable]
        allowed = values(source.ground, column.variable)
        if index is not None:
            index = self._there(variable, index, clause)
        if len(allowed) == 1 and value.known == allowed.start and not column.over_cells:
            return
        if isinstance(column.variable.type, types.Truth) and value.known is None:
            value = Code(f"(1 if {value.text} else 0)", value.level)
        elif isinstance(column.variable.type, MAY_LEAVE) and (value.known is None or value.known not in allowed):
            value = source.writer.share(value)
            low, high = allowed.start, allowed.stop - 1
            self._line(f"if not {low} <= {value.text} <= {high}:")
            self._line(f"    raise out_of_range({self._clause(clause)}, {variable!r}, {value.text}, {low}, {high})")
        place = source.column(variable, index).text
        if column.over_cells:
            assert index is not None
            self._write(place, index, value, column.as_bytes)
        else:
            self._line(f"{place} = {value.text}")
        self._changed()

    def _there(self, variable: str, index: Code, clause: Clause) -> Code:
        """The index, after a test that it is one: steps lead nowhere, and `nothing` shows no terrain."""
        kind, index = self.source.layout.columns[variable].variable.index, self.source.writer.share(index)
        if isinstance(kind, types.Cell):
            nowhere = str(self.source.ground.windows[kind.space].nowhere)
            self._line(f"if {index.text} == {nowhere}: raise of_nothing({self._clause(clause)}, {variable!r})")
        elif kind == types.TERRAIN:
            self._line(f"if {index.text} < 0: raise of_nothing({self._clause(clause)}, {variable!r})")
        return index

    def _write(self, place: str, index: Code, value: Code, as_bytes: bool) -> None:
        source = self.source
        at = source.writer.share(index).text
        if not as_bytes:
            new = f"({value.text},)"
        elif value.known is not None:
            new = repr(bytes((value.known,)))
        else:
            new = f"{source.keep('BYTE', '', tuple(bytes((n,)) for n in range(256)))}[{value.text}]"
        if as_bytes:
            self._line(f"{place} = written({place}, {at}, {new})")
        else:
            self._line(f"{place} = {place}[:{at}] + {new} + {place}[{at} + 1 :]")

    def put(self, space: str, cell: Code, tile: Code, clause: Clause) -> None:
        source = self.source
        cell, tile = source.writer.share(cell), source.writer.share(tile)
        place = source.column(space, None).text
        nowhere = source.ground.windows[space].nowhere
        self._line(f"if {cell.text} == {nowhere} or {place}[{cell.text}]:")
        self._line(f"    raise cannot_put({self._clause(clause)}, {space!r})")
        self._write(place, cell, tile, source.layout.columns[space].as_bytes)
        self._changed()

    def clear(self, space: str, cell: Code, clause: Clause) -> Code:
        source = self.source
        cell = source.writer.share(cell)
        tile = source.writer.share(source.read(space, cell))
        self._line(f"if not {tile.text}:")
        self._line(f"    raise not_there({self._clause(clause)}, {space!r})")
        self._write(source.column(space, None).text, cell, Code("0", known=0), source.layout.columns[space].as_bytes)
        self._changed()
        return tile

    def remove(self, variable: str, index: Code | None, tile: Code, clause: Clause) -> None:
        source = self.source
        place = source.column(variable, index).text
        tile = source.writer.share(tile)
        at = source.writer.fresh("i")
        self._line("try:")
        self._line(f"    {at} = {place}.index({tile.text})")
        self._line("except ValueError:")
        self._line(f"    raise not_there({self._clause(clause)}, {variable!r}) from None")
        self._line(f"{place} = {place}[:{at}] + {place}[{at} + 1:]")
        self._changed()

    def add(self, variable: str, index: Code | None, tile: Code) -> None:
        self._gain((variable, index), f"({tile.text},)", one=True)
        self._changed()

    def _gain(self, zone: Zone, tiles: str, one: bool = False, in_order: bool = False) -> None:
        """Tiles come to a zone; `in_order` says that they are sorted as a set is."""
        place = self.source.column(*zone).text
        if self._is_pile(zone):
            self._line(f"{place} = {tiles if one else tiles + '[::-1]'} + {place}")
        elif one or in_order:
            self._line(f"{place} = tuple(sorted({place} + {tiles})) if {place} else {tiles}")
        else:
            self._line(f"{place} = tuple(sorted({place} + {tiles}))")

    def _is_pile(self, zone: Zone) -> bool:
        return self.source.layout.columns[zone[0]].variable.storage is Storage.PILE

    def move_all(self, source: Zone, target: Zone) -> None:
        place, tiles = self.source.column(*source).text, self.source.writer.fresh("w")
        self._line(f"{tiles} = {place}")
        self.source.writer.open(f"if {tiles}:", Kind.GUARD)
        self._line(f"{place} = ()")
        self._gain(target, tiles, in_order=not self._is_pile(source))
        self.source.writer.close()
        self._changed()

    def deal(self, number: Code, source: Zone, target: Zone) -> None:
        place, tiles = self.source.column(*source).text, self.source.writer.fresh("w")
        number = self.source.writer.share(number)
        self._line(f"{tiles} = {place}")
        self.source.writer.open(f"if {tiles} and {number.text} > 0:", Kind.GUARD)
        self._line(f"{place} = {tiles}[{number.text}:]")
        self._gain(target, f"{tiles}[:{number.text}]")
        self.source.writer.close()
        self._changed()

    def shuffle(self, variable: str, index: Code | None) -> None:
        place = self.source.column(variable, index).text
        self._line(f"{place}, t[{SEED}] = shuffled({place}, t[{SEED}])")
        self._changed()

    def when(self, condition: Code, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if condition.known is not None:
            chosen = then if condition.known else otherwise
            if chosen is not None:
                chosen()
            return
        condition = self.source.writer.share(condition)
        self._inside(f"if {condition.text}:", then)
        if otherwise is not None:
            self._inside(f"if not {condition.text}:", otherwise)

    def _inside(self, header: str, body: Callable[[], None]) -> None:
        self.source.writer.open(header, Kind.GUARD)
        self.depth += 1
        body()
        self.depth -= 1
        self.source.writer.close()
        self._changed()

    def for_each(self, domain: CodeSet, where: Test | None, body: Callable[[Code], None], uses: int) -> None:
        """Nothing moves out of the loop, for each turn finds what the turn before has changed."""
        writer = self.source.writer
        if domain.items is not None:
            for item, guard in domain.items:
                self._each(item, "if True:" if guard is None else f"if {guard.text}:", where, body)
            return
        name = writer.fresh("e")
        self._each(Code(name, len(writer.stack), simple=True), f"for {name} in tuple({domain.text}):", where, body)

    def _each(self, value: Code, header: str, where: Test | None, body: Callable[[Code], None]) -> None:
        def tested() -> None:
            self._changed()
            if where is None:
                body(value)
            else:
                self.when(where(value), lambda: body(value), None)

        self._inside(header, tested)

    def stop(self) -> None:
        self.may_stop = True
        self.stops = self.stops or self.depth == 0
        self._line("stopped = 1")

    def finish(self) -> None:
        self.may_finish = True
        self._line("finished = 1")
