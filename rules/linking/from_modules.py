"""The linker: merges modules, resolves names, infers types and builds the game. Each stage collects all its errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from math import prod

from rulewright.base.diagnostics import Diagnostic, Sink
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import define, evolve
from rulewright.grammar.tree import expressions, modules, statements
from rulewright.grammar.tree import modules as tree
from rulewright.rules.linking.functions.call import NUMBER
from rulewright.rules.linking.functions.derived_spaces import expand_spaces, joining_tables
from rulewright.rules.linking.functions.on_boards import KINDS, kinds_table
from rulewright.rules.linking.functions.patterns import check_conditions, condition_types, conditions_of, patterns
from rulewright.rules.linking.pieces.sets import piece_sets, tables_of, variables_of
from rulewright.rules.merging.expand import PASSES
from rulewright.rules.merging.merge import merge
from rulewright.rules.merging.needs import check_needs, needs_of
from rulewright.rules.merging.rulebook import Family, ItemKind, Rulebook, order
from rulewright.rules.model import game, types
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.spaces.from_tree import sample_window

from .alphabets import check_formats
from .call_graph import CallOrder, call_order, check_parts
from .data_tables import tables
from .declarations import enumerations, expected_warnings, meanings, tile_kinds, variables
from .resolve_flow import FlowResolver, declare_loop_variables
from .resolve_items import ItemResolver
from .scopes import check_beginnings, check_scopes, resets
from .symbol_table import Signature, SymbolTable
from .unification import PartialType, TypeVariable, ground, is_open_cell, unify

# Limits of size -------------------------------------------------------------------------------------------------------
# The numbers of players, tiles and cells are checked against the limits before anything is built from them.


def check_sizes(book: Rulebook, sink: Sink, limits: Limits) -> None:
    """Report RW133 (players), RW134 (tiles), RW251 (an impossible space), RW055 (a space too large)."""
    _players(book, sink, limits.players)
    _tiles(book, sink, limits.tiles)
    for space in book.spaces.values():
        if not space.base:
            _space(space, sink, limits.cells)


def _players(book: Rulebook, sink: Sink, most: int) -> None:
    players = book.players
    if players is None:
        return
    if players.low > players.high:
        message = f"the range `{players.low}..{players.high}` is empty"
        sink.error("RW133", message, players.span, help=f"write `players {players.high}..{players.low}`")
    elif players.low < 1:
        sink.error("RW133", "a game needs at least one player", players.span, help="start the range at 1")
    elif players.high > most:
        message = f"a game can have at most {most} players"
        sink.error("RW133", message, players.span, help="lower the number of players")


def _tiles(book: Rulebook, sink: Sink, most: int) -> None:
    total = 0
    for tiles in book.tiles.values():
        for line in tiles.lines:
            total += line.count
            if total > most:
                message = f"the box has more than {most} tiles"
                sink.error("RW134", message, line.span, help="use a smaller number after `x`")
                return


def _space(space: modules.Space, sink: Sink, most: int) -> None:
    if _cells(space) > most:
        sink.error("RW055", f"the space has more than {most} cells", space.span, help="make it smaller")
        return
    try:
        sample_window(space)
    except ValueError as error:
        sink.error("RW251", str(error), space.span, help="correct the declaration of the space")


def _cells(space: modules.Space) -> int:
    """The number of cells of a space of given size; 0 without a size."""
    if space.shape is modules.Shape.HEX and len(space.size) == 1:
        radius = space.size[0]
        return 3 * radius * (radius + 1) + 1
    return prod(space.size) if space.size else 0


# The linker -----------------------------------------------------------------------------------------------------------


def link(modules: Mapping[str, tree.Module], roots: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> game.Game:
    """Link modules into a game; they must include everything that the roots extend.

    Raises `RulesError` with all diagnostics of the stage that failed: RW100-RW199 linking, RW200-RW249 types.
    """
    return link_book(*combine(modules, limits), roots)


def combine(modules: Mapping[str, tree.Module], limits: Limits = DEFAULT_LIMITS) -> tuple[Family, Rulebook]:
    """Order the modules and merge them into one rulebook. Raises `RulesError`: RW100-RW105."""
    sink = Sink()
    family = evolve(order(modules, sink), limits=limits)
    sink.stop()
    return family, merge(family, sink)


def link_book(family: Family, book: Rulebook, roots: Sequence[str]) -> game.Game:
    """Link a rulebook merged from the modules of a family. Raises `RulesError` as `link` does."""
    sink, book = Sink(), book.copy()
    for expand in PASSES:
        expand(book, sink)
    check_needs(family, book, roots, sink)
    check_sizes(book, sink, family.limits)
    sink.stop()
    expand_spaces(book, sink, family.limits.cells)
    sink.stop()
    symbols = _symbol_table(book, family, sink)
    if book.flow is None:
        span = family.modules[-1].header.span
        sink.error(
            "RW130", "the game has no `flow`", span, help="add `flow:`, or `needs flow` if the module is only a part of games"
        )
    sink.stop()
    assert book.flow is not None
    declare_loop_variables(book.flow.body, symbols)
    check_scopes(book.flow.body, symbols.variables.values(), sink)
    sink.stop()
    calls = call_order(book, sink)
    sink.stop()
    _infer_types(book, symbols, calls)
    items = ItemResolver.of(book, symbols)
    for needed in needs_of(family):
        items.check_needed(needed)
    sink.stop()
    definitions = {name: items.definition(name) for name in calls.definitions}
    check_conditions(definitions, sink)
    sink.stop()
    found = _game(items, calls, definitions, tuple(sorted(roots)))
    items_of_play = (*found.definitions.values(), *found.actions.values(), *found.procedures.values(), found.scores)
    initial = (variable.initial for variable in found.variables.values())
    check_formats(found, sink)
    check_parts(found, (*items_of_play, found.invariants, found.flow, *initial), sink)
    check_beginnings(found, sink)
    sink.stop()
    return found


def _symbol_table(book: Rulebook, family: Family, sink: Sink) -> SymbolTable:
    names = enumerations(book)
    kinds = tile_kinds(book, family, sink)
    for partition in book.partitions.values():
        parameter = tree.Parameter(partition.parameter, expressions.Name(partition.space, span=partition.span))
        book.defines[partition.name] = tree.Define(partition.name, (parameter,), partition.value, span=partition.span)
    found, sets = patterns(book, sink), piece_sets(book, kinds, sink)
    signatures = {
        name: Signature(node, {parameter.name: TypeVariable() for parameter in node.parameters})
        for name, node in book.defines.items()
    }
    conditions = {pattern.condition: pattern for pattern in found.values()}
    for name, node in conditions_of(book, found).items():
        book.defines[name] = node
        signatures[name] = Signature(node, dict(condition_types(conditions[name])), types.Truth())
    constants = meanings(names, kinds, book.spaces)
    known = variables(book, family, sink)
    for pieces in book.pieces.values():
        known |= {variable.name: variable for variable in variables_of(pieces, sink, known)}
    sink.stop()
    return SymbolTable(
        family,
        sink,
        book.spaces,
        kinds,
        tables(book, names, kinds, constants, sink),
        known,
        signatures,
        names,
        constants,
        book.dropped,
        {name: {parameter.name: TypeVariable() for parameter in node.parameters} for name, node in book.procedures.items()},
        {name: partition.space for name, partition in book.partitions.items()},
        players=book.players.low if book.players else 1,
        most_players=book.players.high if book.players else 1,
        patterns=found | sets,
        pieces=book.pieces,
        lies=tables_of(book, sets),
    )


def _looks_of_roots(book: Rulebook, family: Family, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The looks that the requested modules declare or change; a change gives a look its own span."""
    sources = {module.header.span.source for module in family.modules if module.header.name in roots}
    return tuple(name for name, look in book.looks.items() if look.span.source in sources)


def _idle(book: Rulebook, met: Set[str]) -> tuple[game.Idle, ...]:
    """The phases that the flow never runs, and the `whenever`s that no effect triggers."""
    points = {node.name for node in nodes_of({}, book.flow) if isinstance(node, statements.Point)}
    phases = (game.Idle(name, True, span=node.span) for name, node in book.phases.items() if name not in points)
    whenevers = (game.Idle(name, False, span=node.span) for name, node in book.whenevers.items() if name not in met)
    return (*phases, *whenevers)


@define
class _SilentSink(Sink):
    """Drops every diagnostic: during type inference an error looks like a type that is not known yet."""

    def _add(self, diagnostic: Diagnostic) -> None:
        pass


def _infer_types(book: Rulebook, symbols: SymbolTable, calls: CallOrder) -> None:
    """Infer the types of the parameters and results of definitions, and of loop variables.

    Each item is resolved once, callers before callees: if a definition and its uses disagree, the uses determine the parameter
    types. Results are unified with their uses afterwards, so a definition alone determines its result type.
    """
    items = ItemResolver.of(book, evolve(symbols, sink=_SilentSink(), player_scores={}), inferring=True)
    _game(items, calls, {}, ())
    for name in reversed(calls.definitions):
        items.definition(name)
    signatures = [symbols.signatures[name] for name in calls.definitions]
    for signature in signatures:
        for use in signature.uses:
            unify(signature.result, use)
    for type, default in items.terms.defaults:
        unify(type, default)
    for name, found in symbols.parameters.items():
        symbols.parameters[name] = _grounded(found)
    for signature in signatures:
        signature.parameters = _grounded(signature.parameters)
        signature.result = ground(signature.result, NUMBER)
    for name, variable in symbols.variables.items():
        if variable.is_loop:
            symbols.variables[name] = evolve(variable, type=ground(variable.type, NUMBER))


def _grounded(parameters: Mapping[str, PartialType]) -> dict[str, PartialType]:
    return {name: type if is_open_cell(type) else ground(type, NUMBER) for name, type in parameters.items()}


def _game(
    items: ItemResolver, calls: CallOrder, definitions: Mapping[str, game.Definition], roots: tuple[str, ...]
) -> game.Game:
    """Resolve every item except the definitions. The result of the inference pass is not used."""
    book, symbols = items.book, items.symbols
    assert book.flow is not None
    for key in calls.sequels:
        if key.kind is ItemKind.PROCEDURE:
            items.effects.procedure(key.name)
        else:
            items.effects.reaction(key.name)
    inlined = items.effects.inlined
    actions = {name: items.action(node) for name, node in book.actions.items()}
    initial = items.initial_values()
    known = {name: evolve(variable, initial=initial.get(name)) for name, variable in symbols.variables.items()}
    headers = [module.header for module in symbols.family.modules]
    return game.Game(
        tuple(header.name for header in headers),
        roots,
        book.players or tree.Players(1, 1),
        symbols.enumerations,
        symbols.spaces,
        symbols.tiles,
        symbols.tables | joining_tables(symbols.spaces, symbols.tiles) | symbols.lies | {KINDS: kinds_table(symbols.tiles)},
        known,
        {name: definitions[name] for name in book.defines if name in definitions},
        {name: action for name, action in actions.items() if not book.actions[name].base},
        {name: inlined[name] for name, node in book.procedures.items() if not node.parameters} | resets(known.values()),
        FlowResolver(items.terms, book, definitions).body(book.flow.body),
        items.scores(),
        items.ranking(book.rank, definitions) if book.rank else None,
        items.winner(book.winner) if book.winner else (),
        tuple(items.invariant(node) for node in book.invariants.values()),
        expected=expected_warnings(symbols.family),
        looks=dict(book.looks),
        formats=dict(book.formats),
        text=next((header.text for header in headers if header.name in roots[:1]), ""),
        limits=symbols.family.limits,
        patterns=dict(symbols.patterns),
        pieces=dict(symbols.pieces),
        partitions=dict(symbols.partitions),
        idle=_idle(book, items.effects.reactions.met),
        looks_of_roots=_looks_of_roots(book, symbols.family, roots),
    )
