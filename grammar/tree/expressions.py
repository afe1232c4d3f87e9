"""The tree of expressions, as written. Chains of one operator are flat, so depth counts nesting only."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Named


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
class NumberLiteral(Located):
    """`12`"""

    value: int


@frozen
class TruthLiteral(Located):
    """`yes` or `no`"""

    value: bool


@frozen
class Name(Located):
    """`c`, `water`, `house.shore`: a local, a state variable, a constant, a definition without parameters."""

    text: str


@frozen
class Call(Located):
    """`worth(c)`, `allowance.tokens(2)`: a definition, a table's column or a function of the language."""

    function: str
    arguments: tuple[Expression, ...]


@frozen
class Subscript(Named):
    """`ship of player`: a state variable at an index, or a property of a space (`origin of sea`).

    `stock of player of red` is `Subscript(stock, Subscript(player, red))`: only name resolution shows that `player` is an
    index.
    """

    index: Expression


@frozen
class Paired(Located):
    """`owner(c) of red` as the index of a variable with two indices; if the first part is a bare name, it is a `Subscript`."""

    first: Expression
    second: Expression


@frozen
class CellLiteral(Located):
    """`(2,0)`: the cell at a coordinate, as puzzles and plans write it."""

    coordinate: tuple[Expression, ...]


@frozen
class Not(Located):
    operand: Expression


@frozen
class Negation(Located):
    operand: Expression


@frozen
class And(Located):
    parts: tuple[Expression, ...]


@frozen
class Or(Located):
    parts: tuple[Expression, ...]


@frozen
class Compare(Located):
    operator: Comparison
    left: Expression
    right: Expression


@frozen
class Membership(Located):
    """`x in xs`; `x not in xs` is `Not(In)`."""

    item: Expression
    domain: Expression


@frozen
class Has(Located):
    """`at(c) has windlass`"""

    piece: Expression
    marker: Name


@frozen
class IsNone(Located):
    """`foe is none`; `foe is not none` is `Not(IsNone)`."""

    operand: Expression


@frozen
class Arithmetic(Located):
    """`a + b - c` or `a * b div c`: operators of one level, from left to right."""

    first: Expression
    rest: tuple[tuple[Operator, Expression], ...]


@frozen
class Arrow(Located):
    """`a -> b`: the direction from cell a to cell b."""

    start: Expression
    end: Expression


@frozen
class Interval(Located):
    """`0..3`"""

    low: Expression
    high: Expression


@frozen
class SetLiteral(Located):
    """`{a, b}`"""

    items: tuple[Expression, ...]


@frozen
class Binder(Named):
    """`n in around(c) where occupied(n)`, or `c in sea, n in around(c) where occupied(n)`.

    `rest` is what a comma binds for each element; the condition belongs to the last binder.
    """

    domain: Expression
    where: Expression | None = None
    rest: Binder | None = None


@frozen
class Quantified(Located):
    """`every n in around(c) where occupied(n): open(n)`"""

    quantifier: Quantifier
    binder: Binder
    body: Expression


@frozen
class Count(Located):
    """`count n in around(c) where occupied(n)`"""

    binder: Binder


@frozen
class Sum(Located):
    """`sum worth(c) for c in sea where explored(c)`"""

    value: Expression
    binder: Binder


@frozen
class ExtremeOf(Located):
    """`least E for x in xs where C`: the value; 0 if no element qualifies."""

    extreme: Extreme
    value: Expression
    binder: Binder


@frozen
class ExtremeBy(Located):
    """`least x in xs where C by E`: the element, the first in order on a tie; `first x in xs where C` is one without `by`."""

    extreme: Extreme
    binder: Binder
    by: Expression | None


class Limit(Enum):
    """Which elements a condition selects: all for which it holds, those up to the first, or those before the first failure."""

    WHERE = "where"
    UNTIL = "until"
    WHILE = "while"


@frozen
class Those(Located):
    """`those n in around(c) where occupied(n)`: a set. `those x in line(c, d) until occupied(x)`: part of a line."""

    binder: Binder
    limit: Limit = Limit.WHERE


@frozen
class Image(Located):
    """`those at(n) for n in around(c) where occupied(n)`: the set of the values, each once."""

    value: Expression
    binder: Binder


@frozen
class Closure(Located):
    """`closure of c under x to n in around(x) where joined(x, n, land)`: c and all cells it reaches, in order of discovery."""

    start: Expression
    origin: str
    binder: Binder


@frozen
class If(Located):
    """`if C then A else B`"""

    condition: Expression
    then: Expression
    otherwise: Expression


@frozen
class Let(Named):
    """`let n = size(hand of p): n * n`: a named value."""

    value: Expression
    body: Expression


OpenForm = Quantified | Count | Sum | ExtremeOf | ExtremeBy | Those | Image | Closure | If | Let
"""The forms that begin with a word and extend as far right as possible."""

Expression = (
    NumberLiteral
    | TruthLiteral
    | Name
    | Call
    | Subscript
    | Paired
    | CellLiteral
    | Not
    | Negation
    | And
    | Or
    | Compare
    | Membership
    | Has
    | IsNone
    | Arithmetic
    | Arrow
    | Interval
    | SetLiteral
    | OpenForm
)
