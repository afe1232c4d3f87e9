"""The tree of expressions, as written. Chains of one operator are flat, so depth is nesting only."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Span, span_field


class Comparison(Enum):
    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="


class Operator(Enum):
    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    DIV = "div"
    MOD = "mod"


class Quantifier(Enum):
    EVERY = "every"
    SOME = "some"


class Extreme(Enum):
    LEAST = "least"
    GREATEST = "greatest"


@frozen
class NumberLiteral:
    """`12`"""

    value: int
    span: Span = span_field()


@frozen
class TruthLiteral:
    """`yes` or `no`"""

    value: bool
    span: Span = span_field()


@frozen
class Name:
    """`c`, `water`, `house.shore`: a local, a state variable, a constant, a definition without parameters."""

    text: str
    span: Span = span_field()


@frozen
class Call:
    """`worth(c)`, `allowance.tokens(2)`: a definition, a table's column or a function of the language."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span = span_field()


@frozen
class Subscript:
    """`ship of player`: a state variable at an index, or a property of a space (`origin of sea`)."""

    name: str
    index: Expression
    span: Span = span_field()


@frozen
class Not:
    operand: Expression
    span: Span = span_field()


@frozen
class Negation:
    operand: Expression
    span: Span = span_field()


@frozen
class And:
    parts: tuple[Expression, ...]
    span: Span = span_field()


@frozen
class Or:
    parts: tuple[Expression, ...]
    span: Span = span_field()


@frozen
class Compare:
    operator: Comparison
    left: Expression
    right: Expression
    span: Span = span_field()


@frozen
class Membership:
    """`x in xs`; `x not in xs` is `Not(In)`."""

    item: Expression
    domain: Expression
    span: Span = span_field()


@frozen
class Has:
    """`at(c) has windlass`"""

    piece: Expression
    marker: Name
    span: Span = span_field()


@frozen
class Arithmetic:
    """`a + b - c` or `a * b div c`: operators of one level, from left to right."""

    first: Expression
    rest: tuple[tuple[Operator, Expression], ...]
    span: Span = span_field()


@frozen
class Arrow:
    """`a -> b`: the direction from cell a to cell b."""

    start: Expression
    end: Expression
    span: Span = span_field()


@frozen
class Interval:
    """`0..3`"""

    low: Expression
    high: Expression
    span: Span = span_field()


@frozen
class SetLiteral:
    """`{a, b}`"""

    items: tuple[Expression, ...]
    span: Span = span_field()


@frozen
class Binder:
    """`n in around(c) where occupied(n)`"""

    name: str
    domain: Expression
    where: Expression | None = None
    span: Span = span_field()


@frozen
class Quantified:
    """`every n in around(c) where occupied(n): open(n)`"""

    quantifier: Quantifier
    binder: Binder
    body: Expression
    span: Span = span_field()


@frozen
class Count:
    """`count n in around(c) where occupied(n)`"""

    binder: Binder
    span: Span = span_field()


@frozen
class Sum:
    """`sum worth(c) for c in sea where explored(c)`"""

    value: Expression
    binder: Binder
    span: Span = span_field()


@frozen
class ExtremeOf:
    """`least E for x in xs where C`: the value; 0 when there is none."""

    extreme: Extreme
    value: Expression
    binder: Binder
    span: Span = span_field()


@frozen
class ExtremeBy:
    """`least x in xs where C by E`: the element, the first in the order of the domain on a tie."""

    extreme: Extreme
    binder: Binder
    by: Expression
    span: Span = span_field()


@frozen
class Those:
    """`those n in around(c) where occupied(n)`: a set."""

    binder: Binder
    span: Span = span_field()


@frozen
class Image:
    """`those at(n) for n in around(c) where occupied(n)`: the set of the values, each once."""

    value: Expression
    binder: Binder
    span: Span = span_field()


@frozen
class Closure:
    """`closure of c under x to n in around(x) where joined(x, n, land)`: c and all it reaches, in order of discovery."""

    start: Expression
    origin: str
    binder: Binder
    span: Span = span_field()


@frozen
class If:
    """`if C then A else B`"""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = span_field()


Expression = (
    NumberLiteral
    | TruthLiteral
    | Name
    | Call
    | Subscript
    | Not
    | Negation
    | And
    | Or
    | Compare
    | Membership
    | Has
    | Arithmetic
    | Arrow
    | Interval
    | SetLiteral
    | Quantified
    | Count
    | Sum
    | ExtremeOf
    | ExtremeBy
    | Those
    | Image
    | Closure
    | If
)
