"""Resolves calls: `name(arguments)` is a definition, a column of a table, or a function of the language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rulewright.base.diagnostics import Label, suggest
from rulewright.grammar.tree import expressions
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import terms, types
from rulewright.rules.spaces.window import Function

from .functions import on_boards
from .functions.call import NUMBER, PLAYER, TILE, ArgumentResolver, Builder, Call, Unresolved
from .pieces import functions as of_pieces
from .symbol_table import Locals
from .unification import PartialType, TypeVariable, as_type, prune, unify


def resolve_call(
    resolver: ArgumentResolver, node: expressions.Call, locals: Locals, expected: PartialType | None = None
) -> terms.Term:
    """Resolve a call, with the type expected of it if known. Reports RW111 (no such function) and RW204 (argument count)."""
    symbols, name = resolver.symbols, node.function
    if name in symbols.signatures:
        return _invoke(resolver, node, locals)
    if "." in name and name.split(".")[0] in symbols.tables:
        return _table_cell(resolver, node, locals)
    if name in FUNCTIONS:
        builders = FUNCTIONS[name]
        if not _has_arity(resolver, node, *builders):
            return resolver.stand_in(node.span)
        try:
            return builders[len(node.arguments)](Call(resolver, node.arguments, node.span, locals, expected))
        except Unresolved:
            return resolver.stand_in(node.span)
    columns = (f"{table.name}.{column}" for table in symbols.tables.values() for column, _ in table.columns)
    help = suggest(name, {*symbols.signatures, *FUNCTIONS, *columns}, f"define it with `define {name}(…) = …`")
    if name in symbols.variables:
        help = f"`{name}` is a state variable: write `{name} of …`"
    message = f"there is no function or definition `{name}`"
    symbols.sink.error("RW111", message, node.span, *symbols.dropped_here(name), help=help)
    return resolver.stand_in(node.span)


def _has_arity(resolver: ArgumentResolver, node: expressions.Call, *arities: int, labels: tuple[Label, ...] = ()) -> bool:
    given, arity = len(node.arguments), max(arities)
    if given in arities:
        return True
    allowed = " or ".join(map(str, arities))
    message = f"wrong number of arguments for `{node.function}`: expected {allowed}, found {given}"
    help = f"remove {given - arity}" if given > arity else f"add {arity - given} more, separated by commas"
    resolver.symbols.sink.error("RW204", message, node.span, *labels, help=help)
    return False


def _invoke(resolver: ArgumentResolver, node: expressions.Call, locals: Locals) -> terms.Term:
    """Resolve the call of a definition. It constrains the types of the parameters, but not the type of the result."""
    signature = resolver.symbols.signatures[node.function]
    result = prune(signature.result)
    if resolver.inferring and isinstance(result, TypeVariable):
        signature.uses.append(result := TypeVariable())
    if not _has_arity(resolver, node, len(signature.parameters), labels=(Label(signature.node.span, "defined here"),)):
        return terms.Invoke(node.function, (), type=as_type(result), span=node.span)
    expected = signature.parameters.values()
    arguments = tuple(_argument(resolver, arg, locals, type) for arg, type in zip(node.arguments, expected, strict=True))
    return terms.Invoke(node.function, arguments, type=as_type(result), span=node.span)


def _argument(resolver: ArgumentResolver, node: expressions.Expression, locals: Locals, type: PartialType) -> terms.Term:
    """An argument of a definition. A number determines a type only by default, since players have numbers too."""
    if isinstance(node, expressions.NumberLiteral) and resolver.inferring and isinstance(prune(type), TypeVariable):
        resolver.unify_by_default(type, NUMBER)
        return terms.Constant(node.value, type=NUMBER, span=node.span)
    return resolver.term(node, locals, type)


def _table_cell(resolver: ArgumentResolver, node: expressions.Call, locals: Locals) -> terms.Term:
    name, _, column = node.function.partition(".")
    table = resolver.symbols.tables[name]
    columns = [known for known, _ in table.columns]
    if column not in columns:
        message = f"the table `{name}` has no column `{column}`"
        resolver.symbols.sink.error("RW111", message, node.span, help=suggest(column, columns))
    if not _has_arity(resolver, node, 1):
        return terms.Constant(0, type=table.type_of(column), span=node.span)
    key = resolver.term(node.arguments[0], locals, table.key)
    return terms.Lookup(terms.Column(name, column), key, type=table.type_of(column), span=node.span)


# Functions ------------------------------------------------------------------------------------------------------------


def _neighbours(which: terms.Neighbourhood, call: Call) -> terms.Term:
    space, cell = call.cell(0)
    return terms.Neighbours(space, which, cell, type=types.SetOf(types.Cell(space)), span=call.span)


def _step(call: Call) -> terms.Term:
    cell = call.term(0)
    if isinstance(prune(cell.type), types.Place):
        return of_pieces.shifted(call, cell)
    space = call.resolver.space_of(cell)
    direction = call.term(1, types.Direction(space))
    if len(call.arguments) == 2:
        return terms.Lookup(terms.Step(space), cell, direction, type=types.Cell(space), span=call.span)
    times = call.term(2, NUMBER)
    if call.shape(space) is Shape.GRAPH:
        help = "nest one `step` inside another"
        call.refuse("RW170", f"`{space}` is a graph, so its directions do not continue in a straight line", help)
    return terms.Apply(Function.LEAP, space, (cell, direction, times), type=types.Cell(space), span=call.span)


def _column_of(call: Call) -> terms.Term:
    space, cell = call.cell(0)
    return _column(call, space, cell)


def _column(call: Call, space: str, cell: terms.Term) -> terms.Term:
    """The vertical column of a cell. Reports RW170 for a space without levels, and RW171."""
    if call.shape(space) not in (None, Shape.CUBE):
        help = "use `those x in … where column(x) = column(c)`"
        call.refuse("RW170", f"`{space}` is not a cube grid, so its cells are not stacked", help)
    call.bounded(space)
    return terms.Row(terms.ColumnsOf(space), cell, type=types.SetOf(types.Cell(space)), span=call.span)


def _topmost(call: Call) -> terms.Term:
    """The highest occupied cell of a column."""
    space, cell = call.cell_of_board(0)
    here = terms.Local("the highest", types.Cell(space), span=call.span)
    tile, nothing = terms.Read(space, (here,), type=TILE, span=call.span), terms.Constant(0, type=TILE, span=call.span)
    occupied = terms.Compare(expressions.Comparison.UNEQUAL, tile, nothing, span=call.span)
    bound = terms.Binder(here.name, _column(call, space, cell), occupied, here.type, span=call.span)
    level = terms.Lookup(terms.Coordinate(space, 2), here, type=NUMBER, span=call.span)
    return terms.Fold(terms.Kind.FIRST_GREATEST, bound, level, type=here.type, span=call.span)


def _part(call: Call) -> terms.Term:
    """The cells of a part of a partition. Reports RW110 if there is no such partition."""
    partitions = call.resolver.symbols.partitions
    name = call.named(partitions, "RW110", "partition", "declare it: `partition quarter of c in …: …`")
    space = partitions[name]
    cell = call.term(1, types.Cell(space))
    call.bounded(space)
    return terms.Row(terms.PartsOf(name, space), cell, type=types.SetOf(types.Cell(space)), span=call.span)


def _cell_at(call: Call) -> terms.Term:
    """`cell` of numbers, preceded by the name of a space if there are several. Reports RW170, RW171 and RW202."""
    spaces, first = call.resolver.symbols.spaces, call.arguments[0]
    named = isinstance(first, expressions.Name) and first.text in spaces and first.text not in call.locals
    numbers = tuple(call.term(position, NUMBER) for position in range(named, len(call.arguments)))
    fitting = [name for name, space in spaces.items() if _axes(space.shape) == len(numbers)]
    space = first.text if named and isinstance(first, expressions.Name) else next(iter(fitting), "")
    if space not in fitting:
        help = "a square or hex grid has columns and rows, a cube grid also levels, and a ring only positions"
        where = f"`{space}`" if space else "this game"
        call.fail("RW170", f"a cell of {where} does not have {len(numbers)} coordinates", help)
    if not named and len(fitting) > 1:
        call.refuse("RW202", "it is ambiguous which space this refers to", f"name it: `cell({fitting[0]}, …)`")
    call.bounded(space)
    return terms.CellAt(space, numbers, type=types.Cell(space), span=call.span)


def _axes(shape: Shape) -> int:
    """The number of coordinates of a cell; a graph has none."""
    match shape:
        case Shape.SQUARE | Shape.HEX:
            return 2
        case Shape.CUBE:
            return 3
        case Shape.RING:
            return 1
        case Shape.GRAPH:
            return 0


def _line(call: Call) -> terms.Term:
    space, cell = call.cell(0)
    direction = call.term(1, types.Direction(space))
    return terms.Apply(Function.LINE, space, (cell, direction), type=types.SetOf(types.Cell(space)), span=call.span)


def _opposite(call: Call) -> terms.Term:
    space, direction = call.direction(0)
    return terms.Lookup(terms.Opposite(space), direction, type=types.Direction(space), span=call.span)


def _turn(call: Call) -> terms.Term:
    if of_pieces.is_piece(call.arguments[0], call.resolver.symbols, call.locals):
        return of_pieces.turned(call, call.term(0))
    space, direction = call.direction(0)
    return terms.Apply(Function.TURN, space, (direction, call.term(1, NUMBER)), type=types.Direction(space), span=call.span)


def _distance(call: Call) -> terms.Term:
    start, end = call.term(0), call.term(1)
    return terms.Apply(Function.DISTANCE, call.resolver.space_of(start, end), (start, end), type=NUMBER, span=call.span)


def _coordinate(axis: int, call: Call) -> terms.Term:
    space, cell = call.cell(0)
    return terms.Lookup(terms.Coordinate(space, axis), cell, type=NUMBER, span=call.span)


def _directions(call: Call) -> terms.Term:
    argument = call.arguments[0]
    name = argument.text if isinstance(argument, expressions.Name) else ""
    if name not in call.resolver.symbols.spaces:
        call.resolver.symbols.report_unknown(name or "?", argument.span, call.locals)
    return terms.AllDirections(name, type=types.SetOf(types.Direction(name)), span=call.span)


def _size(call: Call) -> terms.Term:
    domain, _ = call.set(0)
    return terms.Size(domain, span=call.span)


def _empty(call: Call) -> terms.Term:
    zero = terms.Constant(0, type=NUMBER, span=call.span)
    return terms.Compare(expressions.Comparison.EQUAL, _size(call), zero, span=call.span)


def _end_of_pile(bottom: bool, call: Call) -> terms.Term:
    pile, element = call.set(0)
    if not unify(element, TILE):
        call.resolver.mismatch(pile.span, types.SetOf(TILE), pile.type)
    return terms.Top(pile, bottom, type=TILE, span=call.span)


def _extreme_of_two(extreme: terms.Kind, call: Call) -> terms.Term:
    """The least or greatest of two numbers. Each occurs once in the term, so nested calls stay linear in size."""
    pair = terms.SetLiteral((call.term(0, NUMBER), call.term(1, NUMBER)), type=types.SetOf(NUMBER), span=call.span)
    bound = terms.Binder("one of two", pair, None, NUMBER, span=call.span)
    return terms.Fold(extreme, bound, terms.Local("one of two", NUMBER, span=call.span), type=NUMBER, span=call.span)


def _foe(call: Call) -> terms.Term:
    """The other of two players. Reports RW142 for a game of fewer or more."""
    player, symbols = call.term(0, PLAYER), call.resolver.symbols
    if (symbols.players, symbols.most_players) != (2, 2):
        call.fail("RW142", "only in a game of two players each has one foe", "use `those p in players where p != player`")
    first, second = (terms.Constant(number, type=PLAYER, span=call.span) for number in (1, 2))
    is_first = terms.Compare(expressions.Comparison.EQUAL, player, first, span=call.span)
    return terms.If(is_first, second, first, type=PLAYER, span=call.span)


FUNCTIONS: Mapping[str, Mapping[int, Builder]] = {
    "at": {1: on_boards.tile_at},
    "occupied": {1: on_boards.occupied},
    "side": {2: on_boards.side},
    "turned": {1: on_boards.turned_of},
    "copies": {1: on_boards.copies},
    "number": {2: on_boards.number},
    "region": {2: on_boards.region},
    "site": {2: on_boards.site},
    "cell": {1: on_boards.cell_of, 2: _cell_at, 3: _cell_at, 4: _cell_at},
    "edge": {2: on_boards.edge},
    "edges": {1: on_boards.edges},
    "ends": {1: on_boards.ends},
    "ports": {1: on_boards.ports},
    "beyond": {1: on_boards.beyond},
    "link": {1: on_boards.link},
    "places": {1: on_boards.places, 2: of_pieces.places_of_kind},
    "places_over": {2: of_pieces.places_over},
    "pieces": {1: of_pieces.all_lying},
    "piece_at": {1: of_pieces.piece_at, 2: of_pieces.piece_at},
    "covered": {1: of_pieces.covered},
    "cells": {1: of_pieces.cells},
    "kind": {1: of_pieces.kind},
    "owner": {1: of_pieces.owner},
    "lies": {1: of_pieces.lies_there},
    "holds": {1: on_boards.holds},
    "facing": {1: partial(on_boards.aspect, terms.Aspect.FACING)},
    "mirrored": {1: partial(on_boards.aspect, terms.Aspect.MIRRORED)},
    **{which.value: {1: partial(_neighbours, which)} for which in terms.Neighbourhood},
    "step": {2: _step, 3: _step},
    "line": {2: _line},
    "column_of": {1: _column_of},
    "topmost": {1: _topmost},
    "part": {2: _part},
    "opposite": {1: _opposite},
    "turn": {2: _turn},
    "distance": {2: _distance},
    **{name: {1: partial(_coordinate, axis)} for axis, name in enumerate(("column", "row", "level"))},
    "directions": {1: _directions},
    "foe": {1: _foe},
    "size": {1: _size},
    "empty": {1: _empty},
    "top": {1: partial(_end_of_pile, False)},
    "bottom": {1: partial(_end_of_pile, True)},
    "min": {2: partial(_extreme_of_two, terms.Kind.LEAST)},
    "max": {2: partial(_extreme_of_two, terms.Kind.GREATEST)},
}
"""The functions of the language: their builders, by number of arguments."""
