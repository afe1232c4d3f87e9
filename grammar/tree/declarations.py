"""The tree of a rule module: its vocabulary, spaces, tiles, tables and state."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import field, frozen
from rulewright.base.spans import Located, Named

from .expressions import Expression


@frozen
class Described(Named):
    """What has a text that says what it is, and cites the rules that it stands for."""

    text: str = field(default="", kw_only=True)
    cite: str = field(default="", kw_only=True)


@frozen
class Vocabulary(Located):
    """`terrain water, land`, `marker mast, house`, `enum colour: red, green`: `kind` is the word or the enum's name."""

    kind: str
    names: tuple[str, ...]


@frozen
class Players(Located):
    """`players 1..4`"""

    low: int
    high: int

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
class Space(Named):
    """`space sea: square grid of tiles`, `space board: square grid 7 x 7 of tiles, 8 neighbours, wrapped`.

    `size` is empty for an unbounded space; `edges` are those of a graph, in the order written. `turned`: tiles on it may be
    rotated (`of turned tiles`). `slanted`: each row of a hex grid begins half a cell to the east of the one above.

    `space roads: edges of land` and `space rails: ports of land, 2 a side` are graphs derived from the space `base`, the latter
    with `per_side` ports on each side; the linker adds their `nodes` and `edges`. `corners` are the names of the first and the
    last cell (`cells a8..h1`).
    """

    shape: Shape
    size: tuple[int, ...] = ()
    of_tiles: bool = False
    neighbours: int = 0
    wrapped: bool = False
    slanted: bool = False
    edges: tuple[tuple[str, str], ...] = ()
    turned: bool = False
    base: str = ""
    per_side: int = 0
    nodes: tuple[str, ...] = ()
    corners: tuple[str, ...] = ()


@frozen
class Partition(Named):
    """`partition box of c in board: row(c) div 3`: a number for every cell, known before play."""

    parameter: str
    space: str
    value: Expression


@frozen
class PatternRow(Located):
    """`post . post`: the roles of cells from west to east, empty if the pattern has no cell there; `level` is that of the
    row."""

    roles: tuple[str, ...]
    level: int = 0


@frozen
class Feature(Named):
    """Part of a tile line: `land N S (house 2)` or `mast`. `markers` are pairs of name and number."""

    sides: tuple[str, ...] = ()
    markers: tuple[tuple[str, int], ...] = ()


@frozen
class TileLine(Named):
    """`s_village x1 land S (house 2)`"""

    count: int
    features: tuple[Feature, ...] = ()


@frozen
class Tiles(Named):
    """`tiles base:`; `tiles white of 1:` belong to a player."""

    lines: tuple[TileLine, ...]
    player: int | None = None


@frozen
class PieceLine(Named):
    """`ferry x2 hull hull bow`, or with its drawing in a block below; without a drawing it has one cell, with its own name
    as the role."""

    count: int
    rows: tuple[PatternRow, ...] = ()


@frozen
class Pieces(Described):
    """`pieces ships of player in sea, turned, mirrored:`; if they are `owned`, the counts are per player."""

    space: str
    owned: bool
    turned: bool
    mirrored: bool
    lines: tuple[PieceLine, ...] = ()


@frozen
class TableRow(Located):
    key: int | str
    values: tuple[Expression, ...]


@frozen
class Table(Named):
    """`table allowance by players:`; `key` is what the rows are keyed by, `columns` the names of the columns."""

    key: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]


@frozen
class Parameter(Named):
    """`to in around(ship of player) where …`; a definition's parameter may have no domain. `or none` makes it `optional`."""

    domain: Expression | None = None
    where: Expression | None = None
    optional: bool = False


class Visibility(Enum):
    """Who may see the values of a variable: all, nobody, or only the player whose value it is."""

    OPEN = "face up"
    HIDDEN = "face down"
    OWNER = "owner only"


@frozen
class TruthType(Located):
    """`truth`"""


@frozen
class NumberType(Located):
    """`0..9`"""

    low: int
    high: int


@frozen
class NamedType(Named):
    """`player`, `terrain`, `tile`, the name of an enum"""


@frozen
class CellType(Located):
    """`cell of sea`"""

    space: str


@frozen
class DirectionType(Located):
    """`direction of sea`"""

    space: str


@frozen
class ZoneType(Located):
    """`set of tiles`, `pile of tiles`"""

    ordered: bool


@frozen
class SetType(Located):
    """`set of cells of sea`, `set of players`, `set of colour`: the element is written `cell of sea`, `player`, `colour`."""

    element: CellType | NamedType


@frozen
class PositionsType(Located):
    """`last 100 positions of board, player`: in which the last actions were chosen, as far as the names tell them apart."""

    most: int
    names: tuple[str, ...]


WrittenType = TruthType | NumberType | NamedType | CellType | DirectionType | ZoneType | SetType | PositionsType


@frozen
class StateLine(Named):
    """`tokens of player: 0..9 = 3`, `stock of player of colour: 0..9`.

    `index` is the word after the first `of` (`player`, an enum, or a space's name), `second` the one after that; empty if none.
    `scope` is the point of the flow for which it lasts: `swapped: truth, for this turn`.
    """

    index: str
    type: WrittenType
    initial: Expression | None = None
    visibility: Visibility = Visibility.OPEN
    second: str = ""
    scope: str = ""
    cite: str = ""

    @property
    def of(self) -> tuple[str, ...]:
        """The words after `of`."""
        return tuple(word for word in (self.index, self.second) if word)


@frozen
class State(Located):
    """`state:`"""

    lines: tuple[StateLine, ...]


# The tree of formats: how other programs write positions of a game ----------------------------------------------------


@frozen
class Thing(Named):
    """`wall`, `pusher of 1`: what a character shows on a cell; `player` is 0 unless it is a player's."""

    player: int = 0


@frozen
class Glyph(Located):
    """`glyph "*": crate, goal`, `glyph " ", "-": none`: characters that show the same things. The first of them is written."""

    texts: tuple[str, ...]
    things: tuple[Thing, ...]


@frozen
class Letters(Located):
    """`letters "BCD": fleet`: each of these characters shows a tile of the set that no other character shows."""

    text: str
    tiles: str


@frozen
class Choice(Located):
    """`"K" e1 h1`, `"K" (4,7) (7,7)`: a word of a field, and the cells for which it says yes."""

    text: str
    cells: tuple[tuple[int, int] | str, ...] = ()


@frozen
class Field(Named):
    """`field turn: "w", "b"`, `field passed`, `field "0"`: a word after the board. Without a name it says nothing."""

    choices: tuple[Choice, ...]


@frozen
class Format(Named):
    """`format xsb of board:`, with its lines; `drawing` is the space or variable that the rows show.

    Rows are lines, or stand on one line with `between` between them. With `runs`, digits count empty cells.
    """

    drawing: str
    text: str = ""
    between: str | None = None
    runs: bool = False
    glyphs: tuple[Glyph, ...] = ()
    letters: Letters | None = None
    fields: tuple[Field, ...] = ()


# The edition, which modules and puzzles share --------------------------------------------------------------------------


@frozen
class Edition(Located):
    """`edition 1`: the edition of the language that a text is written in."""

    number: int
