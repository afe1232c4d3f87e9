"""What `name(arguments)` means: a definition, a table's column, or a function of the language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..grammar import expressions as ex
from ..grammar.diagnostics import Label, suggest
from ..grammar.spans import Span
from . import terms, types
from .inference import Hole, prune, unify
from .scope import Locals

if TYPE_CHECKING:
    from .resolve import Resolver

TRUTH, NUMBER, TILE = types.Truth(), types.Number(), types.Tile()

Arguments = tuple[ex.Expression, ...]
Builder = Callable[["Resolver", Arguments, Span, Locals], terms.Term]


def call(resolver: Resolver, node: ex.Call, locals: Locals) -> terms.Term:
    """Resolve a call. Reports RW111 (no such function), RW204 (number of arguments)."""
    scope = resolver.scope
    if node.function in scope.signatures:
        return _invoke(resolver, node, locals)
    if "." in node.function and node.function.split(".")[0] in scope.tables:
        return _table_cell(resolver, node, locals)
    if node.function in FUNCTIONS:
        arity, builder = FUNCTIONS[node.function]
        if not _counted(resolver, node, arity):
            return resolver.anything(node.span)
        return builder(resolver, node.arguments, node.span, locals)
    known = {*scope.signatures, *FUNCTIONS, *(f"{t.name}.{c}" for t in scope.tables.values() for c, _ in t.columns)}
    help = suggest(node.function, known, f"write a definition, `define {node.function}(…) = …`")
    if node.function in scope.variables:
        help = f"`{node.function}` is a state variable: write `{node.function} of …`"
    gone = scope.dropped_here(node.function)
    scope.sink.error("RW111", f"there is no function or definition `{node.function}`", node.span, *gone, help=help)
    return resolver.anything(node.span)


def _counted(resolver: Resolver, node: ex.Call, arity: int, *more: Label) -> bool:
    if len(node.arguments) == arity:
        return True
    given, what = len(node.arguments), "value" if arity == 1 else "values"
    message = f"`{node.function}` takes {arity} {what} in brackets, not {given}"
    help = f"leave out {given - arity}" if given > arity else f"write {arity - given} more, with commas between"
    resolver.scope.sink.error("RW204", message, node.span, *more, help=help)
    return False


def _invoke(resolver: Resolver, node: ex.Call, locals: Locals) -> terms.Term:
    signature = resolver.scope.signatures[node.function]
    result = prune(signature.result)
    if isinstance(result, Hole) and not resolver.types_known:
        result = Hole()  # what a definition is, its own text says, not its uses
    if not _counted(resolver, node, len(signature.parameters), Label(signature.node.span, "defined here")):
        return terms.Invoke(node.function, (), result, span=node.span)  # type: ignore[arg-type]
    arguments = tuple(resolver.term(a, locals, t) for a, t in zip(node.arguments, signature.parameters.values(), strict=True))
    return terms.Invoke(node.function, arguments, result, span=node.span)  # type: ignore[arg-type]


def _table_cell(resolver: Resolver, node: ex.Call, locals: Locals) -> terms.Term:
    name, _, column = node.function.partition(".")
    table = resolver.scope.tables[name]
    columns = [c for c, _ in table.columns]
    if column not in columns:
        resolver.scope.sink.error("RW111", f"table `{name}` has no column `{column}`", node.span, help=suggest(column, columns))
    if not _counted(resolver, node, 1):
        return terms.Constant(0, table.type_of(column), span=node.span)
    key = resolver.term(node.arguments[0], locals, table.key)
    return terms.TableCell(name, column, key, table.type_of(column), span=node.span)


def _cell_of_board(resolver: Resolver, argument: ex.Expression, locals: Locals, span: Span) -> tuple[str, terms.Term]:
    """A cell of a space on which tiles stand, and the space."""
    cell = resolver.term(argument, locals)
    space = resolver.space_of(cell, board=True)
    if space and resolver.scope.board(space) is None:
        resolver.scope.sink.error("RW205", f"no tiles stand on `{space}`", span, help=f"say `space {space}: … of tiles`")
    return space, cell


def _board(resolver: Resolver, argument: ex.Expression, locals: Locals, span: Span) -> terms.Term:
    """What stands on a cell."""
    space, cell = _cell_of_board(resolver, argument, locals, span)
    return terms.Read(space, (cell,), TILE, span=span)


def _at(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    return _board(resolver, a[0], locals, span)


def _occupied(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    nothing = terms.Constant(0, TILE, span=span)
    return terms.Compare(ex.Comparison.UNEQUAL, _board(resolver, a[0], locals, span), nothing, TRUTH, span=span)


def _region(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    space, cell = _cell_of_board(resolver, a[0], locals, span)
    return terms.RegionOf(space, cell, _direction(resolver, a[1], locals, space), types.Region(space), span=span)


def _site(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    space, cell = _cell_of_board(resolver, a[0], locals, span)
    return terms.RegionOf(space, cell, resolver.marker(a[1], locals), types.Region(space), span=span)


def _cell(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    region = resolver.term(a[0], locals)
    space = _space_of_region(resolver, region)
    return terms.RegionCell(space, region, types.Cell(space), span=span)


def _space_of_region(resolver: Resolver, region: terms.Term) -> str:
    """The space of a region; where nothing else is known, the only board. Reports RW200 and RW202."""
    if isinstance(known := prune(region.type), types.Region):
        return known.space
    boards = [name for name in resolver.scope.spaces if resolver.scope.board(name)]
    if not isinstance(known, Hole):
        resolver.mismatch(region.span, types.Region(boards[0] if boards else ""), known)
    elif len(boards) == 1:
        unify(region.type, types.Region(boards[0]))
    elif resolver.types_known:
        resolver.scope.sink.error("RW202", "cannot tell of which space this is", region.span, help="call it with a region")
    return boards[0] if boards else ""


def _side(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    tile, direction = resolver.term(a[0], locals, TILE), resolver.term(a[1], locals, types.Direction(""))
    return terms.Side(tile, direction, types.Enumeration("terrain"), span=span)


def _number(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    bearer = resolver.term(a[0], locals)
    marker = resolver.marker(a[1], locals)
    if not isinstance(prune(bearer.type), types.Region) and not unify(bearer.type, TILE):
        resolver.mismatch(a[0].span, TILE, bearer.type)
    return terms.MarkerCount(bearer, marker, NUMBER, span=span)


def _neighbours(which: terms.Neighbourhood) -> Builder:
    def build(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
        cell = resolver.term(a[0], locals)
        space = resolver.space_of(cell)
        return terms.Neighbours(space, which, cell, types.SetOf(types.Cell(space)), span=span)

    return build


def _step(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    cell = resolver.term(a[0], locals)
    space = resolver.space_of(cell)
    return terms.Step(space, cell, _direction(resolver, a[1], locals, space), types.Cell(space), span=span)


def _line(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    cell = resolver.term(a[0], locals)
    space = resolver.space_of(cell)
    direction = _direction(resolver, a[1], locals, space)
    return terms.Line(space, cell, direction, types.SetOf(types.Cell(space)), span=span)


def _direction(resolver: Resolver, node: ex.Expression, locals: Locals, space: str) -> terms.Term:
    return resolver.term(node, locals, types.Direction(space))


def _opposite(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    direction = resolver.term(a[0], locals, types.Direction(resolver.scope.only_space()))
    space = resolver.space_of(direction)
    return terms.Opposite(space, direction, types.Direction(space), span=span)


def _turn(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    direction = resolver.term(a[0], locals, types.Direction(resolver.scope.only_space()))
    space = resolver.space_of(direction)
    times = resolver.term(a[1], locals, NUMBER)
    return terms.Turn(space, direction, times, types.Direction(space), span=span)


def _distance(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    one, other = resolver.term(a[0], locals), resolver.term(a[1], locals)
    return terms.Distance(resolver.space_of(one, other), one, other, NUMBER, span=span)


def _coordinate(axis: int) -> Builder:
    def build(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
        cell = resolver.term(a[0], locals)
        return terms.Coordinate(resolver.space_of(cell), axis, cell, NUMBER, span=span)

    return build


def _directions(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    name = a[0].text if isinstance(a[0], ex.Name) else ""
    if name not in resolver.scope.spaces:
        resolver.scope.unknown(name or "?", a[0].span, locals)
    return terms.Directions(name, types.SetOf(types.Direction(name)), span=span)


def _size(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    domain, _ = resolver.set(a[0], locals)
    return terms.Size(domain, NUMBER, span=span)


def _empty(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    size = _size(resolver, a, span, locals)
    return terms.Compare(ex.Comparison.EQUAL, size, terms.Constant(0, NUMBER, span=span), TRUTH, span=span)


def _top(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
    pile, element = resolver.set(a[0], locals)
    if not unify(element, TILE):
        resolver.mismatch(a[0].span, types.SetOf(TILE), pile.type)
    return terms.Top(pile, TILE, span=span)


def _two(extreme: ex.Extreme) -> Builder:
    """The least or greatest of two: each stands in the term once, so that nested calls do not grow beyond the text."""

    def build(resolver: Resolver, a: Arguments, span: Span, locals: Locals) -> terms.Term:
        pair = resolver.term(a[0], locals, NUMBER), resolver.term(a[1], locals, NUMBER)
        bound = terms.Bound("one of two", terms.Listed(pair, types.SetOf(NUMBER), span=span), None, NUMBER, span=span)
        return terms.ExtremeOf(extreme, terms.Local("one of two", NUMBER, span=span), bound, NUMBER, span=span)

    return build


FUNCTIONS: Mapping[str, tuple[int, Builder]] = {
    "at": (1, _at),
    "occupied": (1, _occupied),
    "side": (2, _side),
    "number": (2, _number),
    "region": (2, _region),
    "site": (2, _site),
    "cell": (1, _cell),
    "around": (1, _neighbours(terms.Neighbourhood.AROUND)),
    "diagonals": (1, _neighbours(terms.Neighbourhood.DIAGONALS)),
    "nearby": (1, _neighbours(terms.Neighbourhood.NEARBY)),
    "step": (2, _step),
    "line": (2, _line),
    "opposite": (1, _opposite),
    "turn": (2, _turn),
    "distance": (2, _distance),
    "column": (1, _coordinate(0)),
    "row": (1, _coordinate(1)),
    "level": (1, _coordinate(2)),
    "directions": (1, _directions),
    "size": (1, _size),
    "empty": (1, _empty),
    "top": (1, _top),
    "min": (2, _two(ex.Extreme.LEAST)),
    "max": (2, _two(ex.Extreme.GREATEST)),
}
"""The functions of the language: number of arguments, and what they mean."""
