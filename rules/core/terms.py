"""The terms of the core. docs/core.md defines their meaning.

A value is a whole number (a truth value is 0 or 1), a set a list of numbers in a fixed order. Local values are numbered: a term
binds a number that no term around it binds. `span` is the place in the rules that a term comes from.
"""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Located
from rulewright.grammar.tree.expressions import Comparison, Operator


@frozen(cache_hash=True)
class Constant(Located):
    value: int


@frozen(cache_hash=True)
class Local(Located):
    """A local value, or a local set."""

    number: int


@frozen(cache_hash=True)
class Read(Located):
    """The value of a variable at an index; outside of its index the variable has its value for none."""

    variable: str
    index: Term | None


@frozen(cache_hash=True)
class Zone(Located):
    """The tiles of a zone at an index, none outside of it; a pile from its top, others in order."""

    variable: str
    index: Term | None


@frozen(cache_hash=True)
class Lookup(Located):
    """The entry of a map; its value for none if a key is outside."""

    map: str
    keys: tuple[Term, ...]


@frozen(cache_hash=True)
class Row(Located):
    """A set known before play, by a key; empty if the key is outside."""

    rows: str
    key: Term


class Function(Enum):
    """A function of a space, computed from the steps between its cells."""

    DISTANCE = "distance"
    TOWARD = "toward"
    LINE = "line"
    LEAP = "leap"
    TURN = "turn"


@frozen(cache_hash=True)
class Apply(Located):
    function: Function
    space: str
    arguments: tuple[Term, ...]


@frozen(cache_hash=True)
class Not(Located):
    operand: Term


@frozen(cache_hash=True)
class And(Located):
    """The parts are evaluated in order, up to the first 0."""

    parts: tuple[Term, ...]


@frozen(cache_hash=True)
class Or(Located):
    """The parts are evaluated in order, up to the first 1."""

    parts: tuple[Term, ...]


@frozen(cache_hash=True)
class Choice(Located):
    """One of two values or sets; the other is not evaluated."""

    condition: Term
    then: Term
    otherwise: Term


@frozen(cache_hash=True)
class Compare(Located):
    operator: Comparison
    left: Term
    right: Term


@frozen(cache_hash=True)
class Arithmetic(Located):
    operator: Operator
    left: Term
    right: Term


@frozen(cache_hash=True)
class Call(Located):
    """A definition, with the arguments as its first locals."""

    definition: str
    arguments: tuple[Term, ...]


@frozen(cache_hash=True)
class Fault(Located):
    """No value: two exceptions apply at once, and the rules contradict themselves."""


@frozen(cache_hash=True)
class In(Located):
    """Whether a value is an element of a set."""

    item: Term
    domain: Term


@frozen(cache_hash=True)
class Listed(Located):
    """The set of some values, each once, in order of first occurrence."""

    items: tuple[Term, ...]


@frozen(cache_hash=True)
class Interval(Located):
    low: Term
    high: Term


@frozen(cache_hash=True)
class Joined(Located):
    """The elements of one set, then those of another."""

    first: Term
    second: Term


@frozen(cache_hash=True)
class Binding(Located):
    """Base of the terms that bind a local in `body`: to a value, or to each element of a set in turn."""

    local: int
    domain: Term
    body: Term


@frozen(cache_hash=True)
class Let(Binding):
    """The body, with the local bound to the value or set `domain`."""


@frozen(cache_hash=True)
class Filter(Binding):
    """The elements for which the body holds."""


@frozen(cache_hash=True)
class Image(Binding):
    """The values of the body, each once, in order of first occurrence."""


@frozen(cache_hash=True)
class Closure(Binding):
    """The value `domain` and, breadth first, whatever the sets of `body` lead to."""


class Kind(Enum):
    """What a fold makes of the values of its body: the last two are the first element with the least or greatest value."""

    EVERY = "every"
    SOME = "some"
    SUM = "sum"
    LEAST = "least"
    GREATEST = "greatest"
    FIRST_LEAST = "first least"
    FIRST_GREATEST = "first greatest"


@frozen(cache_hash=True)
class Fold(Binding):
    """One value from those of the body; `empty` if the set is empty."""

    kind: Kind
    empty: int


@frozen(cache_hash=True)
class Top(Located):
    """The first tile of a pile, or the last one; 0 if there is none."""

    pile: Term
    bottom: bool


Term = (
    Constant | Local | Read | Zone | Lookup | Row | Apply | Not | And | Or | Choice | Compare | Arithmetic | Call | Fault | In |
    Listed | Interval | Joined | Let | Filter | Image | Closure | Fold | Top
)  # fmt: skip
