"""Code: an expression in the target language, with what is known of its value."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.records import frozen

from .intervals import TRUTH, Interval
from .value_tables import ValueTable

LONGEST = 200_000
"""The most characters of an expression."""


class TooLarge(Exception):
    """The program is longer than the rules of a game may make it."""


@frozen(eq=False)
class Code:
    """An expression as text. Its value lies in `interval`, if known.

    `simple` text is free to repeat. A `loose` truth value may be any number, with nonzero meaning true. `table` has the value
    for each value of a variable that alone determines it. `negated` is the expression that this one negates; `parts` are the
    operands of a junction, a conjunction if `is_conjunction`. `nonzero` is text that is true where the value is not 0. With a
    `neighbour`, the value is the cell next to that one in the direction `direction`.
    """

    text: str
    interval: Interval | None = None
    simple: bool = False
    loose: bool = False
    table: ValueTable | None = None
    negated: Code | None = None
    parts: tuple[Code, ...] = ()
    is_conjunction: bool = False
    nonzero: str = ""
    neighbour: Code | None = None
    direction: int = -1

    def __attrs_post_init__(self) -> None:
        if len(self.text) > LONGEST:
            raise TooLarge(LONGEST)

    @property
    def known(self) -> int | None:
        """The value, if only one is possible."""
        interval = self.interval
        return interval.low if interval is not None and interval.low == interval.high else None

    @property
    def bounds(self) -> Interval:
        """The interval, which languages of machine words know for every value."""
        if self.loose:
            return TRUTH
        assert self.interval is not None
        return self.interval

    def named(self, name: str) -> Code:
        """The same value, held by a variable of that name."""
        return evolve(self, text=name, simple=True, nonzero="")


def constant(value: int) -> Code:
    return Code(str(value) if value >= 0 else f"({value})", Interval(value, value), simple=True)


YES, NO = constant(1), constant(0)


def truth(text: str) -> Code:
    """A truth value, 0 or 1."""
    return Code(text, TRUTH)
