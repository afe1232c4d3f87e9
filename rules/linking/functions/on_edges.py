"""Functions on derived spaces: edges and their ends, ports and their connections."""

from __future__ import annotations

from rulewright.grammar.tree import modules
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.linking.declarations import sample_window
from rulewright.rules.linking.functions.derived_spaces import AT, CELL, ENDS, LINK, SELF, joints_of
from rulewright.rules.linking.turned_tiles import turned
from rulewright.rules.model import terms, types
from rulewright.rules.spaces.window import Window

from .call import NUMBER, TILE, TRUTH, Call


def edge(call: Call) -> terms.Term:
    """`edge(a, b)`: the edge that joins two neighbours."""
    space = _of_base(call, 0, of_ports=False)
    if space is None:
        return call.resolver.stand_in(call.span)
    one, other = (call.term(n, types.Cell(space.base)) for n in (0, 1))
    way = terms.Toward(space.base, one, other, types.Direction(space.base), span=call.span)
    step = terms.Step(space.base, one, way, types.Cell(space.base), span=call.span)
    beside = terms.Compare(Comparison.EQUAL, step, other, TRUTH, span=call.span)
    nowhere = terms.Constant(len(space.nodes), types.Cell(space.name), span=call.span)
    return terms.If(beside, _edge_at(call, space, one, way), nowhere, types.Cell(space.name), span=call.span)


def edges(call: Call) -> terms.Term:
    """`edges(c)`: the edges at a cell."""
    space = _of_base(call, 0, of_ports=False)
    if space is None:
        return call.resolver.stand_in(call.span)
    type = types.Cell(space.name)
    cell, window = call.term(0, types.Cell(space.base)), _window(call, space)
    ways = (terms.Constant(way, types.Direction(space.base), span=call.span) for way in window.around)
    listed = terms.SetLiteral(tuple(_edge_at(call, space, cell, way) for way in ways), types.SetOf(type), span=call.span)
    inside = terms.Membership(
        terms.Local("an edge", type, span=call.span),
        terms.AllCells(space.name, types.SetOf(type), span=call.span),
        TRUTH,
        span=call.span,
    )
    return terms.Those(terms.Binder("an edge", listed, inside, type, span=call.span), types.SetOf(type), span=call.span)


def ends(call: Call) -> terms.Term:
    """`ends(e)`: the two cells that an edge joins."""
    space = _derived(call, of_ports=False)
    if space is None:
        return call.resolver.stand_in(call.span)
    type, one = types.Cell(space.base), call.term(0, types.Cell(space.name))
    both = tuple(terms.TableCell(joints_of(space.name), end, one, type, span=call.span) for end in ENDS)
    return terms.SetLiteral(both, types.SetOf(type), span=call.span)


def ports(call: Call) -> terms.Term:
    """`ports(c)`: all ports of a cell, clockwise."""
    space = _of_base(call, 0, of_ports=True)
    if space is None:
        return call.resolver.stand_in(call.span)
    type, cell = types.Cell(space.name), call.term(0, types.Cell(space.base))
    first, numbers = _times(call, cell, _total(call, space)), range(_total(call, space))
    listed = tuple(_port(call, space, _sum(call, first, _number(call, number))) for number in numbers)
    inside = terms.Membership(
        terms.Local("a port", type, span=call.span),
        terms.AllCells(space.name, types.SetOf(type), span=call.span),
        TRUTH,
        span=call.span,
    )
    every = terms.SetLiteral(listed, types.SetOf(type), span=call.span)
    return terms.Those(terms.Binder("a port", every, inside, type, span=call.span), types.SetOf(type), span=call.span)


def beyond(call: Call) -> terms.Term:
    """`beyond(p)`: the same port, seen from the neighbour."""
    space = _derived(call, of_ports=True)
    if space is None:
        return call.resolver.stand_in(call.span)
    across = terms.Constant(0, types.Direction(space.name), span=call.span)
    return terms.Step(space.name, call.term(0, types.Cell(space.name)), across, types.Cell(space.name), span=call.span)


def link(call: Call) -> terms.Term:
    """`link(p)`: the port that the tile lying there connects a port to."""
    space = _derived(call, of_ports=True)
    if space is None:
        return call.resolver.stand_in(call.span)
    base, total = call.resolver.symbols.spaces[space.base], _total(call, space)
    call.resolver.board_of(call.span, terms.Local("its cell", types.Cell(base.name), span=call.span))
    port = call.term(0, types.Cell(space.name))
    cell = cell_of_port(call, space, port)
    tile = terms.Read(base.name, (cell,), TILE, span=call.span)
    turns = _times(call, turned(base.name, cell, call.span), space.per_side) if base.turned else _number(call, 0)
    back = terms.Arithmetic(port, ((Operator.MINUS, turns),), NUMBER, span=call.span)
    local = terms.Arithmetic(back, ((Operator.MOD, _number(call, total)),), NUMBER, span=call.span)
    joined = terms.TableCell(joints_of(space.name), LINK, _sum(call, _times(call, tile, total), local), NUMBER, span=call.span)
    there = terms.Arithmetic(joined, ((Operator.PLUS, turns), (Operator.MINUS, _number(call, 1))), NUMBER, span=call.span)
    place = terms.Arithmetic(there, ((Operator.MOD, _number(call, total)),), NUMBER, span=call.span)
    found = _port(call, space, _sum(call, _times(call, cell, total), place))
    none = terms.Compare(Comparison.EQUAL, joined, _number(call, 0), TRUTH, span=call.span)
    nowhere = terms.Constant(len(space.nodes), types.Cell(space.name), span=call.span)
    return terms.If(none, nowhere, found, types.Cell(space.name), span=call.span)


def cell_of_port(call: Call, space: modules.Space, port: terms.Term) -> terms.Term:
    """The cell that a port belongs to."""
    return terms.TableCell(joints_of(space.name), CELL, port, types.Cell(space.base), span=call.span)


# ----------------------------------------------------------------------------------------------------------------------


def _edge_at(call: Call, space: modules.Space, cell: terms.Term, way: terms.Term) -> terms.Term:
    """The edge that leaves a cell in a direction; nowhere if there is none."""
    width = len(_window(call, space).directions) + 1
    after = ((Operator.PLUS, way), (Operator.PLUS, _number(call, 1)))
    key = terms.Arithmetic(_times(call, cell, width), after, NUMBER, span=call.span)
    return terms.TableCell(joints_of(space.name), AT, key, types.Cell(space.name), span=call.span)


def _window(call: Call, space: modules.Space) -> Window:
    return sample_window(call.resolver.symbols.spaces[space.base])


def _total(call: Call, space: modules.Space) -> int:
    """The number of ports of a cell."""
    return len(_window(call, space).around) * space.per_side


def _number(call: Call, value: int) -> terms.Term:
    return terms.Constant(value, NUMBER, span=call.span)


def _times(call: Call, term: terms.Term, factor: int) -> terms.Term:
    return terms.Arithmetic(term, ((Operator.TIMES, _number(call, factor)),), NUMBER, span=call.span)


def _sum(call: Call, one: terms.Term, other: terms.Term) -> terms.Term:
    return terms.Arithmetic(one, ((Operator.PLUS, other),), NUMBER, span=call.span)


def _port(call: Call, space: modules.Space, number: terms.Term) -> terms.Term:
    """The port with a number; nowhere if there is none."""
    return terms.TableCell(joints_of(space.name), SELF, number, types.Cell(space.name), span=call.span)


def _of_base(call: Call, position: int, of_ports: bool) -> modules.Space | None:
    """The space of edges, or of ports, derived from the space of an argument. Reports RW243 if there is none."""
    spaces = call.resolver.symbols.spaces.values()
    made = [space for space in spaces if space.base and bool(space.per_side) == of_ports]
    if len(made) != 1:
        base, _ = call.cell(position)
        made = [space for space in made if space.base == base]
    return _only(call, made, of_ports)


def _derived(call: Call, of_ports: bool) -> modules.Space | None:
    """The space of the edge or port that is the argument. Reports RW243 if it is neither."""
    spaces = call.resolver.symbols.spaces.values()
    made = [space for space in spaces if space.base and bool(space.per_side) == of_ports]
    if len(made) != 1:
        name, _ = call.cell(0)
        made = [space for space in made if space.name == name]
    return _only(call, made, of_ports)


def _only(call: Call, made: list[modules.Space], of_ports: bool) -> modules.Space | None:
    if made:
        return made[0]
    what, help = ("ports", "rails: ports of board, 2 a side") if of_ports else ("edges", "roads: edges of board")
    call.refuse("RW243", f"no space of {what} is declared", f"declare one, as in `space {help}`")
    return None
