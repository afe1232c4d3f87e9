"""The vocabulary of stages: rules that say for any state which sprites stand where.

A stage is made once for a game, its players, a viewer and looks. It is data (`from_scene.py`). `placing/` evaluates it for
a state in Python, `scene.js` in a page. Columns are those of the engine's states; a sprite is a number in the stage's table;
lengths are in widths of a cell, unless said otherwise; -1 stands for none.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from itertools import product

from rulewright.base.records import field, frozen

from ..boards.cell_shapes import ROW, Point
from ..svg import Element

EVERYONE, NOBODY = 0, -1
"""In place of a player who sees a value."""


@frozen
class Words:
    """How values are told: by words from the value `low` on, or without words as numbers."""

    words: tuple[str, ...] = ()
    low: int = 0

    def tell(self, value: int) -> str:
        return self.words[value - self.low] if self.words else str(value)


@frozen
class OfColumn:
    """Base of what is told by one column of a state."""

    column: int


# Boards -----------------------------------------------------------------------------------------------------------------


@frozen
class Mark:
    """What stands on a cell: a sprite turned clockwise by degrees, its title, and a label in an ink.

    `bars` are the sprites of a true value of an edge, by the way the edge lies. `is_ground`: it lies below pieces.
    """

    sprite: int
    title: str
    label: str = ""
    ink: int = 0
    turn: float = 0.0
    bars: tuple[int, ...] = ()
    is_ground: bool = False


@frozen
class Values(OfColumn):
    """The values of a column over cells, except `silent` ones.

    `marks` are by value, from `low` on; with `words`, the only mark is that of every value: its title begins one in words, and
    its label is that word, cut to `letters`.
    """

    marks: tuple[Mark, ...]
    low: int = 0
    silent: tuple[int, ...] = ()
    words: Words | None = None
    letters: int = 0


@frozen
class Form(OfColumn):
    """The sprites of a piece by the value of a column, -1 where it says nothing."""

    sprites: tuple[int, ...]


@frozen
class Piece(OfColumn):
    """A piece at the cell that a column gives, if the viewer sees it: as the first form that says something, or as its mark."""

    mark: Mark
    owner: int = EVERYONE
    forms: tuple[Form, ...] = ()


@frozen
class Lying(OfColumn):
    """Pieces that cover cells: a column gives the number of the place that covers a cell, `kinds` and `starts` are the kinds
    and first cells of the places, and `owners` is the column of owners by first cell. Unowned pieces are drawn as tiles."""

    kinds: tuple[int, ...]
    starts: tuple[int, ...]
    owners: int
    marks: Mapping[int, tuple[Mark, ...]]
    """By kind, then by owner, from 0."""


Rule = Values | Piece | Lying


@frozen
class Face:
    """A kind of tile, by its turns. `joints` are what joins a tile to its like, towards the first side of a cell and the first
    corner of that side; `sides` are the south and the west of a cube."""

    name: str
    sprites: tuple[int, ...]
    joints: tuple[int, int] | None = None
    sides: tuple[int, int] | None = None


@frozen
class Tiles(OfColumn):
    """The tiles of a column over cells, and the column of their turns; `faces` by tile."""

    turns: int
    faces: Mapping[int, Face]


@frozen
class Holds:
    """A definition, by its number, and the mark of the cells for which it holds: on them, or a frame around them."""

    definition: int
    mark: Mark
    is_frame: bool


@frozen
class Beside:
    """What stands at the ports or edges of a board, which are the cells of another space.

    `cells` are the cells of edges, by edge, `spots` the places seen from the middle of the cell, and `ways` how each edge lies.
    Without `cells`, each cell has as many ports as there are spots. `targets` are sprites by way, `names` the titles of edges.
    """

    space: str
    rules: tuple[Rule, ...]
    spots: tuple[Point, ...]
    cells: tuple[int, ...] = ()
    ways: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    badges: Mapping[int, int] = field(factory=dict)


@frozen
class Pen:
    """The sprites of arrows on a board: a shaft of one pixel to the right, a head whose tip is at (0, 0), and numbers."""

    shaft: int
    head: int
    disc: int
    ink: int


class Plan(Enum):
    """How the cells of a board lie in the picture."""

    SQUARE = "square"
    HEX = "hex"
    LEVELS = "levels"
    ISOMETRIC = "isometric"
    SPOTS = "spots"


class Seen(Enum):
    """Which cells are drawn: all, those in use, those near cells in use, in the box around these, or up to their level."""

    ALL = "all"
    USED = "used"
    NEAR = "near"
    BOX = "box"
    LEVELS = "levels"


@frozen
class Grid:
    """The cells of a space: row by row from `low` to `high`, or with `coordinates`; on graphs and rings with spots.

    `vectors` are the steps in each direction, by the parity of the row, () where none leads; `near` are the steps of each cell,
    where vectors do not tell them; `names` are those of a graph, and of a grid that declares them.
    """

    plan: Plan
    low: tuple[int, ...] = ()
    high: tuple[int, ...] = ()
    coordinates_given: tuple[tuple[int, ...], ...] = ()
    spots: tuple[Point, ...] = ()
    names: tuple[str, ...] = ()
    vectors: tuple[tuple[tuple[int, ...], ...], ...] = ()
    near: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def coordinates(self) -> tuple[tuple[int, ...], ...]:
        if self.coordinates_given or not self.low:
            return self.coordinates_given
        axes = [range(low, high + 1) for low, high in zip(self.low, self.high, strict=True)]
        return tuple(spot[::-1] for spot in product(*reversed(axes)))

    @cached_property
    def cells(self) -> Mapping[tuple[int, ...], int]:
        return {spot: cell for cell, spot in enumerate(self.coordinates)}

    @property
    def size(self) -> int:
        return len(self.spots or self.coordinates)

    @property
    def is_isometric(self) -> bool:
        return self.plan is Plan.ISOMETRIC

    def middle(self, cell: int) -> Point:
        """The middle of a cell on a plan of one level."""
        if self.spots:
            return self.spots[cell]
        column, row = self.coordinates[cell][:2]
        return (column + (row & 1) / 2, row * ROW) if self.plan is Plan.HEX else (float(column), float(row))

    def step(self, cell: int, way: int) -> int:
        """The cell next to one in a direction; the size if there is none."""
        if self.near:
            return self.near[cell][way]
        spot = self.coordinates[cell]
        vector = self.vectors[spot[1] % len(self.vectors)][way]
        return self.cells.get(tuple(a + b for a, b in zip(spot, vector, strict=True)), self.size) if vector else self.size

    def around(self, cell: int) -> set[int]:
        ways = range(len(self.near[cell] if self.near else self.vectors[0]))
        return {self.step(cell, way) for way in ways} - {self.size}


@frozen
class Board:
    """A space: its cells, what stands on them by rule, and the sprites of the cells themselves.

    `size` is the width of a cell in pixels. `grounds` are the sprites of an empty cell: `lay` has the number of that of each
    cell, or else they alternate. `floats` says that nothing is drawn where nothing is. `sides` are the directions of a cell's
    sides, on an isometric board those to the south, to the west, up and down. `under` and `over` are sprites of the whole
    board, `margins` are further places that the picture covers. A board is left out if it is empty and not `always` shown.
    `also` are cells that are drawn in any case; with `grows`, those around cells in use are too. `ways_out` has for each cell
    how far an exit is turned. A `ring` lies around the board, its middle `ring_at` a place of that.
    """

    space: str
    title: str
    size: float
    grid: Grid
    seen: Seen
    tiles: Tiles | None
    rules: tuple[Rule, ...]
    holds: tuple[Holds, ...]
    beside: tuple[Beside, ...]
    grounds: tuple[int, ...]
    sides: tuple[int, ...]
    changed: int
    lay: tuple[int, ...] = ()
    floats: bool = False
    target: int = -1
    under: int = -1
    over: int = -1
    margins: tuple[Point, ...] = ()
    captions: int = -1
    is_titled: bool = False
    always: bool = False
    also: tuple[int, ...] = ()
    grows: bool = False
    badges: Mapping[int, int] = field(factory=dict)
    ways_out: tuple[float, ...] = ()
    ring: Board | None = None
    ring_at: Point | None = None
    pen: Pen | None = None


# Beside the boards ------------------------------------------------------------------------------------------------------


@frozen
class Turn:
    """Whose turn it is, in words; only that play is over, where one plays `alone` and always chooses the same."""

    alone: bool = False


@frozen
class Score:
    """The score and its rank, on a plate."""

    plate: int
    ink: int


@frozen
class Heading:
    """A player by name, with that player's standing; left out without one if nothing follows (`is_bare`)."""

    player: int
    name: str
    is_bare: bool = False


@frozen
class Icons:
    """The sprites of a value: one with a title, as often as the number says or if it is true, or one for each member.

    On a track, the first is the marker and the second a spot, of which there are as many as numbers from one to another.
    """

    sprites: tuple[int, ...]
    title: str = ""
    track: tuple[int, int] | None = None


@frozen
class Value(OfColumn):
    """A value with its label, left out if it is a `silent` one; for whom it is hidden, it is told as such or, with `drops`,
    left out."""

    label: str
    words: Words
    owner: int = EVERYONE
    silent: tuple[int, ...] = ()
    drops: bool = False
    icons: Icons | None = None


@frozen
class ValueList:
    """Values, several on a line; those with icons have lines of their own."""

    values: tuple[Value, ...]


@frozen
class Table:
    """Values of pairs: `rows` have a name and values by head, None where there is none."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value | None, ...]], ...]


@frozen
class Piles:
    """Members of an enum as chips on the pile that their column gives; `base` and `ink` are of the piles."""

    name: str
    piles: tuple[str, ...]
    columns: tuple[int, ...]
    chips: tuple[int, ...]
    titles: tuple[str, ...]
    base: int
    ink: int


@frozen
class Members:
    """The members of an enum whose columns are true."""

    name: str
    columns: tuple[int, ...]
    titles: tuple[str, ...]


@frozen
class Zone(OfColumn):
    """A hand or a pile of tiles, with their number: drawn for those who see them, and things for `mover` if that player moves.

    `faces` is the set of sprites in which the tiles are drawn. It stands below the boards if it is `below`; of a stack, the top
    is seen.
    """

    label: str
    owner: int = EVERYONE
    mover: int = EVERYONE
    faces: int = 0
    below: bool = False
    is_stack: bool = False


PanelRule = Turn | Score | Heading | ValueList | Table | Piles | Members | Zone


@frozen
class Panel:
    """What stands beside the boards. `sizes` are the heights of tiles, and the room each takes in a row, in pixels; `count` is
    the ink of numbers of tiles; `faces` are the sprites of tiles and their scales, by set and tile, `badges` those of marked
    ones."""

    rules: tuple[PanelRule, ...]
    sizes: tuple[tuple[float, float], ...]
    faces: tuple[tuple[tuple[int, float], ...], ...]
    titles: tuple[str, ...]
    count: int
    badges: Mapping[int, int] = field(factory=dict)


@frozen
class Stage:
    """All that a picture of any state needs. `names` are those of the sprites by their contents, since pictures in one page may
    be of several stages. `ink`, `bold` and `faint` are sprites of text; `rules` are the style rules of dark
    colours, "" without any. The names of `definitions` are those that a reader answers for."""

    title: str
    sprites: tuple[Element, ...] = field(repr=False)
    names: tuple[str, ...]
    rules: str
    ink: int
    bold: int
    paper: int
    boards: tuple[Board, ...]
    panel: Panel
    definitions: tuple[str, ...]
    things: bool = False
