"""Effects as Python text on `t`, the list of columns."""

from __future__ import annotations

from rulewright.base.records import define, field
from rulewright.rules.codegen.code_evaluator import CodeStore, Zone
from rulewright.rules.codegen.writer import NO, BlockKind, Code
from rulewright.rules.model import types
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import SEED, value_range

from .algebra import PythonAlgebra, PythonSet

MAY_LEAVE = (types.Number, types.Enumeration, types.Direction, types.Place, types.Player)
"""Types of expressions whose value may be out of a variable's range: `side(nothing, d)`, `a -> b` off the line, none."""


@define
class PythonStore(CodeStore[PythonSet]):
    """A store in which effects that the state does not allow raise `PlayError`."""

    algebra: PythonAlgebra = field()

    def _clause(self, clause: EffectClause) -> str:
        return self.algebra.keep("CLAUSE", clause.name, clause)

    def assign(self, variable: str, index: Code | None, value: Code, clause: EffectClause) -> None:
        column = self.algebra.layout.columns[variable]
        allowed = value_range(self.algebra.instance, column.variable)
        if index is not None:
            index = self.existing(variable, index, clause)
        if len(allowed) == 1 and value.known == allowed.start and not column.over_cells:
            return
        if isinstance(column.variable.type, types.Truth) and value.known is None:
            value = Code(f"(1 if {value.text} else 0)")
        elif isinstance(column.variable.type, MAY_LEAVE) and (value.known is None or value.known not in allowed):
            value = self.writer.share(value)
            low, high = allowed.start, allowed.stop - 1
            self.line(f"if not {low} <= {value.text} <= {high}:")
            if column.variable.is_layer:
                self.line(f"    raise cannot_lay({self._clause(clause)}, {column.variable.pieces!r})")
            else:
                self.line(f"    raise out_of_range({self._clause(clause)}, {variable!r}, {value.text}, {low}, {high})")
        place = self.algebra.column(variable, index)
        if column.over_cells:
            assert index is not None
            self._write(place, index, value, column.as_bytes)
        else:
            self.change(f"{place} = {value.text}")

    def existing(self, variable: str, index: Code, clause: EffectClause) -> Code:
        """The index, tested to exist: a step may lead nowhere, and `nothing` shows no terrain."""
        kind, index = self.algebra.layout.columns[variable].variable.index, self.writer.share(index)
        if isinstance(kind, types.Cell):
            nowhere = self.algebra.instance.windows[kind.space].nowhere
            self.line(f"if {index.text} == {nowhere}: raise undefined_index({self._clause(clause)}, {variable!r})")
        elif isinstance(kind, types.Pair):
            end = self.algebra.instance.none(kind)
            self.line(f"if {index.text} == {end}: raise undefined_index({self._clause(clause)}, {variable!r})")
        elif kind == types.TERRAIN:
            self.line(f"if {index.text} < 0: raise undefined_index({self._clause(clause)}, {variable!r})")
        elif kind in self.algebra.instance.optional:
            none = self.algebra.instance.absent(kind)
            self.line(f"if {index.text} == {none}: raise undefined_index({self._clause(clause)}, {variable!r})")
        return index

    def _write(self, place: str, index: Code, value: Code, as_bytes: bool) -> None:
        """Change one value of a column over cells."""
        at = self.writer.share(index).text
        if not as_bytes:
            self.change(f"{place} = {place}[:{at}] + ({value.text},) + {place}[{at} + 1 :]")
        elif value.known is not None:
            self.change(f"{place} = written({place}, {at}, {bytes((value.known,))!r})")
        else:
            table = self.algebra.keep("BYTE", "", tuple(bytes((number,)) for number in range(256)))
            self.change(f"{place} = written({place}, {at}, {table}[{value.text}])")

    def put(self, space: str, cell: Code, tile: Code, clause: EffectClause) -> None:
        cell, tile = self.writer.share(cell), self.writer.share(tile)
        place, nowhere = self.algebra.column(space, None), self.algebra.instance.windows[space].nowhere
        self.line(f"if {cell.text} == {nowhere} or {place}[{cell.text}]:")
        self.line(f"    raise cannot_put({self._clause(clause)}, {space!r})")
        self._write(place, cell, tile, self.algebra.layout.columns[space].as_bytes)

    def clear(self, space: str, cell: Code, clause: EffectClause) -> Code:
        cell = self.writer.share(cell)
        tile = self.writer.share(self.algebra.read(space, cell))
        self.line(f"if not {tile.text}:")
        self.line(f"    raise tile_missing({self._clause(clause)}, {space!r})")
        self._write(self.algebra.column(space, None), cell, NO, self.algebra.layout.columns[space].as_bytes)
        return tile

    def remove(self, source: Zone, tile: Code, clause: EffectClause) -> None:
        place = self.algebra.column(*source.zone)
        tile = self.writer.share(tile)
        at = self.writer.fresh("i")
        found = f"{place}.index({tile.text})"
        self.line("try:")
        self.line(f"    {at} = {f'len({place}) - 1 - {place}[::-1].index({tile.text})' if source.bottom else found}")
        self.line("except ValueError:")
        self.line(f"    raise tile_missing({self._clause(clause)}, {source.variable!r}) from None")
        self.change(f"{place} = {place}[:{at}] + {place}[{at} + 1:]")

    def add(self, target: Zone, tile: Code) -> None:
        self._gain(target, f"({tile.text},)", one=True)

    def _gain(self, zone: Zone, tiles: str, one: bool = False, in_order: bool = False) -> None:
        """Add tiles to a zone; `in_order` says that they are sorted as a set is."""
        place = self.algebra.column(*zone.zone)
        if zone.bottom:
            self.change(f"{place} = {place} + {tiles}")
        elif self._is_pile(zone):
            self.change(f"{place} = {tiles if one else tiles + '[::-1]'} + {place}")
        elif one or in_order:
            self.change(f"{place} = tuple(sorted({place} + {tiles})) if {place} else {tiles}")
        else:
            self.change(f"{place} = tuple(sorted({place} + {tiles}))")

    def _is_pile(self, zone: Zone) -> bool:
        return self.algebra.layout.columns[zone.variable].variable.storage is Storage.PILE

    def deal(self, number: Code | None, source: Zone, target: Zone) -> None:
        place, tiles = self.algebra.column(*source.zone), self.writer.fresh("w")
        turned = "[::-1]" if source.bottom else ""
        many = None if number is None else self.writer.share(number).text
        self.line(f"{tiles} = {place}{turned}")
        with self.writer.block(f"if {tiles}:" if many is None else f"if {tiles} and {many} > 0:", BlockKind.GUARD):
            self.line(f"{place} = ()" if many is None else f"{place} = {tiles}[{many}:]{turned}")
            in_order = many is None and not self._is_pile(source)
            self._gain(target, tiles if many is None else f"{tiles}[:{many}]", in_order=in_order)

    def shuffle(self, variable: str, index: Code | None) -> None:
        place = self.algebra.column(variable, index)
        self.change(f"{place}, t[{SEED}] = shuffled({place}, t[{SEED}])")

    def copied(self, domain: PythonSet) -> PythonSet:
        return PythonSet(f"tuple({domain.text})", interval=domain.interval)

    def listed(self, domain: PythonSet) -> PythonSet:
        name = self.writer.fresh("k")
        self.line(f"{name} = tuple({domain.text})")
        return PythonSet(name, domain.repeats, interval=domain.interval)
