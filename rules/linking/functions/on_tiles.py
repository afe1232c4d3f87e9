"""Functions on tiles: the tile on a cell, its sides, its regions, its rotation."""

from __future__ import annotations

from rulewright.grammar.tree import expressions
from rulewright.rules.linking.turned_tiles import report_unturned, turned, turned_back
from rulewright.rules.linking.unification import TypeVariable, prune
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Table, TileKind

from .call import NUMBER, PLAYER, TILE, TRUTH, Call, Unresolved
from .on_edges import cell_of_port
from .on_places import aspect_of

KINDS, COPIES, OWNER = "kinds of tile", "copies", "owner"
"""The table of what is known of a kind of tile, whose name no text can contain, and its columns."""


def kinds_table(kinds: tuple[TileKind, ...]) -> Table:
    """How many of each kind the box has, or each player; whose they are. The first row is for no tile."""
    counts, owners = (0, *(kind.count for kind in kinds)), (0, *(kind.player for kind in kinds))
    return Table(KINDS, TILE, tuple(range(len(kinds) + 1)), ((COPIES, counts), (OWNER, owners)), (NUMBER, PLAYER))


def tile_at(call: Call) -> terms.Term:
    space, cell = call.cell_of_board(0)
    return terms.Read(space, (cell,), TILE, span=call.span)


def occupied(call: Call) -> terms.Term:
    nothing = terms.Constant(0, TILE, span=call.span)
    return terms.Compare(expressions.Comparison.UNEQUAL, tile_at(call), nothing, TRUTH, span=call.span)


def region(call: Call) -> terms.Term:
    space, cell = call.cell_of_board(0)
    direction = _side_of_kind(call, space, cell, call.term(1, types.Direction(space)))
    return terms.RegionOf(space, cell, direction, types.Region(space), span=call.span)


def site(call: Call) -> terms.Term:
    space, cell = call.cell_of_board(0)
    return terms.RegionOf(space, cell, call.marker(1), types.Region(space), span=call.span)


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
        case _:
            pass
    space = call.resolver.region_space(region)
    return terms.RegionCell(space, region, types.Cell(space), span=call.span)


def side(call: Call) -> terms.Term:
    """The side of a kind of tile, or of the tile on a cell. Reports RW242 for a kind where a cell is needed."""
    bearer = call.term(0)
    if isinstance(prune(bearer.type), types.Cell):
        space = call.resolver.board_of(call.span, bearer)
        tile = terms.Read(space, (bearer,), TILE, span=bearer.span)
        direction = _side_of_kind(call, space, bearer, call.term(1, types.Direction(space)))
        return terms.Side(tile, direction, types.TERRAIN, span=call.span)
    if not call.resolver.unify_by_default(bearer.type, TILE):
        call.resolver.mismatch(bearer.span, TILE, bearer.type)
    match bearer:
        case terms.Read(board) if board in call.resolver.symbols.spaces and call.resolver.symbols.spaces[board].turned:
            message = "this is a side of the unturned kind of tile"
            call.resolver.symbols.sink.error("RW242", message, call.span, help="write `side(c, d)` for the tile on cell `c`")
        case _:
            pass
    return terms.Side(bearer, call.term(1, types.Direction("")), types.TERRAIN, span=call.span)


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
    if not isinstance(prune(bearer.type), types.Region) and not call.resolver.unify_by_default(bearer.type, TILE):
        call.resolver.mismatch(bearer.span, TILE, bearer.type)
    return terms.MarkerCount(bearer, marker, NUMBER, span=call.span)


def copies(call: Call) -> terms.Term:
    return terms.TableCell(KINDS, COPIES, call.term(0, TILE), NUMBER, span=call.span)


def owner(call: Call) -> terms.Term:
    """The player whose set of tiles a kind is in."""
    return terms.TableCell(KINDS, OWNER, call.term(0, TILE), PLAYER, span=call.span)
