"""Links the data tables of a rulebook: the type of the key, and the types and values of the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import define
from rulewright.grammar.tree import expressions, modules
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import types
from rulewright.rules.model.game import Table, TileKind

PLAYER = "player"
"""What a table by players is keyed by, and the column that holds players."""

UNKNOWN = -1
"""The key of an invalid row. The error was reported, so its table is not searched for gaps."""

Constants = Mapping[str, Sequence[tuple[types.Type, int]]]


def tables(book: Rulebook, enumerations: Mapping[str, tuple[str, ...]], kinds: tuple[TileKind, ...], constants: Constants,
           sink: Sink) -> dict[str, Table]:  # fmt: skip
    """Every table by name. Reports RW102 (duplicate row), RW122 (gap), RW123 (invalid cell), RW124 (key)."""
    return {table.name: _Reader(table, book, enumerations, kinds, constants, sink).table() for table in book.tables.values()}


@define
class _Reader:
    """Reads one table."""

    node: modules.Table
    book: Rulebook
    enumerations: Mapping[str, tuple[str, ...]]
    kinds: tuple[TileKind, ...]
    constants: Constants
    sink: Sink

    def table(self) -> Table:
        node = self.node
        rows = self._rows()
        self._report_gaps(rows)
        keys = tuple(sorted(rows))
        columns, column_types = [], []
        for at, name in enumerate(node.columns):
            cells = [rows[k].values[at] for k in keys if at < len(rows[k].values)]
            type, values = self._players(cells) if name == PLAYER else self._column(cells)
            columns.append((name, (*values, *([0] * (len(keys) - len(values))))))
            column_types.append(type)
        spans = tuple(rows[key].span for key in keys)
        return Table(node.name, self._key_type, keys, tuple(columns), tuple(column_types), rows=spans, span=node.span)

    # Keys -------------------------------------------------------------------------------------------

    @property
    def _members(self) -> dict[str, int]:
        """The names that may be keys of rows, with their values; empty if the keys are numbers."""
        key = self.node.key
        if key in self.enumerations:
            return {name: value for value, name in enumerate(self.enumerations[key])}
        return {kind.name: value for value, kind in enumerate(self.kinds, 1) if kind.group == key}

    @property
    def _fewest_players(self) -> int:
        return self.book.players.low if self.book.players else 1

    @property
    def _all_players(self) -> range:
        return range(1, (self.book.players.high if self.book.players else 1) + 1)

    @property
    def _key_type(self) -> types.Type:
        if self.node.key in self.enumerations:
            return types.Enumeration(self.node.key)
        if self.node.key == PLAYER:
            return types.Player()
        return types.Tile() if self._members else types.Number()

    def _rows(self) -> dict[int, modules.TableRow]:
        node, sink = self.node, self.sink
        found: dict[int, modules.TableRow] = {}
        for row in node.rows:
            key = self._key(row)
            if key in found:
                first = Label(found[key].span, "first given here")
                sink.error("RW102", f"row `{row.key}` is given twice", row.span, first, help="delete one of the two")
            if len(row.values) != len(node.columns):
                message = f"wrong number of values in this row: expected {len(node.columns)}, found {len(row.values)}"
                sink.error(
                    "RW122",
                    message,
                    row.span,
                    Label(node.span, f"the columns of `{node.name}` are declared here"),
                    help="give one value for each column",
                )
            found[key] = row
        return found

    def _key(self, row: modules.TableRow) -> int:
        if isinstance(row.key, int):
            if self.node.key == PLAYER and row.key not in self._all_players:
                help = f"the players are 1 to {self._all_players[-1]}"
                self.sink.error("RW124", f"there is no player {row.key}", row.span, help=help)
            return row.key
        if row.key not in self._members:
            help = suggest(row.key, self._members, "use a number as the key, or name an enumeration or a tile set after `by`")
            self.sink.error("RW124", f"`{row.key}` is not a member of `{self.node.key}`", row.span, help=help)
            return UNKNOWN
        return self._members[row.key]

    def _report_gaps(self, rows: Mapping[int, modules.TableRow]) -> None:
        if UNKNOWN in rows:
            return
        labels = {value: name for name, value in self._members.items()}
        for key in self._wanted():
            if key not in rows:
                message = f"the table `{self.node.name}` has no row for `{labels.get(key, key)}`"
                self.sink.error("RW122", message, self.node.span, help="add the row")

    def _wanted(self) -> Sequence[int]:
        if self.node.key == "players" and self.book.players:
            return range(self.book.players.low, self.book.players.high + 1)
        if self._members:
            return tuple(self._members.values())
        if self.node.key == PLAYER:
            return self._all_players
        numbers = [row.key for row in self.node.rows if isinstance(row.key, int)]
        return range(min(numbers, default=0), max(numbers, default=-1) + 1)

    # Cells ------------------------------------------------------------------------------------------

    def _column(self, cells: Sequence[expressions.Expression]) -> tuple[types.Type, tuple[int, ...]]:
        """The common type of all cells of a column, and their values. An ambiguous name is a tile. Reports RW123."""
        common: dict[types.Type, None] | None = None
        meanings: list[dict[types.Type, int]] = []
        for cell in cells:
            meaning = self._meanings(cell)
            if not meaning:
                help = "write a number, `yes`, `no`, or the name of a tile, a direction or a member of an enum"
                self.sink.error("RW123", "this value is not allowed in a table", cell.span, help=help)
                return types.Number(), ()
            shared = dict.fromkeys(type for type in (meaning if common is None else common) if type in meaning)
            if not shared:
                assert common is not None
                first = Label(cells[0].span, f"this is {types.describe(next(iter(common)))}")
                message = f"expected {types.describe(next(iter(common)))}, found {types.describe(next(iter(meaning)))}"
                self.sink.error("RW123", message, cell.span, first, help="all values of a column must have the same type")
                return types.Number(), ()
            common = shared
            meanings.append(meaning)
        meant = common or {types.Number(): None}
        type = types.Tile() if types.Tile() in meant else next(iter(meant))
        return type, tuple(meaning[type] for meaning in meanings)

    def _players(self, cells: Sequence[expressions.Expression]) -> tuple[types.Type, tuple[int, ...]]:
        """The players in the cells of a column, by number; `none` is nobody. Reports RW123."""
        values = []
        for cell in cells:
            match cell:
                case expressions.NumberLiteral(number) if 1 <= number <= self._fewest_players:
                    values.append(number)
                case expressions.Name("none"):
                    values.append(0)
                case _:
                    help = f"write a number from 1 to {self._fewest_players}, or `none`"
                    self.sink.error("RW123", "this is no player of every game", cell.span, help=help)
        return types.Player(), tuple(values)

    def _meanings(self, cell: expressions.Expression) -> dict[types.Type, int]:
        match cell:
            case expressions.NumberLiteral(value):
                return {types.Number(): value}
            case expressions.Negation(expressions.NumberLiteral(value)):
                return {types.Number(): -value}
            case expressions.TruthLiteral(value):
                return {types.Number(): int(value)}
            case expressions.Name(text):
                return {type: value for type, value in self.constants.get(text, ()) if not isinstance(type, types.Cell)}
            case _:
                return {}
