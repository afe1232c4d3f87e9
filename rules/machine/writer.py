"""Text in the native subset under construction, and numbers as such text with what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.subset.refusal import CannotCompile

LIMIT = 1 << 40
"""No number that the rules compute may be larger: sums and products of such still fit a word."""

MOST_LINES = 60_000


@frozen
class Number:
    """A value as text, in `low..high`. A `simple` text costs nothing to repeat.

    `base` and `direction` say that it is the cell one step from the cell of that text.
    """

    text: str
    low: int
    high: int
    simple: bool = False
    base: str = ""
    direction: int = -1

    def __attrs_post_init__(self) -> None:
        if self.low < -LIMIT or self.high > LIMIT:
            raise CannotCompile("numbers that may grow too large")

    @property
    def known(self) -> int | None:
        return self.low if self.low == self.high else None


def constant(value: int) -> Number:
    return Number(str(value) if value >= 0 else f"({value})", value, value, True)


YES, NO = constant(1), constant(0)


def truth(text: str) -> Number:
    return Number(text, 0, 1)


def span_of(*numbers: Number) -> tuple[int, int]:
    """The least and the most of several numbers."""
    return min(n.low for n in numbers), max(n.high for n in numbers)


@frozen
class Aside:
    """Lines kept apart, and the names that they give."""

    lines: list[str] = field(factory=list)
    names: dict[str, Number] = field(factory=dict)


@define
class Text:
    """Lines so far, at the depth where the next one goes. Names are unique in the whole text.

    What was named in a block that is still open is not computed again, until `forget`.
    """

    lines: list[str] = field(factory=list)
    depth: int = 0
    names: int = 0
    written: int = 0
    scopes: list[dict[str, Number]] = field(factory=lambda: [{}])

    def line(self, text: str) -> None:
        self.written += 1
        if self.written > MOST_LINES:
            raise CannotCompile("rules that grow too large when their definitions are written out")
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Lines under a header; `pass` where there are none."""
        self.line(header)
        before = len(self.lines)
        self.depth += 1
        self.scopes.append({})
        yield
        self.scopes.pop()
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def aside(self) -> Iterator[Aside]:
        """Lines that are kept apart, one level deeper, to be used or not."""
        kept = Aside()
        self.lines, outer = kept.lines, self.lines
        self.depth += 1
        self.scopes.append(kept.names)
        yield kept
        self.scopes.pop()
        self.depth -= 1
        self.lines = outer

    def insert(self, kept: Aside) -> None:
        """Lines kept aside, at the depth of those around them."""
        self.lines += [line[4:] for line in kept.lines]
        self.scopes[-1].update(kept.names)

    def insert_inside(self, kept: Aside) -> None:
        """Lines kept aside, in the block that has just been opened."""
        self.lines += kept.lines

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def named(self, number: Number, prefix: str = "v") -> Number:
        """The number under a name, computed here unless it has been."""
        if number.known is not None:
            return constant(number.known)
        if number.simple:
            return number
        for scope in self.scopes:
            if number.text in scope:
                return scope[number.text]
        name = self.fresh(prefix)
        self.line(f"{name} = {number.text}")
        found = Number(name, number.low, number.high, True, number.base, number.direction)
        self.scopes[-1][number.text] = found
        return found

    def forget(self) -> None:
        """What was computed before may have changed."""
        for scope in self.scopes:
            scope.clear()
