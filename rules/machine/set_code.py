"""Sets as text: elements one by one, or a loop that goes through them."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import define

from .writer import Number, Text

Test = Callable[[Number], Number]
Loop = Callable[[Callable[[Number], None]], None]
"""Writes a loop with a body for each element. The body may `break` out of it."""


@define(eq=False)
class Many:
    """Elements in `low..high`, at most `most`: `items`, each with the condition under which it is in, or a `loop`.

    `any_order` is a faster loop for whoever does not care about the order. `length` is text that says how many there are,
    `first` the first of them, `bounds` the first of an interval and the one behind its last.
    """

    items: list[tuple[Number, Number | None]] | None
    loop: Loop | None
    low: int
    high: int
    most: int
    repeats: bool = False
    any_order: Loop | None = None
    length: str = ""
    first: str | None = None
    bounds: tuple[str, str] | None = None
    sorted: bool = False


def from_items(items: list[tuple[Number, Number | None]]) -> Many:
    low = min((item.low for item, _ in items), default=0)
    high = max((item.high for item, _ in items), default=0)
    return Many(items, None, low, high, len(items))


def from_range(text: Text, first: str, end: str, low: int, high: int) -> Many:
    def loop(body: Callable[[Number], None]) -> None:
        name = text.fresh("e")
        with text.block(f"for {name} in range({first}, {end}):"):
            body(Number(name, low, high, True))

    length = f"max({end} - {first}, 0)" if first != "0" else end
    return Many(None, loop, low, high, max(high - low + 1, 0), length=f"({length})", bounds=(first, end))


def from_list(text: Text, array: str, base: str, count: str, low: int, high: int, most: int, repeats: bool = False) -> Many:
    """Elements in consecutive places of an array."""

    def loop(body: Callable[[Number], None]) -> None:
        at = text.fresh("i")
        with text.block(f"for {at} in range({count}):"):
            body(text.named(Number(f"{array}[{base} + {at}]", low, high), "e"))

    return Many(None, loop, low, high, most, repeats, length=count)


def from_zone(text: Text, base: str, count: str, is_pile: bool, kinds: int, most: int) -> Many:
    """The tiles of a zone: of a pile the top is last in its place and first in order."""

    def loop(body: Callable[[Number], None]) -> None:
        at = text.fresh("i")
        header = f"range({count} - 1, -1, -1)" if is_pile else f"range({count})"
        with text.block(f"for {at} in {header}:"):
            body(text.named(Number(f"state[{base} + {at}]", 1, kinds), "e"))

    first = f"state[{base} + {count} - 1]" if is_pile else f"state[{base}]"
    return Many(None, loop, 1, kinds, most, True, length=count, first=first, sorted=not is_pile)


def from_rows(text: Text, row: str, width: int, high: int) -> Many:
    """A row of a table that -1 fills."""

    def loop(body: Callable[[Number], None]) -> None:
        at = text.fresh("i")
        with text.block(f"for {at} in range({width}):"):
            name = text.fresh("e")
            text.line(f"{name} = tables[{row} + {at}]")
            with text.block(f"if {name} < 0:"):
                text.line("break")
            body(Number(name, 0, high, True))

    return Many(None, loop, 0, high, width)


def from_walk(text: Text, nowhere: str, start: str, direction: Number, row: str, size: int) -> Many:
    """The cells straight on, to the edge or back to the start."""

    def loop(body: Callable[[Number], None]) -> None:
        here = text.fresh("e")
        text.line(f"{here} = {nowhere}")
        with text.block(f"if {direction.text} >= 0:"):
            text.line(f"{here} = tables[{row} + {start}]")
        with text.block(f"while {here} != {nowhere} and {here} != {start}:"):
            body(Number(here, 0, size - 1, True))
            text.line(f"{here} = tables[{row} + {here}]")

    return Many(None, loop, 0, max(size - 1, 0), size)


def from_cells(text: Text, board: str, listed: str, count: int, nowhere: str, size: int) -> Many:
    """The occupied cells of a board."""

    def in_order(body: Callable[[Number], None]) -> None:
        cell = text.fresh("e")
        with text.block(f"for {cell} in range({nowhere}):"), text.block(f"if state[{board} + {cell}]:"):
            body(Number(cell, 0, size - 1, True))

    def in_any_order(body: Callable[[Number], None]) -> None:
        at = text.fresh("i")
        with text.block(f"for {at} in range(state[{count}]):"):
            body(text.named(Number(f"state[{listed} + {at}]", 0, size - 1), "e"))

    return Many(None, in_order, 0, max(size - 1, 0), size, any_order=in_any_order, length=f"state[{count}]")
