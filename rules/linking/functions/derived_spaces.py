"""Spaces derived from another: its edges, and the ports on the sides of its cells.

Both become graphs with named nodes, so that state, actions, puzzles and plans treat them like any other cells. Tables store
how the two spaces are connected; the functions of `on_boards.py` look them up.
"""

from __future__ import annotations

from itertools import combinations

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import evolve
from rulewright.grammar.tree import modules
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model import types
from rulewright.rules.model.game import Table, TileKind
from rulewright.rules.spaces.from_tree import open_window
from rulewright.rules.spaces.window import Window

NUMBER = types.Number()
ENDS = ("first", "second")
AT, LINK, SELF, CELL = "at", "link", "self", "cell"
"""Columns: the edge in a direction from a cell; the port that a tile connects a port to; a port and its cell, by number."""


def expand_spaces(book: Rulebook, sink: Sink, most: int) -> None:
    """Give every derived space its nodes and edges, at most `most` nodes. Reports RW055, RW136, RW137 and RW251."""
    for name, space in book.spaces.items():
        if space.base:
            base = book.spaces.get(space.base)
            if base is None:
                known = ", ".join(f"`{other}`" for other in book.spaces if other != name)
                sink.error("RW136", f"there is no space `{space.base}`", space.span, help=f"the spaces are {known}")
            elif base.base or not (base.size or base.edges):
                why = "is itself derived from another space" if base.base else "has no bounds"
                message, label = f"`{base.name}` {why}", Label(base.span, "declared here")
                sink.error("RW137", message, space.span, label, help="use a space with a size, or a graph")
            else:
                window = open_window(base)
                ports = window.size * len(port_names(window, space.per_side))
                if (ports or len(edges_of(window))) > most:
                    what, help = "ports" if space.per_side else "edges", f"make `{base.name}` smaller"
                    sink.error("RW055", f"`{base.name}` has more than {most} {what}", space.span, help=help)
                else:
                    book.spaces[name] = _written_out(space, window, sink)
                    try:
                        open_window(book.spaces[name])
                    except ValueError as error:
                        sink.error("RW251", str(error), space.span, help="correct the declaration of the space")


def _written_out(space: modules.Space, window: Window, sink: Sink) -> modules.Space:
    if space.per_side:
        return _with_ports(space, window, sink)
    pairs = edges_of(window)
    names = [f"{_name(window, one)}-{_name(window, other)}" for one, other in pairs]
    ends: dict[int, list[int]] = {}
    for number, pair in enumerate(pairs):
        for cell in pair:
            ends.setdefault(cell, []).append(number)
    meeting = sorted({pair for numbers in ends.values() for pair in combinations(numbers, 2)})
    near = [(names[first], names[second]) for first, second in meeting]
    if not near:
        sink.error("RW137", f"no two edges of `{space.base}` meet", space.span, help="make it larger")
    return evolve(space, nodes=tuple(names), edges=tuple(near))


def _with_ports(space: modules.Space, window: Window, sink: Sink) -> modules.Space:
    names = [f"{_name(window, cell)}-{port}" for cell in range(window.size) for port in port_names(window, space.per_side)]
    total = len(window.around) * space.per_side
    joined = []
    for cell in range(window.size):
        for number in range(total):
            side, index = divmod(number, space.per_side)
            direction = window.around[side]
            there, back = window.steps[direction][cell], window.opposite[direction]
            if there != window.nowhere and back in window.around:
                other = there * total + window.around.index(back) * space.per_side + space.per_side - 1 - index
                if cell * total + number < other:
                    joined.append((names[cell * total + number], names[other]))
    if not joined or len(window.around) == 8 or window.shape not in (modules.Shape.SQUARE, modules.Shape.HEX):
        message = f"no two cells of `{space.base}` share a side"
        sink.error("RW137", message, space.span, help="use a square or hex grid of several cells that are neighbours by sides")
    return evolve(space, nodes=tuple(names), edges=tuple(joined) or (("0", "1"),))


def joints_of(space: str) -> str:
    """The name of the table of a derived space, which no text can contain."""
    return f"joints of {space}"


def edges_of(window: Window) -> list[tuple[int, int]]:
    """The pairs of neighbouring cells, each once."""
    found: dict[tuple[int, int], None] = {}
    for cell in range(window.size):
        for direction in window.around:
            there = window.steps[direction][cell]
            if there not in (window.nowhere, cell):
                found.setdefault((min(cell, there), max(cell, there)), None)
    return sorted(found)


def port_names(window: Window, per_side: int) -> list[str]:
    """The ports of a cell, clockwise: `N1`, `N2`, `E1`, …"""
    return [f"{window.directions[direction]}{n}" for direction in window.around for n in range(1, per_side + 1)]


def _name(window: Window, cell: int) -> str:
    return window.names[cell] if window.names else "_".join(str(n).replace("-", "m") for n in window.coordinates[cell])


def joining_tables(spaces: dict[str, modules.Space], kinds: tuple[TileKind, ...]) -> dict[str, Table]:
    """The tables of all derived spaces, by the name of the space."""
    found = {}
    for name, space in spaces.items():
        if space.base and space.base in spaces:
            window = open_window(spaces[space.base])
            columns = _links(space, window, kinds) if space.per_side else _joints(space, window)
            rows = sorted({key for _, values, _ in columns for key in values})
            filled = tuple((column, tuple(values.get(key, otherwise) for key in rows)) for column, values, otherwise in columns)
            port, cell = types.Cell(name), types.Cell(space.base)
            kept = (NUMBER, port, cell) if space.per_side else (port, cell, cell)
            found[joints_of(name)] = Table(joints_of(name), NUMBER, tuple(rows), filled, kept)
    return found


Column = tuple[str, dict[int, int], int]
"""A column's name, its values by key, and the value for none."""


def _joints(space: modules.Space, window: Window) -> list[Column]:
    """By cell and direction, the edge that leaves it there; by edge, its ends."""
    pairs, width = edges_of(window), len(window.directions) + 1
    at: dict[int, int] = {}
    for number, pair in enumerate(pairs):
        for cell, other in (pair, pair[::-1]):
            for direction in window.around:
                if window.steps[direction][cell] == other:
                    at[cell * width + direction + 1] = number
    first, second = ({number: pair[end] for number, pair in enumerate(pairs)} for end in (0, 1))
    return [(AT, at, len(pairs)), (ENDS[0], first, window.nowhere), (ENDS[1], second, window.nowhere)]


def _links(space: modules.Space, window: Window, kinds: tuple[TileKind, ...]) -> list[Column]:
    """By tile and port, one more than the port that the tile connects it to; by number, the port and its cell."""
    names, total = port_names(window, space.per_side), len(window.around) * space.per_side
    found: dict[int, int] = {0: 0}
    for tile, kind in enumerate(kinds, 1):
        for region in kind.regions[1:]:
            here = [n for n, name in enumerate(names) if name in region.sides or name.rstrip("0123456789") in region.sides]
            for port in here:
                others = [other for other in here if other != port]
                if others:
                    found.setdefault(tile * total + port, others[0] + 1)
    numbers = range(len(space.nodes))
    cells = {number: number // total for number in numbers}
    return [(LINK, found, 0), (SELF, {n: n for n in numbers}, len(space.nodes)), (CELL, cells, window.nowhere)]
