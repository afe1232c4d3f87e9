"""Sets as subset code: unrolled elements, or a loop over a range, a list in memory, a row of a table, a line of cells."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import define, field
from rulewright.rules.codegen.algebra import Body, CodeSet
from rulewright.rules.codegen.intervals import Interval
from rulewright.rules.codegen.writer import BlockKind, Code, Writer

from .memory_layout import require_int32

Loop = Callable[[Body], None]
"""Writes a loop that runs a body for each element. The body may `break`."""


@define(eq=False)
class MachineSet(CodeSet):
    """A set without items has a loop `in_order`; `any_order` is a faster one if the order does not matter.

    `length`, `first` and `last` are code for the number of elements, the first and the last; `ends` for the bounds of a range,
    the upper one exclusive. A set with `repeats` may hold equal elements, adjacent if it `is_sorted`.
    """

    interval: Interval = field(kw_only=True)
    most: int = field(kw_only=True)
    in_order: Loop | None = None
    any_order: Loop | None = None
    length: str = ""
    first: str = ""
    last: str = ""
    ends: tuple[str, str] | None = None
    repeats: bool = False
    is_sorted: bool = False


def from_range(writer: Writer, first: str, end: str, interval: Interval) -> MachineSet:
    def loop(body: Body) -> None:
        with writer.loop("e", f"range({first}, {end})") as name:
            body(Code(name, interval, simple=True))

    length = f"max({end} - {first}, 0)" if first != "0" else end
    return MachineSet(loop, length=f"({length})", ends=(first, end), interval=interval, most=len(interval.values))


def from_list(
    writer: Writer, array: str, start: str, count: str, interval: Interval, most: int, backwards: bool = False
) -> MachineSet:
    """Elements at consecutive indices of an array of 32-bit integers. Raises `CannotCompile` for elements that do not fit."""
    require_int32(interval, "sets with numbers")

    def loop(body: Body) -> None:
        with writer.loop("i", f"range({count} - 1, -1, -1)" if backwards else f"range({count})") as at:
            body(writer.share(Code(f"{array}[{start} + {at}]", interval), prefix="e"))

    first, last = f"{array}[{start}]", f"{array}[{start} + {count} - 1]"
    if backwards:
        first, last = last, first
    return MachineSet(loop, length=count, first=first, last=last, interval=interval, most=most)


def from_row(writer: Writer, row: str, width: int, interval: Interval) -> MachineSet:
    """A row of a table, padded with -1."""

    def loop(body: Body) -> None:
        with writer.loop("i", f"range({width})") as at:
            element = writer.share(Code(f"tables[{row} + {at}]", interval), prefix="e")
            with writer.block(f"if {element.text} < 0:"):
                writer.line("break")
            body(element)

    return MachineSet(loop, interval=interval, most=width)


def from_marks(writer: Writer, array: str, words: str, size: str, interval: Interval) -> MachineSet:
    """The marked cells in words of bits."""

    def loop(body: Body) -> None:
        here = writer.fresh("e", writer.top + 1)
        writer.line(f"{here} = next_marked({array}, {words}, {size}, 0)")
        with writer.block(f"while {here} < {size}:", BlockKind.LOOP):
            body(Code(here, interval, simple=True))
            writer.line(f"{here} = next_marked({array}, {words}, {size}, {here} + 1)")

    length = f"count_marked({array}, {words}, {size})"
    return MachineSet(loop, length=length, interval=interval, most=len(interval.values))


def from_walk(
    writer: Writer, nowhere: str, start: Code, direction: Code, row: str, interval: Interval, once: bool
) -> MachineSet:
    """The cells of a line in one direction, to the border or back to the start; `once`: of a single step, as on a graph."""

    def loop(body: Body) -> None:
        here = writer.fresh("e", writer.top + 1)
        writer.line(f"{here} = {nowhere}")
        with writer.block(f"if {direction.text} >= 0:"):
            writer.line(f"{here} = tables[{row} + {start.text}]")
        with writer.block(f"while {here} != {nowhere} and {here} != {start.text}:", BlockKind.LOOP):
            body(Code(here, interval, simple=True))
            writer.line(f"{here} = {nowhere if once else f'tables[{row} + {here}]'}")

    return MachineSet(loop, interval=interval, most=len(interval.values))


def from_board(writer: Writer, board: str, nowhere: str, listed: MachineSet) -> MachineSet:
    """The occupied cells of a board: in order by a scan of all cells, in any order from their list."""

    def in_order(body: Body) -> None:
        with writer.loop("e", f"range({nowhere})") as cell, writer.block(f"if state[{board} + {cell}]:"):
            body(Code(cell, listed.interval, simple=True))

    return MachineSet(in_order, listed.in_order, listed.length, interval=listed.interval, most=listed.most)
