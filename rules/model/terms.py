"""Terms: expressions with every name resolved and every type known. `evaluator.py` defines their meaning."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import field, frozen
from rulewright.base.spans import Located, Named
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.spaces.window import Function

from .types import Number, SetOperator, Truth, Type


@frozen
class Typed(Located):
    """Base of the terms, but for those that bind or read a local name."""

    type: Type = field(kw_only=True)


@frozen
class Condition(Typed):
    """Base of those that are true or false, unless type inference finds that they are sets."""

    type: Type = field(default=Truth(), kw_only=True)


@frozen
class Numeric(Typed):
    """Base of those that are numbers."""

    type: Type = field(default=Number(), kw_only=True)


@frozen
class OfSpace(Typed):
    """Base of those about the cells or directions of a space."""

    space: str


@frozen(cache_hash=True)
class Constant(Typed):
    value: int


@frozen(cache_hash=True)
class Absent(Typed):
    """The value none of a type: nowhere, no direction, no tile, no place, no player, no member."""


@frozen(cache_hash=True)
class Local(Named):
    type: Type


@frozen(cache_hash=True)
class Read(Typed):
    """A state variable at an index (empty for a scalar); the contents of a cell are a variable named like the space."""

    variable: str
    index: tuple[Term, ...]


@frozen(cache_hash=True)
class Paired(Typed):
    """The index of a variable with two index types."""

    first: Term
    second: Term


@frozen(cache_hash=True)
class Invoke(Typed):
    """A definition applied to arguments."""

    definition: str
    arguments: tuple[Term, ...]


@frozen(cache_hash=True)
class Lookup(Typed):
    """What a map known before play has at a key; of several maps, that which `picking` picks."""

    map: Maps
    key: Term
    picking: Term | None = None


@frozen(cache_hash=True)
class PlayerCount(Numeric):
    """The number of players of this game."""


@frozen(cache_hash=True)
class Origin(OfSpace):
    """The cell at coordinate zero."""


@frozen(cache_hash=True)
class Not(Condition):
    operand: Term


@frozen(cache_hash=True)
class And(Condition):
    parts: tuple[Term, ...]


@frozen(cache_hash=True)
class Or(Condition):
    parts: tuple[Term, ...]


@frozen(cache_hash=True)
class Compare(Condition):
    operator: Comparison
    left: Term
    right: Term


@frozen(cache_hash=True)
class Arithmetic(Numeric):
    first: Term
    rest: tuple[tuple[Operator, Term], ...]


@frozen(cache_hash=True)
class If(Typed):
    """One of two values or sets, by a condition."""

    condition: Term
    then: Term
    otherwise: Term


@frozen(cache_hash=True)
class Membership(Condition):
    item: Term
    domain: Term


@frozen(cache_hash=True)
class Apply(Typed):
    """A function of a space: a direction, a cell, a number of steps, or the cells of a line."""

    function: Function
    space: str
    arguments: tuple[Term, ...]


@frozen(cache_hash=True)
class Neighbours(OfSpace):
    neighbourhood: Neighbourhood
    cell: Term


@frozen(cache_hash=True)
class CellAt(OfSpace):
    """The cell of a bounded space at a coordinate; nowhere if there is none."""

    coordinate: tuple[Term, ...]


@frozen(cache_hash=True)
class Row(Typed):
    """The set that belongs to a key."""

    rows: Rows
    key: Term


@frozen(cache_hash=True)
class AllCells(OfSpace):
    """All cells of a space."""


@frozen(cache_hash=True)
class AllDirections(OfSpace):
    """The directions of a space that lead to neighbours."""


@frozen(cache_hash=True)
class AllMembers(Typed):
    """All players, all members of an enumeration, or all kinds of tile."""


@frozen(cache_hash=True)
class Interval(Typed):
    low: Term
    high: Term


@frozen(cache_hash=True)
class SetLiteral(Typed):
    items: tuple[Term, ...]


@frozen(cache_hash=True)
class Binder(Named):
    """A bound variable, its domain, and the condition for the elements that count."""

    domain: Term
    where: Term | None
    type: Type


class Kind(Enum):
    """What a fold makes of the values of its body: the last two are the first element with the least or greatest value."""

    EVERY = "every"
    SOME = "some"
    SUM = "sum"
    LEAST = "least"
    GREATEST = "greatest"
    FIRST_LEAST = "first least"
    FIRST_GREATEST = "first greatest"

    @property
    def is_least(self) -> bool:
        return self in (Kind.LEAST, Kind.FIRST_LEAST)

    @property
    def is_element(self) -> bool:
        return self in (Kind.FIRST_LEAST, Kind.FIRST_GREATEST)


@frozen(cache_hash=True)
class Fold(Typed):
    """One value from those of the body; `count` sums ones."""

    kind: Kind
    binder: Binder
    body: Term


@frozen(cache_hash=True)
class Those(Typed):
    binder: Binder


@frozen(cache_hash=True)
class Image(Typed):
    """The values of a term for all elements of a binder, each once, in order of first occurrence."""

    value: Term
    binder: Binder


@frozen(cache_hash=True)
class SetOperation(Typed):
    operator: SetOperator
    first: Term
    second: Term


@frozen(cache_hash=True)
class Within(Condition):
    """Whether a set is contained in another; for tiles, with multiplicity."""

    first: Term
    second: Term


@frozen(cache_hash=True)
class Closure(Typed):
    """`start` and everything reachable from it: from `origin`, one step leads to any element of `binder`."""

    start: Term
    origin: str
    binder: Binder


@frozen(cache_hash=True)
class Let(Named):
    """`body`, with `name` bound to the value of another term, set or not."""

    value: Term
    body: Term
    type: Type


@frozen(cache_hash=True)
class Size(Numeric):
    domain: Term


@frozen(cache_hash=True)
class Top(Typed):
    """The tile at the upper end of a pile, or at the lower one; 0 for an empty pile."""

    pile: Term
    bottom: bool


@frozen(cache_hash=True)
class Drawn(Typed):
    """A random element; each item of a list, including equal ones, is equally likely. Only effects assign it."""

    domain: Term


Term = (
    Constant | Absent | Local | Read | Paired | Invoke | Lookup | PlayerCount | Origin | Not | And | Or | Compare |
    Arithmetic | If | Membership | Apply | Neighbours | AllCells | AllDirections |
    AllMembers | Interval | SetLiteral | Fold | Those | Image | SetOperation | Within | Closure | Let | Size | Top | Drawn |
    CellAt | Row
)  # fmt: skip


# What is known before play ---------------------------------------------------------------------------------------------


class Neighbourhood(Enum):
    """A neighbourhood of a cell: across sides, across corners, or both; `BESIDE` stays on the level in spaces with levels."""

    AROUND = "around"
    DIAGONALS = "diagonals"
    NEARBY = "nearby"
    BESIDE = "beside"


@frozen
class PartsOf:
    """By cell: the cells of its space with the same number in a partition."""

    partition: str
    space: str


@frozen
class ColumnsOf:
    """By cell: the cells of its vertical column, including itself, upwards."""

    space: str


@frozen
class RolesOf:
    """By place of a pattern: the cells of a role."""

    pattern: str
    role: str


@frozen
class CellsOf:
    """By place of a pattern: its cells in all roles."""

    pattern: str


@frozen
class PlacesOfKind:
    """By kind: the places where a piece of this kind may lie."""

    pieces: str


@frozen
class PlacesOver:
    """By cell: the places of pieces that cover it."""

    pieces: str


Rows = PartsOf | ColumnsOf | RolesOf | CellsOf | PlacesOfKind | PlacesOver
"""Sets known before play, one for each value of a key. Their spaces are bounded."""


class Aspect(Enum):
    """An aspect of a place: the cell under the first drawn cell, the direction of the drawing's top, and its side."""

    CELL = "cell"
    FACING = "facing"
    MIRRORED = "mirrored"


@frozen
class AspectOf:
    """By place of a pattern: one of its aspects."""

    pattern: str
    aspect: Aspect


@frozen
class Column:
    """By key of a table: the value in a column."""

    table: str
    column: str


@frozen
class Coordinate:
    """By cell: its column (axis 0), row (1) or level (2)."""

    space: str
    axis: int


@frozen
class Opposite:
    """By direction: the opposite one."""

    space: str


@frozen
class Markers:
    """By tile, a map for each marker: how many times the tile bears it."""


@frozen
class MarkersIn:
    """By region of a kind of tile, a map for each marker: how many times the region bears it."""


@frozen
class Regions:
    """By tile, a map for each direction: the number of the tile's region on that side, -1 for no tile."""

    space: str


@frozen
class Side:
    """By tile, a map for each direction: the terrain that the tile shows on that side, -1 for no tile."""

    space: str


@frozen
class Sites:
    """By tile, a map for each marker: the number of the tile's first region that bears it, -1 if there is none."""


@frozen
class Step:
    """By cell, a map for each direction: the next cell."""

    space: str


Maps = AspectOf | Column | Coordinate | Opposite | Markers | MarkersIn | Regions | Side | Sites | Step
"""Functions known before play, each a map or several."""
