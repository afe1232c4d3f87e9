"""The terms of the core. docs/core.md defines their meaning.

A value is a whole number (a truth value is 0 or 1), a set a list of numbers in a fixed order. Local values are numbered: a term
binds a number that no term around it binds. `span` is the place in the rules that a term comes from, `cases` the exceptions.
"""

from __future__ import annotations

from rulewright.base.records import field, frozen
from rulewright.base.spans import Located
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model.game import Case
from rulewright.rules.model.terms import Kind
from rulewright.rules.spaces.window import Function


@frozen(cache_hash=True)
class Said(Located):
    """Base of the terms: they know the exception whose value they are, which equality ignores; a fault those that clash."""

    cases: tuple[Case, ...] = field(default=(), eq=False, repr=False, kw_only=True)


@frozen(cache_hash=True)
class Constant(Said):
    value: int


@frozen(cache_hash=True)
class Local(Said):
    """A local value, or a local set."""

    number: int


@frozen(cache_hash=True)
class Read(Said):
    """The value of a variable at an index; outside of its index the variable has its value for none."""

    variable: str
    index: Term | None


@frozen(cache_hash=True)
class Zone(Said):
    """The tiles of a zone at an index, none outside of it; a pile from its top, others in order."""

    variable: str
    index: Term | None


@frozen(cache_hash=True)
class Lookup(Said):
    """The entry of a map; its value for none if a key is outside."""

    map: str
    keys: tuple[Term, ...]


@frozen(cache_hash=True)
class Row(Said):
    """A set known before play, by a key; empty if the key is outside."""

    rows: str
    key: Term


@frozen(cache_hash=True)
class Apply(Said):
    function: Function
    space: str
    arguments: tuple[Term, ...]


@frozen(cache_hash=True)
class Not(Said):
    operand: Term


@frozen(cache_hash=True)
class And(Said):
    """The parts are evaluated in order, up to the first 0."""

    parts: tuple[Term, ...]


@frozen(cache_hash=True)
class Or(Said):
    """The parts are evaluated in order, up to the first 1."""

    parts: tuple[Term, ...]


@frozen(cache_hash=True)
class Choice(Said):
    """One of two values or sets; the other is not evaluated."""

    condition: Term
    then: Term
    otherwise: Term


@frozen(cache_hash=True)
class Compare(Said):
    operator: Comparison
    left: Term
    right: Term


@frozen(cache_hash=True)
class Arithmetic(Said):
    operator: Operator
    left: Term
    right: Term


@frozen(cache_hash=True)
class Call(Said):
    """A definition, with the arguments as its first locals."""

    definition: str
    arguments: tuple[Term, ...]


@frozen(cache_hash=True)
class Fault(Said):
    """No value: two exceptions apply at once, and the rules contradict themselves."""


@frozen(cache_hash=True)
class In(Said):
    """Whether a value is an element of a set."""

    item: Term
    domain: Term


@frozen(cache_hash=True)
class Listed(Said):
    """The set of some values, each once, in order of first occurrence."""

    items: tuple[Term, ...]


@frozen(cache_hash=True)
class Interval(Said):
    low: Term
    high: Term


@frozen(cache_hash=True)
class Joined(Said):
    """The elements of one set, then those of another."""

    first: Term
    second: Term


@frozen(cache_hash=True)
class Binding(Said):
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


@frozen(cache_hash=True)
class Fold(Binding):
    """One value from those of the body; `empty` if the set is empty."""

    kind: Kind
    empty: int


@frozen(cache_hash=True)
class Top(Said):
    """The first tile of a pile, or the last one; 0 if there is none."""

    pile: Term
    bottom: bool


Term = (
    Constant | Local | Read | Zone | Lookup | Row | Apply | Not | And | Or | Choice | Compare | Arithmetic | Call | Fault | In |
    Listed | Interval | Joined | Let | Filter | Image | Closure | Fold | Top
)  # fmt: skip
