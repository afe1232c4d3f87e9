"""Terms: expressions with every name resolved and every type known. What they mean is `evaluator.py`'s work."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Span, span_field
from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator, Quantifier

from .types import Type


class Neighbourhood(Enum):
    """Which cells near a cell: by the sides, by the corners, or both."""

    AROUND = "around"
    DIAGONALS = "diagonals"
    NEARBY = "nearby"


@frozen(cache_hash=True)
class Constant:
    value: int
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Local:
    name: str
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Read:
    """A state variable at an index (empty for a scalar); the contents of a cell are a variable named like the space."""

    variable: str
    index: tuple[Term, ...]
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Invoke:
    """A definition applied to arguments."""

    definition: str
    arguments: tuple[Term, ...]
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class TableCell:
    table: str
    column: str
    key: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class PlayerCount:
    """The number of players of this game."""

    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Origin:
    """The cell at coordinate zero."""

    space: str
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Not:
    operand: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class And:
    parts: tuple[Term, ...]
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Or:
    parts: tuple[Term, ...]
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Compare:
    operator: Comparison
    left: Term
    right: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Arithmetic:
    first: Term
    rest: tuple[tuple[Operator, Term], ...]
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class If:
    condition: Term
    then: Term
    otherwise: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Membership:
    item: Term
    domain: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class MarkerCount:
    """How often a marker stands on a tile, or on a region of one; `has` is a count of at least one."""

    bearer: Term
    marker: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class RegionOf:
    """The region of the tile on a cell that has a side, or on which a marker stands: `part` is a direction or a marker."""

    space: str
    cell: Term
    part: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class RegionCell:
    """The cell on which the tile of a region lies."""

    space: str
    region: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Side:
    """The terrain that a tile shows on a side; -1 for no tile."""

    tile: Term
    direction: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Step:
    space: str
    cell: Term
    direction: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Toward:
    """The direction from one cell to another, -1 when they are not on one line."""

    space: str
    start: Term
    end: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Opposite:
    space: str
    direction: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Turn:
    space: str
    direction: Term
    times: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Distance:
    space: str
    start: Term
    end: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Coordinate:
    """The column (0), row (1) or level (2) of a cell."""

    space: str
    axis: int
    cell: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Neighbours:
    space: str
    neighbourhood: Neighbourhood
    cell: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Line:
    space: str
    cell: Term
    direction: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class AllCells:
    """All cells of a space."""

    space: str
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class AllDirections:
    """The directions of a space that lead to neighbours."""

    space: str
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class AllPlayers:
    """All players, in order."""

    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class AllMembers:
    """All members of an enumeration, or all kinds of tile."""

    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Interval:
    low: Term
    high: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class SetLiteral:
    items: tuple[Term, ...]
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Binder:
    """A bound variable, what it ranges over, and which of those count."""

    name: str
    domain: Term
    where: Term | None
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Quantified:
    quantifier: Quantifier
    binder: Binder
    body: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Sum:
    """The sum of a value over a domain; `count` sums ones."""

    value: Term
    binder: Binder
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class ExtremeOf:
    extreme: Extreme
    value: Term
    binder: Binder
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class ExtremeBy:
    extreme: Extreme
    binder: Binder
    by: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Those:
    binder: Binder
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Image:
    """The values of a term for all elements of a bound, each once, in the order in which they first come."""

    value: Term
    binder: Binder
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Closure:
    """`start` and everything reached from it: from `origin`, one step to any element of `bound`."""

    start: Term
    origin: str
    binder: Binder
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Size:
    domain: Term
    type: Type
    span: Span = span_field()


@frozen(cache_hash=True)
class Top:
    """The tile that would be drawn next; 0 for an empty pile."""

    pile: Term
    type: Type
    span: Span = span_field()


Term = (
    Constant
    | Local
    | Read
    | Invoke
    | TableCell
    | PlayerCount
    | Origin
    | Not
    | And
    | Or
    | Compare
    | Arithmetic
    | If
    | Membership
    | MarkerCount
    | RegionOf
    | RegionCell
    | Side
    | Step
    | Toward
    | Opposite
    | Turn
    | Distance
    | Coordinate
    | Neighbours
    | Line
    | AllCells
    | AllDirections
    | AllPlayers
    | AllMembers
    | Interval
    | SetLiteral
    | Quantified
    | Sum
    | ExtremeOf
    | ExtremeBy
    | Those
    | Image
    | Closure
    | Size
    | Top
)
