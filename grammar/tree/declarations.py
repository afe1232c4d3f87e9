"""The tree of a rule module: its vocabulary, spaces, tiles, tables and state."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Span, span_field

from .expressions import Expression


@frozen
class Vocabulary:
    """`terrain water, land`, `marker mast, house`, `enum colour: red, green`: `kind` is the word or the enum's name."""

    kind: str
    names: tuple[str, ...]
    span: Span = span_field()


@frozen
class Players:
    """`players 1..4`"""

    low: int
    high: int
    span: Span = span_field()

    def __str__(self) -> str:
        """In words: `1 to 4 players`."""
        number = f"{self.low} to {self.high}" if self.low < self.high else str(self.low)
        return f"{number} player{'s' if self.high > 1 else ''}"


class Shape(Enum):
    SQUARE = "square grid"
    HEX = "hex grid"
    CUBE = "cube grid"
    RING = "ring"
    GRAPH = "graph"


@frozen
class Space:
    """`space sea: square grid of tiles`, `space board: square grid 7 x 7 of tiles, 8 neighbours, wrapped`.

    `size` is empty for an unbounded space; `edges` are those of a graph, in the order written.
    """

    name: str
    shape: Shape
    size: tuple[int, ...] = ()
    of_tiles: bool = False
    neighbours: int = 0
    wrapped: bool = False
    edges: tuple[tuple[str, str], ...] = ()
    span: Span = span_field()


@frozen
class Partition:
    """`partition box of c in board: row(c) div 3`: a number for every cell, known before play."""

    name: str
    parameter: str
    space: str
    value: Expression
    span: Span = span_field()


@frozen
class Feature:
    """Part of a tile line: `land N S (house 2)` or `mast`. `markers` are pairs of name and number."""

    name: str
    sides: tuple[str, ...] = ()
    markers: tuple[tuple[str, int], ...] = ()
    span: Span = span_field()


@frozen
class TileLine:
    """`s_village x1 land S (house 2)`"""

    name: str
    count: int
    features: tuple[Feature, ...] = ()
    span: Span = span_field()


@frozen
class Tiles:
    """`tiles base:`"""

    name: str
    lines: tuple[TileLine, ...]
    span: Span = span_field()


@frozen
class TableRow:
    key: int | str
    values: tuple[Expression, ...]
    span: Span = span_field()


@frozen
class Table:
    """`table allowance by players:`; `key` is what the rows are keyed by, `columns` the names of the columns."""

    name: str
    key: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    span: Span = span_field()


class Visibility(Enum):
    """Who may see the values of a variable: all, nobody, or only the player whose value it is."""

    OPEN = "face up"
    HIDDEN = "face down"
    OWNER = "owner only"


@frozen
class TruthType:
    """`truth`"""

    span: Span = span_field()


@frozen
class NumberType:
    """`0..9`"""

    low: int
    high: int
    span: Span = span_field()


@frozen
class NamedType:
    """`player`, `terrain`, `tile`, the name of an enum"""

    name: str
    span: Span = span_field()


@frozen
class CellType:
    """`cell of sea`"""

    space: str
    span: Span = span_field()


@frozen
class DirectionType:
    """`direction of sea`"""

    space: str
    span: Span = span_field()


@frozen
class ZoneType:
    """`set of tiles`, `pile of tiles`"""

    ordered: bool
    span: Span = span_field()


WrittenType = TruthType | NumberType | NamedType | CellType | DirectionType | ZoneType


@frozen
class StateLine:
    """`tokens of player: 0..9 = 3`; `index` is the word after `of` (`player`, an enum, or a space's name), empty if none."""

    name: str
    index: str
    type: WrittenType
    initial: Expression | None = None
    visibility: Visibility = Visibility.OPEN
    span: Span = span_field()


@frozen
class State:
    """`state:`"""

    lines: tuple[StateLine, ...]
    span: Span = span_field()
