"""Terms: expressions with every name resolved and every type known. `evaluator.py` defines their meaning."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Named
from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator, Quantifier
from rulewright.rules.spaces.window import Function

from .known_cells import *  # noqa: F403 - what sets are known is reached by the same name as the terms
from .known_cells import Absent, Aspect, Neighbourhood, Rows
from .types import SetOperator, Type


@frozen(cache_hash=True)
class Constant(Located):
    value: int
    type: Type


@frozen(cache_hash=True)
class Local(Named):
    type: Type


@frozen(cache_hash=True)
class Read(Located):
    """A state variable at an index (empty for a scalar); the contents of a cell are a variable named like the space."""

    variable: str
    index: tuple[Term, ...]
    type: Type


@frozen(cache_hash=True)
class Paired(Located):
    """The index of a variable with two index types."""

    first: Term
    second: Term
    type: Type


@frozen(cache_hash=True)
class Invoke(Located):
    """A definition applied to arguments."""

    definition: str
    arguments: tuple[Term, ...]
    type: Type


@frozen(cache_hash=True)
class TableCell(Located):
    table: str
    column: str
    key: Term
    type: Type


@frozen(cache_hash=True)
class PlayerCount(Located):
    """The number of players of this game."""

    type: Type


@frozen(cache_hash=True)
class Origin(Located):
    """The cell at coordinate zero."""

    space: str
    type: Type


@frozen(cache_hash=True)
class Not(Located):
    operand: Term
    type: Type


@frozen(cache_hash=True)
class And(Located):
    parts: tuple[Term, ...]
    type: Type


@frozen(cache_hash=True)
class Or(Located):
    parts: tuple[Term, ...]
    type: Type


@frozen(cache_hash=True)
class Compare(Located):
    operator: Comparison
    left: Term
    right: Term
    type: Type


@frozen(cache_hash=True)
class Arithmetic(Located):
    first: Term
    rest: tuple[tuple[Operator, Term], ...]
    type: Type


@frozen(cache_hash=True)
class If(Located):
    """One of two values or sets, by a condition."""

    condition: Term
    then: Term
    otherwise: Term
    type: Type


@frozen(cache_hash=True)
class Membership(Located):
    item: Term
    domain: Term
    type: Type


@frozen(cache_hash=True)
class MarkerCount(Located):
    """How many times a tile, or a region of one, bears a marker; `has` is a count of at least one."""

    bearer: Term
    marker: Term
    type: Type


@frozen(cache_hash=True)
class RegionOf(Located):
    """The region of a cell's tile that has a side or bears a marker: `part` is a direction or a marker."""

    space: str
    cell: Term
    part: Term
    type: Type


@frozen(cache_hash=True)
class RegionCell(Located):
    """The cell of the tile that a region belongs to."""

    space: str
    region: Term
    type: Type


@frozen(cache_hash=True)
class Side(Located):
    """The terrain that a tile shows on a side; -1 for no tile."""

    tile: Term
    direction: Term
    type: Type


@frozen(cache_hash=True)
class Step(Located):
    space: str
    cell: Term
    direction: Term
    type: Type


@frozen(cache_hash=True)
class Apply(Located):
    """A function of a space: a direction, a cell, a number of steps, or the cells of a line."""

    function: Function
    space: str
    arguments: tuple[Term, ...]
    type: Type


@frozen(cache_hash=True)
class Opposite(Located):
    space: str
    direction: Term
    type: Type


@frozen(cache_hash=True)
class Coordinate(Located):
    """The column (0), row (1) or level (2) of a cell."""

    space: str
    axis: int
    cell: Term
    type: Type


@frozen(cache_hash=True)
class Neighbours(Located):
    space: str
    neighbourhood: Neighbourhood
    cell: Term
    type: Type


@frozen(cache_hash=True)
class CellAt(Located):
    """The cell of a bounded space at a coordinate; nowhere if there is none."""

    space: str
    coordinate: tuple[Term, ...]
    type: Type


@frozen(cache_hash=True)
class AspectOf(Located):
    """An aspect of a place of a pattern."""

    pattern: str
    aspect: Aspect
    place: Term
    type: Type


@frozen(cache_hash=True)
class Row(Located):
    """The set that belongs to a key."""

    rows: Rows
    key: Term
    type: Type


@frozen(cache_hash=True)
class AllCells(Located):
    """All cells of a space."""

    space: str
    type: Type


@frozen(cache_hash=True)
class AllDirections(Located):
    """The directions of a space that lead to neighbours."""

    space: str
    type: Type


@frozen(cache_hash=True)
class AllMembers(Located):
    """All players, all members of an enumeration, or all kinds of tile."""

    type: Type


@frozen(cache_hash=True)
class Interval(Located):
    low: Term
    high: Term
    type: Type


@frozen(cache_hash=True)
class SetLiteral(Located):
    items: tuple[Term, ...]
    type: Type


@frozen(cache_hash=True)
class Binder(Named):
    """A bound variable, its domain, and the condition for the elements that count."""

    domain: Term
    where: Term | None
    type: Type


@frozen(cache_hash=True)
class Quantified(Located):
    quantifier: Quantifier
    binder: Binder
    body: Term
    type: Type


@frozen(cache_hash=True)
class Sum(Located):
    """The sum of a value over a domain; `count` sums ones."""

    value: Term
    binder: Binder
    type: Type


@frozen(cache_hash=True)
class ExtremeOf(Located):
    extreme: Extreme
    value: Term
    binder: Binder
    type: Type


@frozen(cache_hash=True)
class ExtremeBy(Located):
    extreme: Extreme
    binder: Binder
    by: Term
    type: Type


@frozen(cache_hash=True)
class Those(Located):
    binder: Binder
    type: Type


@frozen(cache_hash=True)
class Image(Located):
    """The values of a term for all elements of a binder, each once, in order of first occurrence."""

    value: Term
    binder: Binder
    type: Type


@frozen(cache_hash=True)
class SetOperation(Located):
    operator: SetOperator
    first: Term
    second: Term
    type: Type


@frozen(cache_hash=True)
class Within(Located):
    """Whether a set is contained in another; for tiles, with multiplicity."""

    first: Term
    second: Term
    type: Type


@frozen(cache_hash=True)
class Closure(Located):
    """`start` and everything reachable from it: from `origin`, one step leads to any element of `binder`."""

    start: Term
    origin: str
    binder: Binder
    type: Type


@frozen(cache_hash=True)
class Let(Named):
    """`body`, with `name` bound to the value of another term, set or not."""

    value: Term
    body: Term
    type: Type


@frozen(cache_hash=True)
class Size(Located):
    domain: Term
    type: Type


@frozen(cache_hash=True)
class Top(Located):
    """The tile at the upper end of a pile, or at the lower one; 0 for an empty pile."""

    pile: Term
    bottom: bool
    type: Type


@frozen(cache_hash=True)
class Drawn(Located):
    """A random element; each item of a list, including equal ones, is equally likely. Only effects assign it."""

    domain: Term
    type: Type


Term = (
    Constant | Absent | Local | Read | Paired | Invoke | TableCell | PlayerCount | Origin | Not | And | Or | Compare |
    Arithmetic | If | Membership | MarkerCount | RegionOf | RegionCell | Side | Step | Opposite | Apply |
    Coordinate | Neighbours | AllCells | AllDirections | AllMembers | Interval | SetLiteral | Quantified |
    Sum | ExtremeOf | ExtremeBy | Those | Image | SetOperation | Within | Closure | Let | Size | Top | Drawn
    | CellAt | Row | AspectOf
)  # fmt: skip
