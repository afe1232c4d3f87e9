"""Functions on what lies on boards: tiles, places of patterns, edges and ports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulewright.grammar.tree import expressions, modules
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.linking.scopes import report_unturned, turned, turned_back
from rulewright.rules.linking.unification import TypeVariable, prune
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Table, TileKind, most_regions
from rulewright.rules.spaces.from_tree import sample_window
from rulewright.rules.spaces.window import Function, Window

from .call import NUMBER, PLAYER, TILE, TRUTH, Call, Unresolved, once
from .derived_spaces import AT, CELL, ENDS, LINK, SELF, joints_of
from .patterns import no_place, role_of

PLUS, TIMES = Operator.PLUS, Operator.TIMES

# Functions on tiles ---------------------------------------------------------------------------------------------------
# The tile on a cell, its sides, its regions, its rotation.


KINDS, COPIES, OWNER = "kinds of tile", "copies", "owner"
"""The table of what is known of a kind of tile, whose name no text can contain, and its columns."""


def kinds_table(kinds: tuple[TileKind, ...]) -> Table:
    """How many of each kind the box has, or each player; whose they are. The first row is for no tile."""
    counts, owners = (0, *(kind.count for kind in kinds)), (0, *(kind.player for kind in kinds))
    return Table(KINDS, TILE, tuple(range(len(kinds) + 1)), ((COPIES, counts), (OWNER, owners)), (NUMBER, PLAYER))


def tile_at(call: Call) -> terms.Term:
    space, cell = call.cell_of_board(0)
    return terms.Read(space, (cell,), type=TILE, span=call.span)


def occupied(call: Call) -> terms.Term:
    nothing = terms.Constant(0, type=TILE, span=call.span)
    return terms.Compare(expressions.Comparison.UNEQUAL, tile_at(call), nothing, span=call.span)


def region(call: Call) -> terms.Term:
    space, cell = call.cell_of_board(0)
    direction = _side_of_kind(call, space, cell, call.term(1, types.Direction(space)))
    return _region_at(call, space, cell, terms.Regions(space), direction)


def site(call: Call) -> terms.Term:
    return _region_at(call, *call.cell_of_board(0), terms.Sites(), call.marker(1))


def _region_at(call: Call, space: str, cell: terms.Term, numbers: terms.Maps, picking: terms.Term) -> terms.Term:
    """The region of the tile on a cell whose number is known by kind of tile; none where nothing lies."""
    type, span, most = types.Region(space), call.span, most_regions(call.resolver.symbols.tiles)

    def region(here: terms.Term, number: terms.Term) -> terms.Term:
        found = terms.Arithmetic(here, ((TIMES, call.number(most)), (PLUS, number)), type=type, span=span)
        exists = terms.Compare(Comparison.AT_LEAST, number, call.number(0), span=span)
        return terms.If(exists, found, terms.Absent(type=type, span=span), type=type, span=span)

    def at(here: terms.Term) -> terms.Term:
        tile = terms.Read(space, (here,), type=TILE, span=span)
        return once("its number", terms.Lookup(numbers, tile, picking, type=NUMBER, span=span), partial(region, here))

    return once("its cell", cell, at)


def cell_of(call: Call) -> terms.Term:
    """`cell(r)` of a region, `cell(p)` of a port or of a place."""
    region = call.term(0)
    match prune(region.type):
        case types.Cell(name) if name in call.resolver.symbols.spaces and call.resolver.symbols.spaces[name].per_side:
            return cell_of_port(call, call.resolver.symbols.spaces[name], region)
        case TypeVariable() if any(space.per_side for space in call.resolver.symbols.spaces.values()):
            raise Unresolved  # A port or a region: later text may decide.
        case types.Place() as place:
            return aspect_of(call, place, region, terms.Aspect.CELL)
    return _cell_of_region(call, region)


def _cell_of_region(call: Call, region: terms.Term) -> terms.Term:
    most = call.number(most_regions(call.resolver.symbols.tiles))
    cell = types.Cell(call.resolver.region_space(region))
    return terms.Arithmetic(region, ((Operator.DIV, most),), type=cell, span=call.span)


def side(call: Call) -> terms.Term:
    """The side of a kind of tile, or of the tile on a cell. Reports RW242 for a kind where a cell is needed."""
    bearer = call.term(0)
    if isinstance(prune(bearer.type), types.Cell):
        space = call.resolver.board_of(call.span, bearer)
        tile = terms.Read(space, (bearer,), type=TILE, span=bearer.span)
        direction = _side_of_kind(call, space, bearer, call.term(1, types.Direction(space)))
        return terms.Lookup(terms.Side(space), tile, direction, type=types.TERRAIN, span=call.span)
    if not call.resolver.unify_by_default(bearer.type, TILE):
        call.resolver.mismatch(bearer.span, TILE, bearer.type)
    match bearer:
        case terms.Read(board) if board in call.resolver.symbols.spaces and call.resolver.symbols.spaces[board].turned:
            message = "this is a side of the unturned kind of tile"
            call.resolver.symbols.sink.error("RW242", message, call.span, help="write `side(c, d)` for the tile on cell `c`")
    direction = call.term(1, types.Direction(""))
    known = prune(direction.type)
    side = terms.Side(known.space if isinstance(known, types.Direction) else "")
    return terms.Lookup(side, bearer, direction, type=types.TERRAIN, span=call.span)


def _side_of_kind(call: Call, space: str, cell: terms.Term, direction: terms.Term) -> terms.Term:
    """A direction from a cell as a side of the kind of tile that lies there, accounting for rotation."""
    known = call.resolver.symbols.spaces.get(space)
    return direction if known is None else turned_back(known, cell, direction, call.span)


def turned_of(call: Call) -> terms.Term:
    space, cell = call.cell_of_board(0)
    report_unturned(call.resolver.symbols, space, call.span)
    return turned(space, cell, call.span)


def number(call: Call) -> terms.Term:
    bearer, marker = call.term(0), call.marker(1)
    match prune(bearer.type):
        case types.Region():
            return once("a region", bearer, partial(_number_in, call, marker))
    if not call.resolver.unify_by_default(bearer.type, TILE):
        call.resolver.mismatch(bearer.span, TILE, bearer.type)
    return terms.Lookup(terms.Markers(), bearer, marker, type=NUMBER, span=call.span)


def _number_in(call: Call, marker: terms.Term, region: terms.Term) -> terms.Term:
    """How many of a marker stand on a region."""
    cell, most = _cell_of_region(call, region), most_regions(call.resolver.symbols.tiles)
    tile = terms.Read(call.resolver.region_space(region), (cell,), type=TILE, span=call.span)
    key = call.computed(tile, (TIMES, most), (PLUS, call.computed(region, (Operator.MOD, most))))
    return terms.Lookup(terms.MarkersIn(), key, marker, type=NUMBER, span=call.span)


def copies(call: Call) -> terms.Term:
    return terms.Lookup(terms.Column(KINDS, COPIES), call.term(0, TILE), type=NUMBER, span=call.span)


def owner(call: Call) -> terms.Term:
    """The player whose set of tiles a kind is in."""
    return terms.Lookup(terms.Column(KINDS, OWNER), call.term(0, TILE), type=PLAYER, span=call.span)


# Places of patterns ---------------------------------------------------------------------------------------------------
# Functions on places of patterns: all places, their cells, and whether the pattern's condition holds there.


def places(call: Call) -> terms.Term:
    """All places of a pattern. Reports RW176."""
    help = "declare it: `pattern three in board, turned: …`"
    name = call.named(call.resolver.symbols.patterns, "RW176", "pattern", help)
    return terms.AllMembers(type=types.SetOf(types.Place(name)), span=call.span)


def holds(call: Call) -> terms.Term:
    """The pattern's condition at a place, applied to the cells of its roles there."""
    place = call.term(0)
    if not isinstance(known := prune(place.type), types.Place):
        no_place(call.resolver.symbols, place.span)
        return terms.Constant(0, type=TRUTH, span=call.span)
    pattern = call.resolver.symbols.patterns[known.pattern]
    cells = tuple(role_of(pattern, role, place, call.span) for role in pattern.roles)
    return terms.Invoke(pattern.condition, cells, type=TRUTH, span=call.span)


def aspect(kind: terms.Aspect, call: Call) -> terms.Term:
    place = call.term(0)
    if not isinstance(known := prune(place.type), types.Place):
        no_place(call.resolver.symbols, place.span)
        raise Unresolved
    return aspect_of(call, known, place, kind)


def aspect_of(call: Call, known: types.Place, place: terms.Term, aspect: terms.Aspect) -> terms.Term:
    """An aspect of a place, as a term."""
    space = call.resolver.symbols.patterns[known.pattern].space
    of_aspect: dict[terms.Aspect, types.Type] = {
        terms.Aspect.CELL: types.Cell(space),
        terms.Aspect.FACING: types.Direction(space),
        terms.Aspect.MIRRORED: TRUTH,
    }
    return terms.Lookup(terms.AspectOf(known.pattern, aspect), place, type=of_aspect[aspect], span=call.span)


# Edges and ports ------------------------------------------------------------------------------------------------------
# Functions on derived spaces: edges and their ends, ports and their connections.


def edge(call: Call) -> terms.Term:
    """`edge(a, b)`: the edge that joins two neighbours."""
    space = _of_base(call, of_ports=False)
    one, other = (call.term(n, types.Cell(space.base)) for n in (0, 1))
    way = terms.Apply(Function.TOWARD, space.base, (one, other), type=types.Direction(space.base), span=call.span)
    step = terms.Lookup(terms.Step(space.base), one, way, type=types.Cell(space.base), span=call.span)
    beside = terms.Compare(Comparison.EQUAL, step, other, span=call.span)
    nowhere = terms.Constant(len(space.nodes), type=types.Cell(space.name), span=call.span)
    return terms.If(beside, _edge_at(call, space, one, way), nowhere, type=types.Cell(space.name), span=call.span)


def edges(call: Call) -> terms.Term:
    """`edges(c)`: the edges at a cell."""
    space = _of_base(call, of_ports=False)
    cell, window = call.term(0, types.Cell(space.base)), _window(call, space)
    ways = (terms.Constant(way, type=types.Direction(space.base), span=call.span) for way in window.around)
    return _in_space(call, space, "an edge", [_edge_at(call, space, cell, way) for way in ways])


def ends(call: Call) -> terms.Term:
    """`ends(e)`: the two cells that an edge joins."""
    space = _derived(call, of_ports=False)
    type, one = types.Cell(space.base), call.term(0, types.Cell(space.name))
    both = tuple(_joint(call, space, end, one, type) for end in ENDS)
    return terms.SetLiteral(both, type=types.SetOf(type), span=call.span)


def ports(call: Call) -> terms.Term:
    """`ports(c)`: all ports of a cell, clockwise."""
    space = _of_base(call, of_ports=True)
    total = _total(call, space)
    first = call.computed(call.term(0, types.Cell(space.base)), (TIMES, total))
    return _in_space(call, space, "a port", [_port(call, space, call.computed(first, (PLUS, n))) for n in range(total)])


def beyond(call: Call) -> terms.Term:
    """`beyond(p)`: the same port, seen from the neighbour."""
    space = _derived(call, of_ports=True)
    across = terms.Constant(0, type=types.Direction(space.name), span=call.span)
    port = call.term(0, types.Cell(space.name))
    return terms.Lookup(terms.Step(space.name), port, across, type=types.Cell(space.name), span=call.span)


def link(call: Call) -> terms.Term:
    """`link(p)`: the port that the tile lying there connects a port to."""
    space = _derived(call, of_ports=True)
    base, total = call.resolver.symbols.spaces[space.base], _total(call, space)
    call.resolver.board_of(call.span, terms.Local("its cell", types.Cell(base.name), span=call.span))
    port = call.term(0, types.Cell(space.name))
    cell = cell_of_port(call, space, port)
    tile = terms.Read(base.name, (cell,), type=TILE, span=call.span)
    turns = call.computed(turned(base.name, cell, call.span), (TIMES, space.per_side)) if base.turned else call.number(0)
    local = call.computed(call.computed(port, (Operator.MINUS, turns)), (Operator.MOD, total))
    key = call.computed(call.computed(tile, (TIMES, total)), (PLUS, local))
    joined = _joint(call, space, LINK, key, NUMBER)
    place = call.computed(call.computed(joined, (PLUS, turns), (Operator.MINUS, 1)), (Operator.MOD, total))
    found = _port(call, space, call.computed(call.computed(cell, (TIMES, total)), (PLUS, place)))
    none = terms.Compare(Comparison.EQUAL, joined, call.number(0), span=call.span)
    nowhere = terms.Constant(len(space.nodes), type=types.Cell(space.name), span=call.span)
    return terms.If(none, nowhere, found, type=types.Cell(space.name), span=call.span)


def cell_of_port(call: Call, space: modules.Space, port: terms.Term) -> terms.Term:
    """The cell that a port belongs to."""
    return _joint(call, space, CELL, port, types.Cell(space.base))


# ----------------------------------------------------------------------------------------------------------------------


def _in_space(call: Call, space: modules.Space, name: str, listed: Sequence[terms.Term]) -> terms.Term:
    """Those of some edges or ports that there are."""
    type, span = types.Cell(space.name), call.span
    every = terms.AllCells(space.name, type=types.SetOf(type), span=span)
    inside = terms.Membership(terms.Local(name, type, span=span), every, span=span)
    some = terms.SetLiteral(tuple(listed), type=types.SetOf(type), span=span)
    return terms.Those(terms.Binder(name, some, inside, type, span=span), type=types.SetOf(type), span=span)


def _edge_at(call: Call, space: modules.Space, cell: terms.Term, way: terms.Term) -> terms.Term:
    """The edge that leaves a cell in a direction; nowhere if there is none."""
    first = call.computed(cell, (TIMES, len(_window(call, space).directions) + 1))
    key = call.computed(first, (PLUS, way), (PLUS, 1))
    return _joint(call, space, AT, key, types.Cell(space.name))


def _joint(call: Call, space: modules.Space, column: str, key: terms.Term, type: types.Type) -> terms.Term:
    """What the table of a derived space says in a column."""
    return terms.Lookup(terms.Column(joints_of(space.name), column), key, type=type, span=call.span)


def _window(call: Call, space: modules.Space) -> Window:
    return sample_window(call.resolver.symbols.spaces[space.base])


def _total(call: Call, space: modules.Space) -> int:
    """The number of ports of a cell."""
    return len(_window(call, space).around) * space.per_side


def _port(call: Call, space: modules.Space, number: terms.Term) -> terms.Term:
    """The port with a number; nowhere if there is none."""
    return _joint(call, space, SELF, number, types.Cell(space.name))


def _of_base(call: Call, of_ports: bool) -> modules.Space:
    """The space of edges, or of ports, derived from the space of the first argument. Reports RW243 if there is none."""
    return _only(call, of_ports, lambda space: space.base)


def _derived(call: Call, of_ports: bool) -> modules.Space:
    """The space of the edge or port that is the argument. Reports RW243 if it is neither."""
    return _only(call, of_ports, lambda space: space.name)


def _only(call: Call, of_ports: bool, named: Callable[[modules.Space], str]) -> modules.Space:
    """The only space of edges, or of ports; of several, that of the first argument."""
    spaces = call.resolver.symbols.spaces.values()
    made = [space for space in spaces if space.base and bool(space.per_side) == of_ports]
    if len(made) != 1:
        name, _ = call.cell(0)
        made = [space for space in made if named(space) == name]
    if not made:
        what, help = ("ports", "rails: ports of board, 2 a side") if of_ports else ("edges", "roads: edges of board")
        call.fail("RW243", f"no space of {what} is declared", f"declare one, as in `space {help}`")
    return made[0]
